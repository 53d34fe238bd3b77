import { machineWall } from "../../../src/runtime/ports.ts";
import { openWorld } from "../../../src/storage/open-world.ts";
import { act } from "../../runtime/setup/random-world.ts";

/**
 * Changes a world until it is killed, and forks, keeps and restores it meanwhile. After each act it prints
 * what is then on disk.
 */
const [directory = ""] = process.argv.slice(2);
const world = await openWorld({
  storage: { kind: "file", directory },
  wall: machineWall,
  fsync: false,
  identity: { clockMode: "manual" },
  checkpointAfterBytes: 4_000,
});
if (world.isNew) world.reset();
const { engine, points, start } = world;
for (let turn = 0; ; turn += 1) {
  for (const what of ["put", "post", "put"] as const) {
    const step = { slot: turn % 13, act: what, waits: 0 } as const;
    const { seq } = engine.commit(act, step, { cause: "test", by: "test" });
    await engine.journal.reached(seq);
  }
  if (turn % 3 === 0) await points?.save("a");
  if (turn % 5 === 4) {
    const state = await points?.load("a");
    if (state) {
      state.branch = Number(engine.state.branch) + 1;
      await points?.switchTo(state);
    }
  }
  if (turn % 4 === 1) {
    const fork = await world.fork({ name: `f-${start}-${turn}`, clientId: "c" });
    if (turn % 8 === 1) await fork.close();
    else await fork.remove?.();
  }
  process.stdout.write(`${engine.state.branch} ${engine.state.seq}\n`);
}
