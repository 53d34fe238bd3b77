import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { columnsOf, MOST_COLUMNS } from "../../src/console/story/columns.ts";
import { movesOf, sumsOf } from "../../src/console/story/moves.ts";
import { LEDGER_ACCOUNTS } from "../../src/domain/money/ledger.ts";

const posting = (account: string, amount: number, currency = "USD") => ({
  account,
  amount,
  currency,
});
const arrow = ([from, to]: readonly [string, string], amount: number, currency = "USD") => ({
  kind: "arrow",
  from,
  to,
  amount,
  currency,
});
const { clearing, exchange, fees, payouts } = LEDGER_ACCOUNTS;

describe("the moves of a step", () => {
  test("one payer and several receivers are arrows from it", () => {
    expect(movesOf([posting(clearing, -100), posting(fees, 4), posting(exchange, 96)])).toEqual([
      arrow([clearing, fees], 4),
      arrow([clearing, exchange], 96),
    ]);
  });

  test("several payers and one receiver are arrows to it", () => {
    expect(movesOf([posting(fees, -4), posting(exchange, -96), posting(clearing, 100)])).toEqual([
      arrow([fees, clearing], 4),
      arrow([exchange, clearing], 96),
    ]);
  });

  test("each currency is told by itself", () => {
    const step = [
      posting(clearing, -100),
      posting(exchange, 100),
      posting(exchange, -90, "EUR"),
      posting(payouts, 90, "EUR"),
    ];
    expect(movesOf(step)).toEqual([
      arrow([clearing, exchange], 100),
      arrow([exchange, payouts], 90, "EUR"),
    ]);
  });

  test("several of both are signed amounts, since no arrow can be told", () => {
    const step = [posting("a", -1), posting("b", -2), posting("c", 1), posting("d", 2)];
    expect(movesOf(step)).toEqual(step.map((one) => ({ kind: "signed", ...one })));
  });

  test("what moves leaves the same sums as the postings", () => {
    const postings = fc.array(
      fc.record({
        account: fc.constantFrom("a", "b", "c"),
        currency: fc.constantFrom("USD", "EUR"),
        amount: fc.integer({ min: -1000, max: 1000 }).filter((amount) => amount !== 0),
      }),
    );
    fc.assert(
      fc.property(postings, (step) => {
        const isZero = [...sumsOf(step).totals.values()].every((total) => total === 0);
        fc.pre(isZero);
        const back = movesOf(step).flatMap((move) =>
          move.kind === "signed"
            ? [posting(move.account, move.amount, move.currency)]
            : [
                posting(move.from, -move.amount, move.currency),
                posting(move.to, move.amount, move.currency),
              ],
        );
        expect([...sumsOf(back).totals.values()].every((total) => total === 0)).toBe(true);
      }),
    );
  });
});

describe("the columns of a story", () => {
  test("go from the payer over clearing, fees and exchange to what left", () => {
    const payer = "InternalAccount:1";
    const story = [
      posting(payer, -100),
      posting(payouts, 90),
      posting(exchange, 1),
      posting(fees, 4),
      posting(clearing, 5),
    ];
    expect(columnsOf(story).map(({ says }) => says)).toEqual([
      "payer",
      "clearing",
      "fees",
      "exchange",
      "payouts",
    ]);
  });

  test("every account of the ledger has words, and more than fit fold into one", () => {
    const all = Object.values(LEDGER_ACCOUNTS).map((account) => posting(account, 1));
    const columns = columnsOf(all);
    expect(columns).toHaveLength(MOST_COLUMNS);
    expect(columns.at(-1)?.says).toBe("other");
    expect(columns.flatMap(({ accounts }) => accounts).toSorted()).toEqual(
      Object.values(LEDGER_ACCOUNTS).toSorted(),
    );
  });
});
