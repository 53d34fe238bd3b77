import { expect, test } from "vitest";
import { crossRate, UNITS_PER_USD } from "../../../src/domain/money/rates.ts";
import { PUBLISHED_CODES, PUBLISHED_RATES } from "../setup/published-rates.ts";

test.each(PUBLISHED_CODES)("one US dollar buys exactly the published amount of %s", (code) => {
  const { units, per } = PUBLISHED_RATES[code];
  const { n, d } = crossRate({ sending: "USD", receiving: code });
  expect(n * per).toBe(d * units);
});

test("the table has every published rate and no other", () => {
  expect(Object.keys(UNITS_PER_USD).sort()).toEqual([...PUBLISHED_CODES].sort());
});

test.each([
  { sending: "USD", receiving: "MXN", n: 69n, d: 4n },
  { sending: "MXN", receiving: "USD", n: 4n, d: 69n },
  { sending: "EUR", receiving: "GBP", n: 79n, d: 92n },
  { sending: "BTC", receiving: "USD", n: 120_000n, d: 1n },
  { sending: "USDC", receiving: "BTC", n: 1n, d: 120_000n },
  { sending: "EUR", receiving: "EUR", n: 1n, d: 1n },
] as const)("a unit of $sending is $n/$d of $receiving", ({ sending, receiving, n, d }) => {
  const fx = crossRate({ sending: sending, receiving: receiving });
  expect(fx.n * d).toBe(fx.d * n);
});
