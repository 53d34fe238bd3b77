import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { activeCard } from "../api/cards/setup/card-world.ts";
import { goTo } from "../api/setup/told.ts";
import { worldPerTest } from "../api/setup/world-per-test.ts";
import { Receiver } from "../setup/receiver.ts";
import type { TestSimulator } from "../setup/test-simulator.ts";

const LATER = "2026-08";

const simulate = ({ id }: { id: string }, what: string) => `/sandbox/cards/${id}/simulate/${what}`;

/** Balance and total of an account in each event about it. */
const totalsTold = ({ received }: Receiver, accountId: string) =>
  received
    .filter(({ type, data }) => type.endsWith("BALANCE_UPDATED") && data.id === accountId)
    .map(({ data: { balance, totalBalance } }) =>
      [balance, totalBalance].flatMap((one) => (one ? [one.amount] : [])),
    );

/** The transaction that was made last, of any kind. */
const newest = async ({ call }: TestSimulator) =>
  (await call("GET", "/transactions?limit=1")).body.data[0];

const PURCHASE = {
  amount: 1_200,
  currency: { code: "USD" },
  merchant: { descriptor: "NORTH PIER BOOKS" },
};

// spec/revisions.md#directions
describe.each(["2025-10", LATER] as const)("a transaction in %s", (revision) => {
  const world = worldPerTest({ revision });
  const isLater = revision === LATER;
  let receiver: Receiver;

  beforeEach(async () => {
    receiver = await new Receiver().start();
  });

  afterEach(() => receiver.stop());

  test("has a direction in the later revision alone", async () => {
    const { card, holder } = await activeCard(world(), { on: "usd", minor: 5_000 });
    const answered = await world().call("POST", simulate(card, "authorization"), PURCHASE);
    expect(answered.status).toBe(isLater ? 202 : 200);
    const made = isLater ? await newest(world()) : answered.body;
    const { type, direction, customerId, platformCustomerId } = made;
    const holderOf = (await world().call("GET", `/customers/${holder.customerId}`)).body;
    expect({ type, direction, customerId, platformCustomerId }).toEqual(
      isLater
        ? {
            ...{ type: "CARD", direction: "DEBIT", customerId: holder.customerId },
            platformCustomerId: holderOf.platformCustomerId,
          }
        : {},
    );
  });

  // spec/revisions.md#total-balances
  test("holds of a card are a part of the total, also in events", async () => {
    const { call } = world();
    const { card, holder } = await activeCard(world(), { on: "usd", minor: 5_000 });
    await call("PATCH", "/config", { webhookEndpoint: receiver.url });
    const { body } = await call("POST", simulate(card, "authorization"), PURCHASE);
    const made = isLater ? await newest(world()) : body;
    const path = `/customers/internal-accounts?customerId=${holder.customerId}&currency=USD`;
    const [account] = (await call("GET", path)).body.data;
    expect([account.balance.amount, account.totalBalance?.amount]).toEqual([
      3_800,
      isLater ? 5_000 : undefined,
    ]);
    const cleared = { cardTransactionId: made.id, amount: 1_200 };
    await call("POST", simulate(card, "clearing"), cleared);
    await goTo(world(), "09:01:00.000");
    expect(totalsTold(receiver, holder.usdId)).toEqual(
      isLater
        ? [
            [3_800, 5_000],
            [3_800, 3_800],
          ]
        : [[3_800]],
    );
  });

  // spec/later-cards.md#limits
  test("a card has a limit that may be null", async () => {
    const { card } = await activeCard(world(), { on: "usd", minor: 5_000 });
    expect(card.maxSpendPerTransaction).toBe(isLater ? null : undefined);
  });
});
