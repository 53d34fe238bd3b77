import { type Found, pairsInTurn } from "./figure.ts";
import type { LoadedRate } from "./loaded-server.ts";
import { median } from "./ratios.ts";
import type { Workplace } from "./workplace.ts";

/** A server under load, by the name that the notes have for it. */
export interface Rated {
  name: string;
  /** Loads it for some seconds. */
  rate(seconds: number): Promise<LoadedRate>;
}

/** Measures two servers in turn; notes the CPU time that each takes for a request. */
export const ratesInTurn = async (
  workplace: Workplace,
  ours: Rated,
  base: Rated,
): Promise<Found> => {
  const seconds = workplace.of({ short: 2, usual: 3 });
  const processorUs = { ours: [] as number[], base: [] as number[] };
  const rateOf = async (server: Rated, usedUs: number[]) => {
    const rate = await server.rate(seconds);
    usedUs.push(rate.processorUs);
    return rate.perSecond;
  };
  const counts = { warmUps: 1, pairs: workplace.of({ short: 2, usual: 5 }) };
  const pairs = await pairsInTurn(counts, {
    measured: () => rateOf(ours, processorUs.ours),
    floor: () => rateOf(base, processorUs.base),
  });
  const text = (usedUs: readonly number[], { name }: Rated) =>
    `${median(usedUs.slice(counts.warmUps)).toFixed(0)} µs (${name})`;
  const used = `${text(processorUs.ours, ours)}, ${text(processorUs.base, base)}`;
  return { pairs, notes: [`CPU time of a request: ${used}`] };
};
