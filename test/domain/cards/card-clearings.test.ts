import { beforeEach, describe, expect, test } from "vitest";
import type { CardTransaction } from "../../../src/contract/cards/card-transactions.ts";
import { fundInternalAccount } from "../../../src/domain/accounts/internal-accounts.ts";
import { authorize } from "../../../src/domain/cards/card-authorizations.ts";
import { clear } from "../../../src/domain/cards/card-transactions.ts";
import { activateCard, createCard } from "../../../src/domain/cards/cards.ts";
import { createCustomer } from "../../../src/domain/customers/customers.ts";
import type { CardTransactionRecord } from "../../../src/domain/records/card-records.ts";
import { RuleWorld } from "../setup/rule-world.ts";

let world: RuleWorld;
let params: { cardId: string };
let accountId: string;

beforeEach(() => {
  world = new RuleWorld();
  const customer = world.run(createCustomer, { body: { customerType: "INDIVIDUAL" } });
  [accountId = ""] = world.state
    .ids("InternalAccount", "byOwner", customer.id)
    .slice()
    .filter((id) => world.state.get("InternalAccount", id)?.currency === "USD");
  world.run(fundInternalAccount, { params: { accountId }, body: { amount: 10_000 } });
  const { id } = world.run(createCard, {
    body: { cardholderId: customer.id, form: "VIRTUAL", fundingSources: [accountId] },
  });
  world.run((draft, _input, moment) => activateCard(draft, id, moment), undefined);
  params = { cardId: id };
});

/** An authorization of 20.00 whose id and merchant end as given. */
const authorized = (idEnding: string, descriptor: string): string => {
  const merchant = { descriptor: "NORTH PIER BOOKS" };
  const body = { amount: 2_000, currency: { code: "USD" }, merchant };
  const made = world.run(authorize, { params, body }) as CardTransaction;
  const id = `${made.id.slice(0, -3)}${idEnding}`;
  world.run((draft) => {
    const record = draft.get("CardTransaction", made.id) as CardTransactionRecord;
    draft.put("CardTransaction", { ...record, id, merchant: { descriptor } });
  }, undefined);
  return id;
};

const cleared = (cardTransactionId: string, amount: number): CardTransaction =>
  world.run(clear, { params, body: { cardTransactionId, amount } }) as CardTransaction;

const balance = () => Number(world.state.balanceMinor(accountId, "USD"));

const PLAIN = "NORTH PIER BOOKS";

describe("a clearing of 23.00 on an authorization of 20.00", () => {
  const paid = { status: "SETTLED", count: 2, pendingCount: 0, left: 7_700 };
  const pending = { status: "SETTLED", count: 2, pendingCount: 1, left: 7_700 };

  test.each([
    { ending: "001", descriptor: PLAIN, ...paid },
    { ending: "002", descriptor: PLAIN, ...paid },
    { ending: "003", descriptor: PLAIN, ...paid },
    { ending: "004", descriptor: PLAIN, ...paid },
    { ending: "005", descriptor: PLAIN, ...paid },
    { ending: "006", descriptor: PLAIN, ...paid },
    { ending: "007", descriptor: PLAIN, ...paid },
    { ending: "abc", descriptor: PLAIN, ...paid },
    { ending: "abc", descriptor: "SHOP 005", ...pending },
    { ending: "002", descriptor: "SHOP 005", ...pending },
  ])(
    "id $ending means nothing, descriptor $descriptor: $status",
    ({ ending, descriptor, left, ...told }) => {
      const done = cleared(authorized(ending, descriptor), 2_300);
      const { count, pendingCount } = done.pullSummary;
      expect({ status: done.status, count, pendingCount }).toEqual(told);
      expect(done.settlementSummary).toEqual({ count: 1, totalAmount: 2_300 });
      expect(balance()).toBe(left);
      expect(world.state.balanceMinor("Ledger:cardHolds", "USD")).toBe(0n);
      expect(world.state.balanceMinor("Ledger:losses", "USD")).toBe(0n);
    },
  );
});

test("a hold stays owed to an account that has no more room for it", () => {
  const id = authorized("abc", PLAIN);
  const room = BigInt(Number.MAX_SAFE_INTEGER) - BigInt(balance()) - 1_999n;
  world.run((draft) => {
    draft.post({ account: "Ledger:funding", currency: "USD", amountMinor: -room });
    draft.post({ account: accountId, currency: "USD", amountMinor: room });
  }, undefined);
  const before = balance();
  expect(cleared(id, 0).status).toBe("SETTLED");
  expect(balance()).toBe(before);
  expect(world.state.balanceMinor("Ledger:unrefunded", "USD")).toBe(2_000n);
  expect(world.state.balanceMinor("Ledger:cardHolds", "USD")).toBe(0n);
});
