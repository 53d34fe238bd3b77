import { beforeEach, expect, test } from "vitest";
import { REFUSALS } from "../../../src/contract/refusals.ts";
import { createPayer, quoteInput } from "../../setup/platform.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const MAX = "9000000000000000";

const world = worldPerTest();
let dollars: string;
let pesos: string;

const platformAccount = async (currency: string): Promise<string> => {
  const path = `/platform/internal-accounts?currency=${currency}`;
  return (await world().call("GET", path)).body.data[0].id;
};

const wide = (currencyCode: string) => ({
  currencyCode,
  minAmount: 0,
  maxAmount: 9_000_000_000_000_000,
});

beforeEach(async () => {
  dollars = (await createPayer(world())).accountId;
  const supportedCurrencies = ["USD", "MXN", "BTC", "IDR"].map(wide);
  await world().call("PATCH", "/config", { supportedCurrencies });
  pesos = await platformAccount("MXN");
});

const said = async (method: string, path: string, body?: object) => {
  const answer = await world().call(method, path, body);
  expect(answer.body.code).toBe("AMOUNT_OUT_OF_RANGE");
  return answer.body.message.split(". ")[0];
};

test("the table's own sentence names the limit and the value", () => {
  expect(REFUSALS.AMOUNT_OUT_OF_RANGE.says).toBe("{field} is {value}, above the maximum of {max}");
});

test("funding names its limit and what was sent", async () => {
  const path = `/sandbox/internal-accounts/${dollars}/fund`;
  expect(await said("POST", path, { amount: 1e20 })).toBe(
    "amount is 100000000000000000000, above the maximum of 100000000000",
  );
});

test("an account that is full names its balance, its limit and what was sent", async () => {
  const { call } = world();
  const [bitcoin, rupiah] = [await platformAccount("BTC"), await platformAccount("IDR")];
  for (let funding = 0; funding < 50; funding += 1)
    await call("POST", `/sandbox/internal-accounts/${bitcoin}/fund`, { amount: 100_000_000_000 });
  const pay = (receivingMinor: number) => ({
    ...quoteInput(bitcoin, rupiah, receivingMinor),
    lockedCurrencySide: "RECEIVING",
    immediatelyExecute: true,
  });
  expect((await call("POST", "/quotes", pay(9_000_000_000_000_000))).status).toBe(201);
  expect(await said("POST", "/quotes", pay(7_199_254_740_992))).toBe(
    `${rupiah} holds 9000000000000000, and 7199254740992 more would be above the maximum of 9007199254740991`,
  );
});

test("a quote names the maximum", async () => {
  const body = quoteInput(dollars, pesos, 9_000_000_000_000_001);
  expect(await said("POST", "/quotes", body)).toBe(
    `lockedCurrencyAmount is 9000000000000001, above the maximum of ${MAX}`,
  );
});

test("a quote that fees eat up names the minimum", async () => {
  expect(await said("POST", "/quotes", quoteInput(dollars, pesos, 5))).toBe(
    "5 of USD less the fees of 11 is less than the smallest unit of MXN; the minimum is 12",
  );
});

test("the exchange rates name the maximum", async () => {
  expect(await said("GET", "/exchange-rates?sendingAmount=9000000000000001")).toBe(
    `sendingAmount is 9000000000000001, above the maximum of ${MAX}`,
  );
});
