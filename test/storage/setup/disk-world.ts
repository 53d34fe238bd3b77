import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { nextBranch } from "../../../src/runtime/branch.ts";
import { machineWall } from "../../../src/runtime/ports.ts";
import type { WorldState } from "../../../src/runtime/world-state.ts";
import type { JournalFiles } from "../../../src/storage/file/journal/journal-file.ts";
import {
  type FolderCalls,
  machineFolders,
} from "../../../src/storage/file/timeline/folder-calls.ts";
import { type OpenWorld, openWorld } from "../../../src/storage/open-world.ts";
import { act, imageOf, type Step, turns } from "../../runtime/setup/random-world.ts";

const START_MS = 1_000_000_000_000;

export const CAUSE = { cause: "test", by: "test" };

export const directoryFor = (prefix: string) => {
  const directory = mkdtempSync(join(tmpdir(), prefix));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
};

/** Opens a world whose history is the same on every run. */
export const openDisk = async (
  directory: string,
  options: {
    folders?: FolderCalls;
    files?: JournalFiles;
    checkpointAfterBytes?: number;
    fsync?: boolean;
  } = {},
): Promise<OpenWorld> => {
  const world = await openWorld({
    storage: { kind: "file", directory },
    wall: machineWall,
    fsync: false,
    identity: { clockMode: "manual", seed: "s", startMs: START_MS, clientSecret: "secret" },
    ...options,
  });
  if (world.isNew) world.reset();
  await world.engine.journal.reached(world.engine.state.seq);
  return world;
};

/** Makes changes, one after the other. */
export const change = async ({ engine }: OpenWorld, steps: readonly Step[]) => {
  for (const step of steps) {
    const { seq } = engine.commit(act, step, CAUSE);
    await engine.journal.reached(seq);
    await turns(step.waits);
  }
};

/** Changes of some kinds, as many as asked. */
export const stepsOf = (count: number, from = 0): Step[] =>
  Array.from({ length: count }, (_, at) => ({
    slot: (at + from) % 13,
    act: (["put", "post", "emit"] as const)[(at + from) % 3] ?? "put",
    waits: 0,
  }));

/** Ends a world as a kill would: nothing more is written, and its lock is nobody's. */
export const abandon = async ({ engine, points }: OpenWorld, directory: string) => {
  engine.close();
  // A checkpoint that is being written ends first: here the process continues.
  await points?.remove("none").catch(() => {});
  // Otherwise it would write the next one when it is quiet, in a directory that has another owner.
  engine.readOnlyBecause = "it was killed";
  for (const name of readdirSync(directory).filter((one) => one.startsWith("lock.")))
    rmSync(join(directory, name));
};

/** The state that a world continues from when it returns to one: in a new branch. */
export const turned = ({ engine }: OpenWorld, state: WorldState): WorldState => {
  state.branch = nextBranch(engine.state.branch);
  state.clock = engine.clock.stateFromNow();
  return state;
};

/** Everything that a user could see of a world and its kept states. */
export const seen = async ({ engine, points }: OpenWorld) => {
  const kept: Record<string, unknown> = {};
  for (const { name } of points?.list() ?? []) {
    const state = await points?.load(name);
    kept[name] = state && imageOf(state);
  }
  return { state: imageOf(engine.state), kept };
};

/** Raised by every call after the cut. */
export class Cut extends Error {}

/** The machine's calls, of which only the first ones happen, as if the process was killed then. */
export const cutAfter = (calls: number): FolderCalls & { made: number } => {
  const cut = {
    ...machineFolders,
    made: 0,
  };
  const count = () => {
    cut.made += 1;
    if (cut.made > calls) throw new Cut("killed");
  };
  const names = ["makeFolder", "link", "copy", "write", "rename", "remove", "syncName"] as const;
  for (const name of names)
    Object.assign(cut, {
      [name]: (...args: [string, never]) => {
        count();
        return (machineFolders[name] as (...all: typeof args) => unknown)(...args);
      },
    });
  cut.storage = (directory) =>
    new Proxy(machineFolders.storage(directory), {
      get: (target, name) => {
        const member = Reflect.get(target, name);
        if (name !== "setItemRaw") return member;
        return async (...args: never[]) => {
          count();
          return (member as (...all: never[]) => unknown).apply(target, args);
        };
      },
    });
  return cut;
};
