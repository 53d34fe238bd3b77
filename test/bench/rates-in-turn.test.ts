import { expect, test } from "vitest";
import { type Rated, ratesInTurn } from "./rates-in-turn.ts";
import type { Workplace } from "./workplace.ts";

/** A server that is as fast as told, one rate after the other. */
const ratedAs = (name: string, rates: readonly (readonly [number, number])[]): Rated => {
  const left = [...rates];
  return {
    name,
    rate: async () => {
      const [perSecond = 0, processorUs = 0] = left.shift() ?? [];
      return { perSecond, processorUs };
    },
  };
};

test("rates are paired, and the first pair counts neither as a rate nor as CPU time", async () => {
  const workplace = { of: ({ short }: { short: number }) => short } as unknown as Workplace;
  const ours = ratedAs("PostgreSQL", [
    [1, 9_000],
    [500, 200],
    [600, 220],
  ]);
  const base = ratedAs("files", [
    [2, 8_000],
    [1_000, 100],
    [1_200, 101],
  ]);
  expect(await ratesInTurn(workplace, ours, base)).toEqual({
    pairs: [
      { measured: 500, floor: 1_000 },
      { measured: 600, floor: 1_200 },
    ],
    notes: ["CPU time of a request: 210 µs (PostgreSQL), 101 µs (files)"],
  });
});
