import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Figure, pairsInTurn } from "./figure.ts";
import { pack } from "./package-size.ts";
import { callOverHttp } from "./platform-call.ts";
import { basicAuthorization } from "./simulator-process.ts";
import { wholeProcessMs } from "./whole-process.ts";
import type { Workplace } from "./workplace.ts";

const COUNTS = { warmUps: 0, pairs: 3 };

/** A package whose program does nothing: what is left is npm's own time. */
const emptyPackage = (workplace: Workplace): string => {
  const folder = workplace.directory();
  const about = { name: "empty", version: "1.0.0", bin: { empty: "empty.js" } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(about));
  writeFileSync(join(folder, "empty.js"), "#!/usr/bin/env node\n");
  return folder;
};

/** A program that is asked for by its packed file, with nothing in the cache of npm or of our own. */
const npx = (workplace: Workplace, tarball: string, program: string) => ({
  args: ["--yes", "--offline", `--package=${tarball}`, "--", program],
  by: {
    program: "npx",
    env: { npm_config_cache: workplace.directory(), XDG_CACHE_HOME: workplace.directory() },
  },
});

const firstAnswerMs = async (workplace: Workplace, tarball: string) => {
  const { args, by } = npx(workplace, tarball, "service-sim");
  const startedMs = performance.now();
  const options = ["start", "--port", "0", "--json", "--storage", "memory:"];
  const child = workplace.start([...args, ...options], workplace.directory(), by);
  const ready = JSON.parse(await child.firstLine());
  await callOverHttp(ready.apiUrl, basicAuthorization(ready))("GET", "/config");
  const tookMs = performance.now() - startedMs;
  // npm passes no signal on: its own end would leave the simulator.
  process.kill(ready.pid);
  await workplace.end(child);
  return tookMs;
};

/** Time that a newcomer waits whose npm has never seen the package, without the download. */
export const npxFigure: Figure = {
  name: "npx of the packed program, cold cache to first answer",
  floor: "npx of an empty package",
  unit: "ms",
  measure: async (workplace) => {
    const tarball = await pack(workplace);
    const empty = await pack(workplace, emptyPackage(workplace));
    return pairsInTurn(COUNTS, {
      measured: () => firstAnswerMs(workplace, tarball),
      floor: () => {
        const { args, by } = npx(workplace, empty, "empty");
        return wholeProcessMs(workplace, { args, cwd: workplace.directory() }, by);
      },
    });
  },
};
