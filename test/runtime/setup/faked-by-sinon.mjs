// Prints what a simulator does while @sinonjs/fake-timers fakes all that this process can spare.
import { createRequire } from "node:module";

const require = createRequire(new URL("../../foreign/package.json", import.meta.url));
const FakeTimers = require("@sinonjs/fake-timers");
const { walk, offMs } = createRequire(import.meta.url)("./faked-walk.cjs");
const realNowMs = Date.now;

const tell = (error) => ({ name: error.name, by: error.by, message: error.message });

/** Everything faked: Node.js itself has neither network nor bodies then. */
const everything = async (library) => {
  const early = await library.createSimulator({ seed: 7 });
  await early.listen();
  const clock = FakeTimers.install();
  const closed = await early.close().catch(tell);
  const stillOpen = early.toJSON().address.endsWith("closed") === false;
  const sim = await library.createSimulator({ seed: 7 });
  const request = new Request(`${sim.controlUrl}/status`);
  const fetched = await sim.fetch(request).catch(tell);
  const { complete } = await sim.advance("6m");
  const listened = await sim.listen().catch(tell);
  await sim.close();
  clock.uninstall();
  await early.close();
  return { fetched, complete, listened, closed, stillOpen };
};

const toNotFake = ["nextTick", "queueMicrotask"];

// Faked before the load, and real again: from then on it is as if they had been real then.
const clock = FakeTimers.install({ toNotFake });
const library = await import("service-sim");
const refused = await library.createSimulator().catch(tell);
clock.uninstall();
const all = await everything(library);
FakeTimers.install({ now: 0, toNotFake });
const walked = await walk(library);
const off = await offMs(library, realNowMs);
process.stdout.write(JSON.stringify({ refused, all, walked, off, nowMs: Date.now() }));
