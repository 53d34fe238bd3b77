import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPayee, createPayer, type Payer, quoteInput } from "../../setup/platform.ts";
import { Receiver } from "../../setup/receiver.ts";
import { expectRefused } from "../setup/refused.ts";
import { balanceOf, goTo } from "../setup/told.ts";
import { expectUntouched } from "../setup/untouched.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const UNFIT = ["FROZEN", "PENDING", "CLOSED"];
const PLATFORM_CENTS = 500_000;

const world = worldPerTest();
let receiver: Receiver;
let payer: Payer;
/** Accounts by their part in a payment. */
let accounts: Record<string, string>;

const platformDollars = async () => {
  const { call } = world();
  const path = "/platform/internal-accounts?currency=USD";
  const id = (await call("GET", path)).body.data[0].id as string;
  await call("POST", `/sandbox/internal-accounts/${id}/fund`, { amount: PLATFORM_CENTS });
  return id;
};

beforeEach(async () => {
  receiver = await new Receiver().start();
  await world().call("PATCH", "/config", { webhookEndpoint: receiver.url });
  payer = await createPayer(world());
  accounts = {
    "payer's": payer.accountId,
    "platform's": await platformDollars(),
    "other customer's": (await createPayer(world(), 0)).accountId,
    "payer's bank": await createPayee(world(), payer.customerId, "003"),
  };
});

afterEach(() => receiver.stop());

const the = (name: string) => accounts[name] as string;

const setStatus = async (name: string, status: string) => {
  const answer = await world().control("PATCH", `/internal-accounts/${the(name)}`, { status });
  expect(answer).toMatchObject({ status: 200, body: { status } });
};

const refusedAt = (field: string) => ({
  status: 400,
  code: "INVALID_INPUT",
  reason: "ACCOUNT_NOT_ACTIVE",
  field,
});

const untouched = (act: () => Promise<unknown>) =>
  expectUntouched({ world: world(), receiver }, act);

/** Payments with one unusable account, and the field that the refusal names. */
const PAYMENTS = [
  { unfit: "payer's", from: "payer's", to: "payer's bank", field: "source.accountId" },
  { unfit: "platform's", from: "platform's", to: "payer's bank", field: "source.accountId" },
  {
    unfit: "other customer's",
    from: "payer's",
    to: "other customer's",
    field: "destination.accountId",
  },
  { unfit: "platform's", from: "payer's", to: "platform's", field: "destination.accountId" },
].flatMap((payment) => UNFIT.map((status) => ({ status, ...payment })));

// spec/quotes.md#usable-parties
describe("an account that is not active", () => {
  test.each(PAYMENTS)("gets no quote: $status, the $unfit, as $field", async (row) => {
    await setStatus(row.unfit, row.status);
    const input = quoteInput(the(row.from), the(row.to));
    await untouched(async () => {
      for (const immediatelyExecute of [false, true]) {
        const answer = await world().call("POST", "/quotes", { ...input, immediatelyExecute });
        expectRefused(answer, refusedAt(row.field));
      }
    });
  });

  test.each(PAYMENTS)(
    "is not paid from or into by a quote made before: $status, the $unfit, as $field",
    async ({ unfit, from, to, status, field }) => {
      const { call } = world();
      const { body: quote } = await call("POST", "/quotes", quoteInput(the(from), the(to)));
      await setStatus(unfit, status);
      await untouched(async () => {
        expectRefused(await call("POST", `/quotes/${quote.id}/execute`), refusedAt(field));
      });
      expect((await call("GET", `/quotes/${quote.id}`)).body).toEqual(quote);

      await setStatus(unfit, "ACTIVE");
      expect((await call("POST", `/quotes/${quote.id}/execute`)).status).toBe(200);
      const full = from === "payer's" ? 1_000_000 : PLATFORM_CENTS;
      expect(await balanceOf(world(), the(from))).toBe(full - 25_000);
    },
  );

  const FUNDED = ["payer's", "platform's"].flatMap((whose) =>
    UNFIT.map((status) => ({ whose, status })),
  );

  test.each(FUNDED)("takes no sandbox money: $status, the $whose", async ({ whose, status }) => {
    const fund = () =>
      world().call("POST", `/sandbox/internal-accounts/${the(whose)}/fund`, { amount: 1 });
    await setStatus(whose, status);
    await untouched(async () => expectRefused(await fund(), refusedAt("accountId")));
    await setStatus(whose, "ACTIVE");
    const full = whose === "payer's" ? 1_000_000 : PLATFORM_CENTS;
    expect(await fund()).toMatchObject({ status: 200, body: { balance: { amount: full + 1 } } });
  });

  test("stops neither a payment in progress nor the refund of a failed one", async () => {
    const { call } = world();
    const failing = await createPayee(world(), payer.customerId, "002");
    const ids: string[] = [];
    for (const to of [the("payer's bank"), failing]) {
      const { body } = await call("POST", "/quotes", {
        ...quoteInput(payer.accountId, to),
        immediatelyExecute: true,
      });
      ids.push(body.transactionId);
    }
    await setStatus("payer's", "FROZEN");
    await goTo(world(), "09:06:00.000");
    const payments = ids.map(async (id) => (await call("GET", `/transactions/${id}`)).body);
    expect(await Promise.all(payments)).toMatchObject([
      { status: "COMPLETED" },
      { status: "FAILED", refund: { status: "COMPLETED" } },
    ]);
    expect(await balanceOf(world(), payer.accountId)).toBe(975_000);
  });
});
