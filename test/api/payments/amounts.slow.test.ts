import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPayer, quoteInput } from "../../setup/platform.ts";
import { Receiver } from "../../setup/receiver.ts";
import { expectRefused } from "../setup/refused.ts";
import { expectUntouched } from "../setup/untouched.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const MAX = 9_000_000_000_000_000;

const world = worldPerTest();
let receiver: Receiver;
/**
 * A dollar account with money, and a rupiah account; a dollar brings some sixteen thousand rupiah.
 */
let dollars: string;
let rupiah: string;

const wide = (currencyCode: string) => ({ currencyCode, minAmount: 0, maxAmount: MAX });

beforeEach(async () => {
  const { call } = world();
  receiver = await new Receiver().start();
  await call("PATCH", "/config", {
    webhookEndpoint: receiver.url,
    supportedCurrencies: [wide("USD"), wide("IDR")],
  });
  dollars = (await createPayer(world())).accountId;
  const path = "/platform/internal-accounts?currency=IDR";
  rupiah = (await call("GET", path)).body.data[0].id;
});

afterEach(() => receiver.stop());

const untouched = (act: () => Promise<unknown>) =>
  expectUntouched({ world: world(), receiver }, act);

const ask = (side: string, amountMinor: number) =>
  world().call("POST", "/quotes", {
    ...quoteInput(dollars, rupiah, amountMinor),
    lockedCurrencySide: side,
  });

const INVALID = { status: 400, code: "INVALID_AMOUNT", field: "lockedCurrencyAmount" };
const OUT_OF_RANGE = { status: 400, code: "AMOUNT_OUT_OF_RANGE", field: "lockedCurrencyAmount" };

// spec/currencies.md#amounts
describe("the amount of a quote", () => {
  test.each([
    { amount: 0, refused: INVALID },
    { amount: -1, refused: INVALID },
    { amount: -25_000, refused: INVALID },
    { amount: 0.5, refused: INVALID },
    { amount: 25_000.5, refused: INVALID },
    { amount: MAX + 1, refused: OUT_OF_RANGE },
    { amount: 1e300, refused: OUT_OF_RANGE },
  ])("is refused as $amount on either side, executed at once or not", ({ amount, refused }) =>
    untouched(async () => {
      for (const side of ["SENDING", "RECEIVING"])
        for (const immediatelyExecute of [false, true])
          expectRefused(
            await world().call("POST", "/quotes", {
              ...quoteInput(dollars, rupiah, amount),
              lockedCurrencySide: side,
              immediatelyExecute,
            }),
            refused,
          );
    }),
  );

  test("is refused if more than 9000000000000000 would arrive", () =>
    untouched(async () =>
      expectRefused(await ask("SENDING", MAX), { ...OUT_OF_RANGE, field: "totalReceivingAmount" }),
    ));

  test("may be 9000000000000000 on the receiving side", async () => {
    const { status, body } = await ask("RECEIVING", MAX);
    expect({ status, received: body.totalReceivingAmount }).toEqual({ status: 201, received: MAX });
  });

  // spec/exchange-rates.md#amount-bounds
  test("is refused if more than 9000000000000000 must be sent", async () => {
    const { body } = await world().call("GET", "/platform/internal-accounts?currency=USD");
    const back = quoteInput(rupiah, body.data[0].id, 1_000_000_000_000);
    await untouched(async () =>
      expectRefused(
        await world().call("POST", "/quotes", { ...back, lockedCurrencySide: "RECEIVING" }),
        { ...OUT_OF_RANGE, field: "totalSendingAmount" },
      ),
    );
  });

  test("is refused if the fees eat it up", () =>
    untouched(async () => {
      for (const amount of [1, 10]) expectRefused(await ask("SENDING", amount), OUT_OF_RANGE);
    }));
});

describe("sandbox money", () => {
  test.each([
    { amount: 0, code: "INVALID_AMOUNT" },
    { amount: -1, code: "INVALID_AMOUNT" },
    { amount: 0.1, code: "INVALID_AMOUNT" },
    { amount: MAX, code: "AMOUNT_OUT_OF_RANGE" },
    { amount: MAX + 1, code: "AMOUNT_OUT_OF_RANGE" },
  ])("of $amount changes nothing", ({ amount, code }) =>
    untouched(async () =>
      expectRefused(
        await world().call("POST", `/sandbox/internal-accounts/${dollars}/fund`, { amount }),
        { status: 400, code, field: "amount" },
      ),
    ),
  );
});

describe("the bounds of a currency", () => {
  test.each([
    { bounds: { minAmount: -1 }, code: "INVALID_INPUT", member: "minAmount" },
    { bounds: { minAmount: 0.5 }, code: "INVALID_INPUT", member: "minAmount" },
    { bounds: { minAmount: MAX + 1 }, code: "INVALID_INPUT", member: "minAmount" },
    {
      bounds: { minAmount: MAX + 1, maxAmount: MAX + 2 },
      code: "AMOUNT_OUT_OF_RANGE",
      member: "minAmount",
    },
    { bounds: { maxAmount: -1 }, code: "INVALID_INPUT", member: "maxAmount" },
    { bounds: { maxAmount: 1.5 }, code: "INVALID_INPUT", member: "maxAmount" },
    { bounds: { maxAmount: MAX + 1 }, code: "AMOUNT_OUT_OF_RANGE", member: "maxAmount" },
  ])("are refused as $bounds", ({ bounds, code, member }) =>
    untouched(async () =>
      expectRefused(
        await world().call("PATCH", "/config", {
          supportedCurrencies: [{ ...wide("USD"), ...bounds }],
        }),
        { status: 400, code, field: `supportedCurrencies.0.${member}` },
      ),
    ),
  );
});

test("rates accept an amount of 0, but no negative amount and no fraction", async () => {
  const ask = (amount: string) => world().call("GET", `/exchange-rates?sendingAmount=${amount}`);
  const { status, body } = await ask("0");
  expect(status).toBe(200);
  for (const row of body.data) expect(row).toMatchObject({ sendingAmount: 0, receivingAmount: 0 });
  for (const amount of ["-0", "-1", "0.0", "1e3"])
    expectRefused(await ask(amount), {
      status: 400,
      code: "INVALID_INPUT",
      field: "sendingAmount",
    });
});
