import { existsSync } from "node:fs";
import type { createSimulator } from "../../src/simulator.ts";
import { openFuzzedWorld } from "../fuzz/fuzzed-world.ts";
import { LoopWatch } from "./loop-watch.ts";

// The process whose simulator `npm run load` calls. `watch` begins a stage, `stretches` ends it. It
// ends with the process that started it.
const BUILD = "dist/simulator.mjs";
if (!existsSync(BUILD)) throw new Error(`Expected ${BUILD}; run npm run build`);
const built = (await import(`../../${BUILD}`)) as { createSimulator: typeof createSimulator };
const world = await openFuzzedWorld(built.createSimulator);
const { port, clientId, clientSecret, ids } = world;
const watch = new LoopWatch();

process.on("message", (message) => {
  if (message === "watch") watch.start();
  process.send?.(message === "watch" ? {} : watch.end());
});
process.on("disconnect", () => process.exit(0));
process.send?.({ port, clientId, clientSecret, ids });
