import { pathToFileURL } from "node:url";
import type * as library from "../../src/simulator.ts";
import { callInProcess, json } from "./platform-call.ts";
import { createQuoteBody } from "./quote-body.ts";
import type { Workplace } from "./workplace.ts";

/** Quotes created at once while a world is filled. */
const AT_ONCE = 50;

/** The built library. */
export const libraryOf = async ({ build }: Workplace): Promise<typeof library> =>
  (await import(pathToFileURL(build.library).href)) as typeof library;

/** The part of a simulator or a fork that calls of the platform need. */
export type Called = Pick<library.Simulator, "apiUrl" | "clientId" | "clientSecret" | "fetch">;

/** A world in this process, and the request that each measurement sends to it. */
export interface MeasuredWorld {
  sim: library.LocalSimulator;
  /** Creates a quote in this world, or in a fork of it. */
  quote(world?: Called): Promise<{ id: string }>;
  /** Creates many, several at once. */
  quotes(count: number): Promise<void>;
  records(): Promise<number>;
}

/** Starts a simulator in memory whose clock stands still. */
export const startWorld = async (
  workplace: Workplace,
  options: library.SimulatorOptions = {},
): Promise<MeasuredWorld> => {
  const { createSimulator } = await libraryOf(workplace);
  const sim = await createSimulator({ clock: "manual", seed: "bench", ...options });
  const body = await createQuoteBody(callInProcess(sim));
  const quote = (world: Called = sim) =>
    json<{ id: string }>(callInProcess(world)("POST", "/quotes", body));
  const quotes = async (count: number) => {
    for (let made = 0; made < count; made += AT_ONCE)
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - made) }, () => quote()));
  };
  const records = async () => {
    const answer = await sim.fetch(new Request(`${sim.controlUrl}/worlds`));
    const { data } = (await answer.json()) as { data: { records: number }[] };
    return data[0]?.records ?? 0;
  };
  return { sim, quote, quotes, records };
};

/** Creates quotes until a world has N records. */
export const fillTo = async (world: MeasuredWorld, records: number): Promise<void> => {
  const empty = await world.records();
  await world.quotes(50);
  const each = ((await world.records()) - empty) / 50;
  await world.quotes(Math.ceil((records - (await world.records())) / each));
};
