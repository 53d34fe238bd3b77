import { type Figure, pairsInTurn } from "./figure.ts";
import { type MeasuredWorld, startWorld } from "./measured-world.ts";
import { callInProcess, json } from "./platform-call.ts";
import { wallMsOf } from "./processor-time.ts";
import { type RunLength, sizeText } from "./run-length.ts";
import type { Workplace } from "./workplace.ts";

const FEW = 100;
const MANY = { short: 10_000, usual: 100_000, full: 300_000 };
const ROWS = 20;
/** Pages read for one measurement: enough to exceed the clock's resolution. */
const PAGES = 200;

interface Page {
  nextCursor?: string;
  data: { customerId: string }[];
}

/** Path of a page, the cursor left out. */
const listPath = async ({ sim }: MeasuredWorld): Promise<string> => {
  const oldest = json<Page>(callInProcess(sim)("GET", "/transactions?sortOrder=asc&limit=1"));
  const [first] = (await oldest).data;
  const filters = `customerId=${first?.customerId}&startDate=2020-01-01T00:00:00Z`;
  return `/transactions?${filters}&limit=${ROWS}`;
};

/** Path of the last page: the cursors are followed to it. */
const lastPath = async ({ sim }: MeasuredWorld, path: string, count: number) => {
  const call = callInProcess(sim);
  let last = path;
  for (let page = 0; page < count / ROWS; page += 1) {
    const { nextCursor } = await json<Page>(call("GET", last));
    if (nextCursor === undefined) return last;
    last = `${path}&cursor=${encodeURIComponent(nextCursor)}`;
  }
  throw new Error(`Expected a last page within ${count} transactions but found none`);
};

const worldOf = async (workplace: Workplace, count: number, isLast: boolean) => {
  const world = await startWorld(workplace);
  await world.quotes(count);
  const first = await listPath(world);
  const path = isLast ? await lastPath(world, first, count) : first;
  const call = callInProcess(world.sim);
  const pageMs = async () =>
    (await wallMsOf(async () => {
      for (let page = 0; page < PAGES; page += 1) await json(call("GET", path));
    })) / PAGES;
  return { ...world, pageMs };
};

const pageFigure = (which: "first" | "last", length: RunLength): Figure => ({
  name: `${which} page of ${ROWS} among ${sizeText(length, MANY)} transactions`,
  floor: `among ${FEW}`,
  unit: "ms",
  target: { atMost: 1.5 },
  from: "short",
  measure: async (workplace) => {
    const few = await worldOf(workplace, FEW, which === "last");
    const many = await worldOf(workplace, workplace.of(MANY), which === "last");
    const counts = { warmUps: 2, pairs: workplace.of({ short: 4, usual: 6 }) };
    const pairs = await pairsInTurn(counts, { measured: many.pageMs, floor: few.pageMs });
    await few.sim.close();
    await many.sim.close();
    return pairs;
  },
});

/** Pages of transactions, by one indexed filter and a date, among many against among few. */
export const pageFigures = (length: RunLength): readonly Figure[] => [
  pageFigure("first", length),
  pageFigure("last", length),
];
