import { readdirSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import type { RestorePoints } from "../../../src/runtime/past/restore-points.ts";
import type { OpenWorld } from "../../../src/storage/open-world.ts";
import { imageOf, turns } from "../../runtime/setup/random-world.ts";
import { change, directoryFor, openDisk, seen, stepsOf, turned } from "./disk-world.ts";
import { asFormat4, filesBelow } from "./format-before.ts";

/** Everything of all worlds that a user could see. */
export const everything = async (world: OpenWorld) => {
  const { worlds = [], damaged = [] } = (await world.others?.list()) ?? {};
  const forks: Record<string, unknown> = {};
  for (const { name } of worlds) {
    const fork = await world.others?.open(name);
    if (!fork) continue;
    forks[name] = {
      ...(await seen(fork)),
      start: imageOf((await fork.stateAtFork?.()) ?? fork.engine.state),
    };
    await fork.close();
  }
  const { points } = world;
  const earliest = points.earliest();
  return { ...(await seen(world)), earliest, forks, damaged: damaged.map(({ name }) => name) };
};

/** Makes a directory of format 4 with forks and kept states; returns what it holds. */
export const filledBefore = async ({ isRewound = false, rounds = 0 } = {}) => {
  const directory = directoryFor("convert-");
  const world = await openDisk(directory, { ...(rounds > 0 && { checkpointAfterBytes: 300 }) });
  const points = world.points as RestorePoints;
  await change(world, stepsOf(5));
  await points.save("a");
  const fork = await world.fork({ name: "fork", clientId: "fork" });
  await change(fork, stepsOf(3));
  await (fork.points as RestorePoints).save("own");
  await fork.close();
  if (isRewound) await points.switchTo(turned(world, world.engine.state.fork()));
  for (let round = 0; round < rounds; round += 1) {
    await change(world, stepsOf(60, round));
    await turns(200);
    await points.save(`c${round}`);
  }
  await change(world, stepsOf(3, 7));
  await world.close();
  const again = await openDisk(directory);
  const before = await everything(again);
  await again.close();
  asFormat4(directory);
  return { directory, before };
};

/** Files of a state directory but for locks, with their bytes. */
export const contents = (root: string) =>
  Object.fromEntries(
    filesBelow(root)
      .map((file) => [relative(root, file), readFileSync(file, "latin1")] as const)
      .filter(([name]) => !/^(lock\.|\.gitignore)/.test(name)),
  );

/** Names in a state directory beside locks. */
export const namesIn = (root: string) =>
  readdirSync(root)
    .filter((name) => !/^lock/.test(name))
    .sort();
