import { createHook } from "node:async_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import { pathToFileURL } from "node:url";

// Prints the bytes and the timers that an idle world costs. Arguments: the built library,
// and the storage of the worlds.
const WORLDS = 200;
const [, , library, storage] = process.argv;
const { createSimulator } = await import(pathToFileURL(library).href);
const sim = await createSimulator({ clock: "manual", seed: "bench", storage });

const addWorld = async () => {
  const world = await sim.fork();
  const authorization = `Basic ${btoa(`${world.clientId}:${world.clientSecret}`)}`;
  const request = new Request(`${world.apiUrl}/config`, { headers: { authorization } });
  await (await world.fetch(request)).text();
};

const usedBytes = async () => {
  for (let round = 0; round < 4; round += 1) {
    await nextTurn();
    globalThis.gc();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

// The first worlds load what all of them share, and set the one timer that looks for idle worlds.
for (let made = 0; made < 20; made += 1) await addWorld();
const before = await usedBytes();
for (let made = 0; made < WORLDS; made += 1) await addWorld();
const kibEach = ((await usedBytes()) - before) / WORLDS / 1024;

const timers = new Set();
const hook = createHook({
  init: (id, type) => type === "Timeout" && timers.add(id),
  destroy: (id) => timers.delete(id),
}).enable();
for (let made = 0; made < 20; made += 1) await addWorld();
// Timers that ended are told of in a later turn.
for (let turns = 0; turns < 3; turns += 1) await nextTurn();
hook.disable();
console.log(JSON.stringify({ kibEach, timers: timers.size }));
process.exit(0);
