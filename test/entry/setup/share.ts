import { isCampaign } from "../../setup/campaign.ts";

/** The seed of this run, to repeat it: `ENTRY_SEED=7 npm run entry`. */
export const SEED = Number(process.env.ENTRY_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Numbers below 1 that a seed decides (mulberry32). */
export const drawsOf = (seed: number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** Some of the rows, in their order; other ones with each seed. */
export const someOf = <Row>(rows: readonly Row[], count: number, seed = SEED): Row[] => {
  const draw = drawsOf(seed);
  const ranked = rows.map((row, at) => ({ row, at, rank: draw() }));
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, count)
    .toSorted((a, b) => a.at - b.at)
    .map(({ row }) => row);
};

/** All rows in `npm run entry`, otherwise some that the seed of the run picks. */
export const shareOf = <Row>(rows: readonly Row[], count: number, seed = SEED): readonly Row[] =>
  isCampaign ? rows : someOf(rows, count, seed);
