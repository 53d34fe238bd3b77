import fc from "fast-check";
import { expect, test } from "vitest";
import type { Page } from "../../../src/contract/core/lists.ts";
import type {
  IncomingStatus,
  OutgoingStatus,
  Transaction,
} from "../../../src/contract/payments/transactions.ts";
import { listTransactions } from "../../../src/domain/payments/listed-transactions.ts";
import type { TransactionRecord } from "../../../src/domain/records/records.ts";
import { momentAt } from "../../../src/runtime/ids.ts";
import { WorldState } from "../../../src/runtime/world-state.ts";
import { runsOf } from "../../setup/campaign.ts";

const STARTS_MS = Date.parse("2026-01-05T09:00:00Z");

/** Accounts are numbered from 0; higher numbers are UMA addresses. */
const FIRST_UMA = 4;

interface Made {
  customer: number;
  from: number;
  to: number;
  isIncoming: boolean;
  outgoingStatus: OutgoingStatus;
  incomingStatus: IncomingStatus;
  reference: number;
  refunded: boolean;
  afterMs: number;
}

const made = fc.record<Made>({
  customer: fc.integer({ min: 0, max: 3 }),
  from: fc.integer({ min: 0, max: 4 }),
  to: fc.integer({ min: 2, max: 5 }),
  isIncoming: fc.boolean(),
  outgoingStatus: fc.constantFrom("PENDING", "PROCESSING", "COMPLETED", "FAILED", "EXPIRED"),
  incomingStatus: fc.constantFrom("PENDING", "COMPLETED", "FAILED", "REJECTED", "REFUNDED"),
  reference: fc.integer({ min: 0, max: 5 }),
  refunded: fc.boolean(),
  afterMs: fc.integer({ min: 0, max: 2 }),
});

/** A filter of the list, or its absence. */
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const instants = maybe(
  fc.integer({ min: 0, max: 60 }).map((ms) => new Date(STARTS_MS + ms).toISOString()),
);

const query = fc.record({
  customerId: maybe(fc.constantFrom("Customer:0", "Customer:1", "Customer:9")),
  platformCustomerId: maybe(fc.constantFrom("p0", "p2", "p9")),
  accountIdentifier: maybe(fc.constantFrom("Account:0", "Account:2", "$4@uma.test")),
  senderAccountIdentifier: maybe(fc.constantFrom("Account:1", "$4@uma.test")),
  receiverAccountIdentifier: maybe(fc.constantFrom("Account:2", "$5@uma.test")),
  reference: maybe(fc.constantFrom("REF-0", "REF-3", "RFD-1", "RFD-9")),
  status: maybe(fc.constantFrom("PENDING", "COMPLETED", "REJECTED")),
  type: maybe(fc.constantFrom("OUTGOING", "INCOMING")),
  startDate: instants,
  endDate: instants,
  sortOrder: maybe(fc.constantFrom("asc", "desc")),
});

type Query = Parameters<typeof listTransactions>[1]["query"];

const worldOf = (rows: readonly Made[]) => {
  const state = new WorldState();
  let atMs = STARTS_MS;
  let counter = 0;
  const records = rows.map((row) => {
    atMs += row.afterMs;
    const moment = momentAt(atMs, { seed: "s", branch: 1, counter });
    const record = recordOf(row, moment.newId("Transaction"), atMs);
    counter = moment.counter();
    return record;
  });
  state.loadRecords("Transaction", records);
  return { state, records };
};

const nameOf = (party: number) => (party < FIRST_UMA ? `Account:${party}` : `$${party}@uma.test`);

const sourceOf = (from: number) =>
  from < FIRST_UMA
    ? ({ sourceType: "ACCOUNT", accountId: nameOf(from) } as const)
    : ({ sourceType: "UMA_ADDRESS", umaAddress: nameOf(from) } as const);

const destinationOf = (to: number) =>
  to < FIRST_UMA
    ? ({ destinationType: "ACCOUNT", accountId: nameOf(to) } as const)
    : ({ destinationType: "UMA_ADDRESS", umaAddress: nameOf(to) } as const);

