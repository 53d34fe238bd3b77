import { existsSync } from "node:fs";
import type { createSimulator } from "../../src/simulator.ts";
import { formCalled } from "./forms.ts";
import { openFuzzedWorld } from "./fuzzed-world.ts";

// The process whose simulator `npm run fuzz` calls, in the form that its argument names. It serves
// the build, whose pages are complete, and tells its state whenever it is asked. It ends with the
// process that started it.
const BUILD = "dist/simulator.mjs";
if (!existsSync(BUILD)) throw new Error(`Expected ${BUILD}; run npm run build`);
const built = (await import(`../../${BUILD}`)) as { createSimulator: typeof createSimulator };
const world = await openFuzzedWorld(built.createSimulator, formCalled(process.argv[2] ?? "plain"));
const { port, controlToken, clientId, clientSecret, revision, ids } = world;

process.on("message", async (message) => {
  process.send?.(message === "reopen" ? await world.reopen() : world.state());
});
process.on("disconnect", async () => {
  await world.close();
  process.exit(0);
});
process.send?.({ port, controlToken, clientId, clientSecret, revision, ids });
