import { isCampaign, numberGiven } from "../../setup/campaign.ts";
import { drawsOf } from "../../setup/draws.ts";

/** The seed of this run, to repeat it: `npm run entry -- --seed 7`. */
export const SEED = numberGiven("ENTRY_SEED") ?? Math.floor(Math.random() * 2 ** 31);

/** Some of the rows, in their order; other ones with each seed. */
const someOf = <Row>(rows: readonly Row[], count: number, seed = SEED): Row[] => {
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
