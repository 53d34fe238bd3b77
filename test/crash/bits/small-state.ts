import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { nextBranch } from "../../../src/runtime/branch.ts";
import type { RestorePoints } from "../../../src/runtime/past/restore-points.ts";
import { machineWall } from "../../../src/runtime/ports.ts";
import type { WorldState } from "../../../src/runtime/world-state.ts";
import { type OpenWorld, openWorld, type WorldOptions } from "../../../src/storage/open-world.ts";
import { storeFixture } from "../../../src/storage/world/kept-fixture.ts";
import { act, imageOf, type Step, turns } from "../../runtime/setup/random-world.ts";
import { abandon } from "../../storage/setup/disk-world.ts";

/** A state directory, with every state that its worlds were in. */
export interface SmallState {
  directory: string;
  /** Images of all earlier states: those that a crash may leave. */
  past: ReadonlySet<string>;
  remove(): void;
}

/** Kinds of small states: together they have every kind of file. */
export type StateKind = keyof typeof KINDS;

const CAUSE = { cause: "test", by: "test" };
const REQUEST = '{"id":"req-1-1","method":"GET","path":"/config"}';

/** Text of a state, equal for equal states. */
export const textOf = (state: WorldState) =>
  JSON.stringify(imageOf(state), (_key, value) =>
    typeof value === "bigint" ? `${value}n` : value,
  );

/** Opens a world of a small state. */
export const openSmallState = (
  directory: string,
  more: Partial<WorldOptions> = {},
): Promise<OpenWorld> =>
  openWorld({
    storage: { kind: "file", directory },
    wall: machineWall,
    fsync: false,
    identity: {
      clockMode: "manual",
      seed: "s",
      startMs: 1_000_000_000_000,
      clientSecret: "secret",
    },
    ...more,
  });

const change = async ({ engine }: OpenWorld, steps: readonly Pick<Step, "slot" | "act">[]) => {
  for (const step of steps) {
    const { seq } = engine.commit(act, { ...step, waits: 0 }, CAUSE);
    await engine.journal.reached(seq);
    await turns(3);
  }
};

const STEPS = [
  { slot: 0, act: "put" },
  { slot: 1, act: "post" },
  { slot: 2, act: "emit" },
  { slot: 3, act: "put" },
] as const;

/** Remembers each state of a world from now on. */
const watch = (world: OpenWorld, past: Set<string>) => {
  const note = () => void past.add(textOf(world.engine.state));
  note();
  world.engine.listeners.add({ changed: note });
};

/** A beginning, a request log and a fixture. */
const begin = async (directory: string, past: Set<string>, checkpointAfterBytes?: number) => {
  const world = await openSmallState(directory, {
    ...(checkpointAfterBytes !== undefined && { checkpointAfterBytes }),
  });
  watch(world, past);
  world.reset();
  await storeFixture(world.items, {
    fixture: { name: "small", steps: [] },
    hash: "0",
  });
  world.requests?.attach({ version: 1, lines: () => [REQUEST] });
  await change(world, STEPS);
  return world;
};

/** A journal with checkpoints, of two starts. */
const checkpointed = async (directory: string, past: Set<string>) => {
  const first = await begin(directory, past, 300);
  await change(first, STEPS);
  await turns(300);
  await first.close();
  const second = await openSmallState(directory);
  watch(second, past);
  await change(second, STEPS.slice(1));
  await second.close();
};

/** A second line after a rewind, with a snapshot. */
const turned = async (directory: string, past: Set<string>) => {
  const world = await begin(directory, past);
  const points = world.points as RestorePoints;
  await points.save("a");
  const state = world.engine.state.fork();
  state.branch = nextBranch(state.branch);
  state.clock = world.engine.clock.stateFromNow();
  await points.switchTo(state);
  past.add(textOf(world.engine.state));
  await change(world, STEPS.slice(0, 2));
  await world.close();
};

/** A world beside the first one. */
const forked = async (directory: string, past: Set<string>) => {
  const world = await begin(directory, past);
  const side = await world.fork({ name: "side", clientId: "side" });
  watch(side, past);
  await change(side, STEPS.slice(0, 1));
  await side.close();
  await world.close();
};

/** A journal and a fork whose second run is killed: the first one has stopped cleanly. */
const killed = async (directory: string, past: Set<string>) => {
  const first = await begin(directory, past);
  const born = await first.fork({ name: "side", clientId: "side" });
  watch(born, past);
  await change(born, STEPS.slice(0, 1));
  await born.close();
  await first.close();
  const second = await openSmallState(directory);
  watch(second, past);
  await change(second, STEPS.slice(0, 2));
  const side = (await second.others?.open("side")) as OpenWorld;
  watch(side, past);
  await change(side, STEPS.slice(0, 2));
  for (const world of [side, second]) await abandon(world, directory);
};

const KINDS = { checkpointed, turned, forked, killed };

export const STATE_KINDS = Object.keys(KINDS) as StateKind[];

const MOST_BYTES = 16 * 1024;

/** Files of a state that may hold some of it, relative to its directory. */
export const filesOf = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== ".gitignore")
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .sort();

/** Folder for states: one in memory where the system has it. */
export const scratchFolder = (): string => {
  try {
    return mkdtempSync("/dev/shm/service-sim-bits-");
  } catch {
    return mkdtempSync(join(tmpdir(), "service-sim-bits-"));
  }
};

/** Makes a small state of a kind: at most 16 KiB. */
export const smallState = async (kind: StateKind): Promise<SmallState> => {
  const root = scratchFolder();
  const directory = join(root, "state");
  const past = new Set<string>();
  await KINDS[kind](directory, past);
  const bytes = filesOf(directory).reduce(
    (sum, file) => sum + readFileSync(join(directory, file)).length,
    0,
  );
  if (bytes > MOST_BYTES) throw new Error(`Expected at most 16 KiB of ${kind} but found ${bytes}`);
  return { directory, past, remove: () => rmSync(root, { recursive: true, force: true }) };
};