const recordOf = (row: Made, id: string, atMs: number): TransactionRecord => {
  const common = {
    id,
    source: sourceOf(row.from),
    destination: destinationOf(row.to),
    customerId: `Customer:${row.customer}`,
    platformCustomerId: `p${row.customer}`,
    receivingCurrency: "MXN",
    receivedMinor: 100,
    feesMinor: 0,
    reference: `REF-${row.reference}`,
    createdAtMs: atMs,
    updatedAtMs: atMs,
  } as const;
  if (row.isIncoming) return { ...common, type: "INCOMING", status: row.incomingStatus };
  return {
    ...common,
    type: "OUTGOING",
    status: row.outgoingStatus,
    sendingCurrency: "USD",
    sentMinor: 100,
    ...(row.refunded && {
      refund: {
        reference: `RFD-${row.reference}`,
        initiatedAtMs: atMs,
        status: "PENDING",
        reason: "TRANSACTION_FAILED",
      },
    }),
  };
};

const is = (wanted: string | undefined, ...found: (string | undefined)[]) =>
  wanted === undefined || found.includes(wanted);

/** The account or address of either side, as the list shows it. */
const namesOf = ({ source, destination }: TransactionRecord) => {
  const from = { umaAddress: undefined, accountId: undefined, ...source };
  const to = { umaAddress: undefined, accountId: undefined, ...destination };
  return { from: from.accountId ?? from.umaAddress, to: to.accountId ?? to.umaAddress };
};

/** The same list by brute force: every filter on every record. */
const naively = (records: readonly TransactionRecord[], wanted: Query) => {
  const kept = records.filter(
    (one) =>
      is(wanted.customerId, one.customerId) &&
      is(wanted.platformCustomerId, one.platformCustomerId) &&
      is(wanted.accountIdentifier, namesOf(one).from, namesOf(one).to) &&
      is(wanted.senderAccountIdentifier, namesOf(one).from) &&
      is(wanted.receiverAccountIdentifier, namesOf(one).to) &&
      is(
        wanted.reference,
        one.reference,
        one.type === "OUTGOING" ? one.refund?.reference : undefined,
      ) &&
      is(wanted.status, one.status) &&
      is(wanted.type, one.type) &&
      (wanted.startDate === undefined || one.createdAtMs >= Date.parse(wanted.startDate)) &&
      (wanted.endDate === undefined || one.createdAtMs <= Date.parse(wanted.endDate)),
  );
  const ids = kept.map(({ id }) => id);
  return wanted.sortOrder === "asc" ? ids : ids.reverse();
};

const pageOf = (state: WorldState, wanted: Query) => {
  const moment = momentAt(STARTS_MS, { seed: "s", branch: 1, counter: 0 });
  return listTransactions(state, { query: wanted }, moment) as Page<Transaction>;
};

const MAX_PAGES = 60;

test("every list is what a naive filter finds, page by page, while records arrive", () => {
  fc.assert(
    fc.property(
      fc.array(made, { maxLength: 40 }),
      fc.array(made, { maxLength: 5 }),
      fc.tuple(query, fc.integer({ min: 1, max: 7 })),
      (rows, later, [wanted, limit]) => {
        const { state, records } = worldOf(rows);
        const expected = naively(records, wanted);
        const found: string[] = [];
        let cursor: string | undefined;
        for (let pages = 0; pages < MAX_PAGES; pages += 1) {
          const page = pageOf(state, { ...wanted, limit, cursor });
          if (pages === 0) expect(page.totalCount).toBe(expected.length);
          expect(page.data.length).toBeLessThanOrEqual(limit);
          expect(page.hasMore).toBe(page.nextCursor !== undefined);
          found.push(...page.data.map(({ id }) => id));
          cursor = page.nextCursor;
          if (cursor === undefined) break;
          // Records that arrive now are the newest: older pages must not change.
          if (wanted.sortOrder !== "asc" && pages === 0) addLater(state, later);
        }
        expect(found).toEqual(expected);
      },
    ),
    { numRuns: runsOf(2000) },
  );
});

const addLater = (state: WorldState, rows: readonly Made[]) => {
  const atMs = STARTS_MS + 1_000_000;
  const moment = momentAt(atMs, { seed: "s", branch: 1, counter: 1_000 });
  const records = rows.map((row) => recordOf(row, moment.newId("Transaction"), atMs));
  state.loadRecords("Transaction", records);
};
