import { machineWall } from "../../../src/runtime/ports.ts";
import { keyFiles } from "../../../src/storage/file/state/key-files.ts";
import { manifests } from "../../../src/storage/file/timeline/checkpoint-manifest.ts";
import { openWorld } from "../../../src/storage/open-world.ts";
import { act, type Step, turns } from "../../runtime/setup/random-world.ts";
import { inFirstLine } from "./places.ts";

/** Opens a world with early checkpoints. */
export const openSmall = (directory: string, checkpointAfterBytes = 2_000) =>
  openWorld({
    storage: { kind: "file", directory },
    wall: machineWall,
    fsync: false,
    identity: { clockMode: "manual" },
    checkpointAfterBytes,
  });

/** Changes a world until it has two checkpoints and a few records after them. */
export const fillState = async (directory: string) => {
  const world = await openSmall(directory);
  if (world.isNew) world.reset();
  const storage = keyFiles(inFirstLine(directory));
  for (let at = 0; at < 5000 && (await manifests(storage)).length < 2; at += 1) {
    const step: Step = { slot: at % 13, act: at % 2 === 0 ? "put" : "post", waits: 0 };
    const { seq } = world.engine.commit(act, step, { cause: "test", by: "test" });
    await world.engine.journal.reached(seq);
    await turns(1);
  }
  await world.close();
  return world.engine.state;
};
