import { machineWall } from "../../../src/runtime/ports.ts";
import { openWorld } from "../../../src/storage/open-world.ts";
import { act } from "../../runtime/setup/random-world.ts";

/** Changes a world and writes checkpoints until it is killed; prints each durable change. */
const directory = process.argv[2] ?? "";
const MAX_COMMITS = 100_000;

const run = async () => {
  const world = await openWorld({
    storage: { kind: "file", directory },
    wall: machineWall,
    fsync: false,
    identity: { clockMode: "manual" },
    checkpointAfterBytes: 1_500,
  });
  if (world.isNew) world.reset();
  for (let at = 0; at < MAX_COMMITS; at += 1) {
    const step = { slot: at % 13, act: at % 3 === 0 ? "post" : "put", waits: 0 } as const;
    const { seq } = world.engine.commit(act, step, { cause: "test", by: "test" });
    await world.engine.journal.reached(seq);
    process.stdout.write(`${seq}\n`);
    await new Promise((next) => setImmediate(next));
  }
};

void run();
