import { pathToFileURL } from "node:url";
import type * as library from "../../src/simulator.ts";
import { type Figure, pairsInTurn } from "./figure.ts";
import { callInProcess, json } from "./platform-call.ts";
import { createQuoteBody } from "./quote-body.ts";

const FEW = 100;
const MANY = 100_000;
/** Pages read for one measurement: enough to exceed the clock's resolution. */
const PAGES = 200;
/** Quotes created at once while a world is filled. */
const AT_ONCE = 50;

const worldOf = async (createSimulator: typeof library.createSimulator, count: number) => {
  const sim = await createSimulator({ clock: "manual", seed: "bench" });
  const call = callInProcess(sim);
  const body = await createQuoteBody(call);
  for (let made = 0; made < count; made += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, () => json(call("POST", "/quotes", body))));
  const [oldest] = (
    await json<{ data: { customerId: string }[] }>(
      call("GET", "/transactions?sortOrder=asc&limit=1"),
    )
  ).data;
  const filters = `customerId=${oldest?.customerId}&startDate=2020-01-01T00:00:00Z`;
  const pages = async () => {
    const startedMs = performance.now();
    for (let page = 0; page < PAGES; page += 1)
      await json(call("GET", `/transactions?${filters}&limit=20`));
    return (performance.now() - startedMs) / PAGES;
  };
  return { sim, pages };
};

/** A page of transactions, by one indexed filter and a date, among many against among few. */
export const pageFigure: Figure = {
  name: `a page of 20 among ${MANY} transactions`,
  floor: `among ${FEW}`,
  unit: "ms",
  target: { atMost: 1.5 },
  measure: async ({ build }) => {
    const { createSimulator } = (await import(pathToFileURL(build.library).href)) as typeof library;
    const few = await worldOf(createSimulator, FEW);
    const many = await worldOf(createSimulator, MANY);
    const counts = { warmUps: 1, pairs: 5 };
    const pairs = await pairsInTurn(counts, { measured: many.pages, floor: few.pages });
    await few.sim.close();
    await many.sim.close();
    return pairs;
  },
};
