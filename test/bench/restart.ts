import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inFirstLine } from "../storage/setup/places.ts";
import { type Figure, type Found, pairsInTurn } from "./figure.ts";
import { fillTo, startWorld } from "./measured-world.ts";
import { startSimulator } from "./simulator-process.ts";
import { EMPTY_PROGRAM, wholeProcessMs } from "./whole-process.ts";
import type { Workplace } from "./workplace.ts";

/** The goal of a start on an empty state, times an empty program. */
const STARTS = 4;

const fill = async (workplace: Workplace, records: number): Promise<string> => {
  const directory = workplace.directory();
  const world = await startWorld(workplace, { storage: `file:${directory}` });
  await fillTo(world, records);
  await world.sim.close();
  return directory;
};

const filesBelow = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Cost of parsing the newest checkpoint's text, without reading it. */
const parseMs = (directory: string) => {
  const manifests = filesBelow(inFirstLine(directory, "checkpoint")).filter((file) =>
    file.endsWith("manifest.json"),
  );
  const newest = manifests.sort().at(-1) ?? "";
  const image = readFileSync(newest, "utf8");
  const { chunks } = JSON.parse(image.slice(image.indexOf("\n") + 1)) as {
    chunks: { key: string }[];
  };
  let tookMs = 0;
  for (const { key } of chunks) {
    const text = readFileSync(`${inFirstLine(directory, ...key.split(":"))}.json`, "utf8");
    const startedMs = performance.now();
    JSON.parse(text);
    tookMs += performance.now() - startedMs;
  }
  return tookMs;
};

/** Time from spawning `start` on a filled state until the platform has answered a call. */
const restartMs = async (workplace: Workplace, cwd: string, directory: string) => {
  const startedMs = performance.now();
  const options = ["--storage", `file:${directory}`];
  const { child, call } = await startSimulator(workplace, options, { cwd });
  const { status } = await call("GET", "/config");
  const tookMs = performance.now() - startedMs;
  await workplace.end(child);
  if (status !== 200) throw new Error(`Expected GET /config to answer 200 but found ${status}`);
  return tookMs;
};

const restart = (records: number, from: Figure["from"]): Figure => ({
  name: `start to first answer with ${records.toLocaleString("en-US")} records on disk`,
  floor: `${STARTS} x node -e '' + JSON.parse`,
  unit: "ms",
  target: { atMost: 1 },
  ...(from && { from }),
  measure: async (workplace): Promise<Found> => {
    const cwd = workplace.directory();
    const directory = await fill(workplace, records);
    const parsedMs: number[] = [];
    const floor = async () => {
      const emptyMs = await wholeProcessMs(workplace, { args: EMPTY_PROGRAM, cwd });
      parsedMs.push(parseMs(directory));
      return STARTS * emptyMs + (parsedMs.at(-1) ?? 0);
    };
    const measured = () => restartMs(workplace, cwd, directory);
    const counts = { warmUps: 2, pairs: workplace.of({ short: 4, usual: 7 }) };
    const pairs = await pairsInTurn(counts, { measured, floor });
    return { pairs, notes: [`JSON.parse of the data: ${parsedMs.at(-1)?.toFixed(0)} ms`] };
  },
});

/** Starts on a large state that was stopped cleanly, against the goal of an empty one. */
export const restartFigures: readonly Figure[] = [
  restart(50_000, "short"),
  restart(400_000, "full"),
];
