import { shownValue, valueAt } from "../contract/core/shown-value.ts";
import { IN_OUR_WORDS } from "../contract/expectations.ts";
import type { Posting } from "./core/draft.ts";
import { isLedgerAccount, LEDGER_ACCOUNTS, MAX_BALANCE, totalsOf } from "./money/ledger.ts";
import type { InternalAccountRecord, Kind, Records, TimerRecord } from "./records/records.ts";
import { shapeOf } from "./records/shapes/record-shapes.ts";
import { isJson } from "./records/shapes/stored-values.ts";
import { KINDS } from "./records/tables.ts";
import type { TimerName } from "./records/timer-names.ts";
import { factsProblem, type StateFacts } from "./state-facts.ts";

/** A member that names another record, the kinds it may be of, and its value. */
type Reference = readonly [member: string, kinds: readonly Kind[], id: string | undefined];

const CUSTOMER: readonly Kind[] = ["Customer"];
const ACCOUNT: readonly Kind[] = ["InternalAccount"];
const PAYMENT: readonly Kind[] = ["Transaction"];

const ofCustomer = ({ customerId }: { customerId?: string }): Reference[] => [
  ["customerId", CUSTOMER, customerId],
];

const ofJob = ({ jobId }: { jobId: string }): Reference[] => [["jobId", ["Job"], jobId]];

const ofAccount = ({ accountId }: { accountId: string }): Reference[] => [
  ["accountId", ACCOUNT, accountId],
];

/** Kinds of the subjects of timers, by the word before the dot of their names. */
const SUBJECTS: Readonly<Record<string, readonly Kind[]>> = {
  approval: ["AgentAction"],
  bulk: ["Job"],
  card: ["Card", "CardTransaction"],
  incoming: PAYMENT,
  payment: PAYMENT,
  quote: ["Quote"],
  refund: PAYMENT,
  webhook: ["Delivery"],
};

const subjectOf = (name: TimerName) => SUBJECTS[name.split(".")[0] ?? ""] ?? [];

const ofTimer = ({ name, subject, poisoned, canceledAtMs }: TimerRecord): Reference[] =>
  poisoned === undefined && canceledAtMs === undefined
    ? [["subject", subjectOf(name), subject]]
    : [];

/**
 * References that every rule takes to be there. Left out are those to records that may be deleted
 * while the one that names them stays, such as the external account of a payment.
 */
const REFERENCES: { [K in Kind]?: (record: Records[K]) => readonly Reference[] } = {
  BeneficialOwner: ofCustomer,
  Verification: ofCustomer,
  KycLink: ofCustomer,
  InternalAccount: ofCustomer,
  ExternalAccount: ofCustomer,
  Agent: ofCustomer,
  DeviceCode: ({ agentId }) => [["agentId", ["Agent"], agentId]],
  AgentAction: (action) => [
    ...ofCustomer(action),
    ["agentId", ["Agent"], action.status === "PENDING_APPROVAL" ? action.agentId : undefined],
    ["transactionId", PAYMENT, action.transactionId],
  ],
  Quote: ({ transactionId }) => [["transactionId", PAYMENT, transactionId]],
  Transaction: (payment) => [
    ...ofCustomer(payment),
    ["creditsAccountId", ACCOUNT, payment.creditsAccountId],
    ...(payment.type === "OUTGOING"
      ? ([
          ["debitsAccountId", ACCOUNT, payment.debitsAccountId],
          ["quoteId", ["Quote"], payment.quoteId],
        ] as const)
      : []),
  ],
  Card: ({ cardholderId, fundingSources }) => [
    ["cardholderId", CUSTOMER, cardholderId],
    ...fundingSources.map((id) => ["fundingSources", ACCOUNT, id] as const),
  ],
  CardReveal: ({ cardId }) => [["cardId", ["Card"], cardId]],
  CardTransaction: ({ cardId, accountId }) => [
    ["cardId", ["Card"], cardId],
    ...ofAccount({ accountId }),
  ],
  AuthMethod: ofAccount,
  Session: ofAccount,
  Document: ({ documentHolder }) => [
    ["documentHolder", ["Customer", "BeneficialOwner"], documentHolder],
  ],
  BulkRows: ofJob,
  BulkErrors: ofJob,
  Delivery: ({ id, endId }) => [
    ["id", ["Event"], id],
    ["endId", ["DeliveryEnd"], endId],
  ],
  Event: ({ id }) => [["id", ["Delivery"], id]],
  DeliveryEnd: ({ deliveryId }) => [["deliveryId", ["Delivery"], deliveryId]],
  Timer: ofTimer,
};

/** The references of a record that must lead to another one. */
const referencesOf = <K extends Kind>(kind: K, record: Records[K]): readonly Reference[] =>
  REFERENCES[kind]?.(record) ?? [];

/** A balance as it is stored. */
interface StoredBalance {
  account: string;
  currency: string;
  minor: bigint;
}

/** The ledger of a state: its balances, its postings, and the accounts they are of. */
interface StoredLedger {
  balances: readonly StoredBalance[];
  postings: Iterable<Posting>;
  account(id: string): InternalAccountRecord | undefined;
}

const OWN = new Set<string>(Object.values(LEDGER_ACCOUNTS));

