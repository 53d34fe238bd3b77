import { existsSync } from "node:fs";
import type { createSimulator } from "../../src/simulator.ts";
import { openFuzzedWorld } from "./fuzzed-world.ts";

// The process whose simulator `npm run fuzz` calls. It serves the build, whose pages are complete,
// and tells its state whenever it is asked. It ends with the process that started it.
const BUILD = "dist/simulator.mjs";
if (!existsSync(BUILD)) throw new Error(`Expected ${BUILD}; run npm run build`);
const built = (await import(`../../${BUILD}`)) as { createSimulator: typeof createSimulator };
const world = await openFuzzedWorld(built.createSimulator);
const { port, clientId, clientSecret, ids } = world;

process.on("message", () => process.send?.(world.state()));
process.on("disconnect", () => process.exit(0));
process.send?.({ port, clientId, clientSecret, ids });
