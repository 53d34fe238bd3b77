import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as library from "../../src/simulator.ts";
import { type Figure, pairsInTurn } from "./figure.ts";
import { callInProcess, json } from "./platform-call.ts";
import { createQuoteBody } from "./quote-body.ts";
import { EMPTY_PROGRAM, wholeProcessMs } from "./whole-process.ts";
import type { Workplace } from "./workplace.ts";

const TRANSACTIONS = 100_000;
const AT_ONCE = 50;
const COUNTS = { warmUps: 1, pairs: 5 };

const fill = async (build: Workplace["build"], directory: string) => {
  const { createSimulator } = (await import(pathToFileURL(build.library).href)) as typeof library;
  const sim = await createSimulator({ clock: "manual", storage: `file:${directory}` });
  const call = callInProcess(sim);
  const body = await createQuoteBody(call);
  for (let made = 0; made < TRANSACTIONS; made += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, () => json(call("POST", "/quotes", body))));
  await sim.close();
};

const filesBelow = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Cost of parsing the newest checkpoint's text, without reading it. */
const parseMs = (directory: string) => {
  const manifests = filesBelow(join(directory, "checkpoint")).filter((file) =>
    file.endsWith("manifest.json"),
  );
  const newest = manifests.sort().at(-1) ?? "";
  const image = readFileSync(newest, "utf8");
  const { chunks } = JSON.parse(image.slice(image.indexOf("\n") + 1)) as {
    chunks: { key: string }[];
  };
  let tookMs = 0;
  for (const { key } of chunks) {
    const text = readFileSync(`${join(directory, ...key.split(":"))}.json`, "utf8");
    const startedMs = performance.now();
    JSON.parse(text);
    tookMs += performance.now() - startedMs;
  }
  return tookMs;
};

const restartMs = async (workplace: Workplace, cwd: string, directory: string) => {
  const startedMs = performance.now();
  const { serviceSim } = workplace.build;
  const storage = ["--port", "0", "--json", "--storage", `file:${directory}`];
  const child = workplace.start([serviceSim, "start", ...storage], cwd);
  await child.firstLine();
  const tookMs = performance.now() - startedMs;
  await workplace.end(child);
  return tookMs;
};

/** Start on a large state that was stopped cleanly, against only reading its data. */
export const restartFigure: Figure = {
  name: `restart with ${TRANSACTIONS} transactions`,
  floor: "2 x node -e '' + 2 x JSON.parse",
  unit: "ms",
  target: { atMost: 1 },
  measure: async (workplace) => {
    const directory = workplace.directory();
    const cwd = workplace.directory();
    await fill(workplace.build, directory);
    return pairsInTurn(COUNTS, {
      measured: () => restartMs(workplace, cwd, directory),
      floor: async () => {
        const empty = await wholeProcessMs(workplace, { args: EMPTY_PROGRAM, cwd });
        return 2 * empty + 2 * parseMs(directory);
      },
    });
  },
};