const accountProblem = (
  { account, currency, minor }: StoredBalance,
  find: StoredLedger["account"],
): string | undefined => {
  if (isLedgerAccount(account))
    return OWN.has(account) ? undefined : `Expected an account of the ledger but found ${account}`;
  const holder = find(account);
  if (!holder)
    return `Expected a balance of an account but found one of ${account}, which is not there`;
  if (holder.currency !== currency)
    return `Expected a balance in ${holder.currency} on ${account} but found one in ${currency}`;
  if (minor < 0n || minor > MAX_BALANCE)
    return `Expected a balance from 0 to ${MAX_BALANCE} on ${account} but found ${minor} ${currency}`;
  return undefined;
};

/** The first invariant of the ledger that does not hold (spec/ledger.md#invariants). */
const ledgerProblem = ({ balances, postings, account }: StoredLedger): string | undefined => {
  for (const balance of balances) {
    const problem = accountProblem(balance, account);
    if (problem !== undefined) return problem;
  }
  const amounts = balances.map(({ minor: amountMinor, ...of }) => ({ ...of, amountMinor }));
  for (const [currency, total] of totalsOf(amounts))
    if (total !== 0n)
      return `Expected balances in ${currency} that sum to 0 but found a sum of ${total}`;
  const booked = new Map<string, bigint>();
  for (const { account: of, currency, amountMinor } of postings) {
    const key = `${of} ${currency}`;
    booked.set(key, (booked.get(key) ?? 0n) + amountMinor);
  }
  for (const { account: of, currency, minor } of balances) {
    const sum = booked.get(`${of} ${currency}`) ?? 0n;
    booked.delete(`${of} ${currency}`);
    if (sum !== minor)
      return `Expected ${minor} ${currency} in the postings of ${of} but found ${sum}`;
  }
  const [[key, sum] = []] = [...booked].filter(([, amount]) => amount !== 0n);
  return key === undefined ? undefined : `Expected 0 in the postings of ${key} but found ${sum}`;
};

/** A whole state, as the check reads it. */
export interface WholeState extends Omit<StateFacts, "each"> {
  each<K extends Kind>(kind: K): Iterable<Records[K]>;
  get<K extends Kind>(kind: K, id: string): Records[K] | undefined;
  allBalances(): StoredLedger["balances"];
  postings: { slice(): StoredLedger["postings"] };
}

/** A member that the shape does not have, at any depth: shapes of the contract pass over those. */
const strangeMember = (kind: Kind, record: { id: string }, known: unknown): string | undefined => {
  const left: [found: unknown, known: unknown, path: string][] = [[record, known, ""]];
  while (left.length > 0) {
    const [part, shaped, path] = left.pop() as (typeof left)[number];
    if (part === shaped || typeof part !== "object" || part === null) continue;
    if (typeof shaped !== "object" || shaped === null) continue;
    for (const [name, value] of Object.entries(part)) {
      if (value === undefined) continue;
      if (!Object.hasOwn(shaped, name))
        return `Expected a known name in ${kind} ${record.id}${path} but found the name "${name}"`;
      left.push([value, (shaped as Record<string, unknown>)[name], `${path} ${name}`]);
    }
  }
  return undefined;
};

const shapeProblem = (kind: Kind, record: { id: string }): string | undefined => {
  const parsed = shapeOf(kind).safeParse(record, IN_OUR_WORDS);
  const [issue] = parsed.error?.issues ?? [];
  if (!issue) return strangeMember(kind, record, parsed.data);
  const [strange] = issue.code === "unrecognized_keys" ? issue.keys : [];
  const found =
    strange === undefined ? shownValue(valueAt(record, issue.path)) : `the name "${strange}"`;
  return `${issue.message} in ${[kind, record.id, ...issue.path].join(" ")} but found ${found}`;
};

const referenceProblem = (state: WholeState, kind: Kind, record: Records[Kind]) => {
  for (const [member, kinds, id] of referencesOf(kind, record as never))
    if (id !== undefined && !kinds.some((target) => state.get(target, id)))
      return `Expected ${kinds.join(" or ")} ${id} of ${member} in ${kind} ${record.id} but found none`;
  return undefined;
};

/** Only `trigger` makes an event of bytes that are no JSON. */
const bodyProblem = (state: WholeState, { id, body, base64 }: Records["Event"]) =>
  isJson(body) || base64 !== undefined || state.get("Delivery", id)?.lab === "triggered"
    ? undefined
    : `Expected JSON in Event ${id} body but found ${shownValue(body)}`;

function* recordsOf(state: WholeState): Generator<[Kind, Records[Kind]], undefined> {
  for (const kind of KINDS) for (const record of state.each(kind)) yield [kind, record];
}

/** References are looked up once every record has the shape of its kind. */
const recordsProblem = (state: WholeState) => {
  for (const [kind, record] of recordsOf(state)) {
    const problem = shapeProblem(kind, record);
    if (problem !== undefined) return problem;
  }
  for (const [kind, record] of recordsOf(state)) {
    const problem = referenceProblem(state, kind, record);
    if (problem !== undefined) return problem;
  }
  for (const event of state.each("Event")) {
    const problem = bodyProblem(state, event);
    if (problem !== undefined) return problem;
  }
  return undefined;
};

/**
 * The first thing that is wrong with a whole state, in a sentence; nothing where every invariant
 * holds: bounds of instants and counters, the configuration, the shape of each record, references
 * between records, and the ledger (spec/snapshots.md#invariants).
 */
export const stateProblem = (state: WholeState): string | undefined =>
  factsProblem(state) ??
  recordsProblem(state) ??
  ledgerProblem({
    balances: state.allBalances(),
    postings: state.postings.slice(),
    account: (id) => state.get("InternalAccount", id),
  });
