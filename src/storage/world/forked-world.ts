import { hash } from "node:crypto";
import {
  applyOpening,
  keepWorldsOwn,
  takeOpening,
  worldsOwn,
} from "../../domain/platform/platform.ts";
import { endAsForked } from "../../domain/webhooks/forked-deliveries.ts";
import { branchOfFork } from "../../runtime/branch.ts";
import { goingOn } from "../../runtime/clock.ts";
import { Engine } from "../../runtime/engine.ts";
import { type Journal, NoJournal } from "../../runtime/journal.ts";
import { MemoryPoints } from "../../runtime/past/memory-points.ts";
import type { Wall } from "../../runtime/ports.ts";
import type { WorldState } from "../../runtime/world-state.ts";
import { memoryItems } from "../port/items.ts";
import { type Identity, KeptIdentity } from "./identity.ts";
import type { ForkOptions, WorldHandle } from "./world-handle.ts";

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Credentials and keys of a fork: those of its origin, unless it was given others. */
export const identityOf = (
  origin: Identity,
  { clientId, credentials, seed }: ForkOptions,
): Identity => ({
  ...origin,
  clientId,
  ...credentials,
  ...(seed !== undefined && { seed }),
});

/**
 * Loads a fork of a world into an engine of its own. It equals its origin but for name, branch,
 * credentials and the deliveries that were open (spec/worlds.md#fork).
 */
export const forkedEngine = (
  origin: Engine,
  birth: ForkOptions,
  { wall, journal = new NoJournal() }: { wall: Wall; journal?: Journal },
): Engine => {
  // Otherwise the fork would fire what was due before it was made.
  origin.catchUp();
  const state = birth.state ?? origin.state.fork();
  const clock = birth.state?.clock ?? origin.clock.stateFromNow();
  state.clock = goingOn(clock, wall.nowMs());
  const engine = new Engine({ wall, journal, clock: state.clock });
  engine.load(state, journal);
  if (!birth.state) engine.clock.notBefore(origin.clock.now());
  const { name, seed, clientId, credentials, opening } = birth;
  const own = worldsOwn(origin.state);
  const secretHash = credentials && hash("sha256", credentials.clientSecret, "hex");
  engine.becomeFork(
    { world: name, branch: branchOfFork(name), ...(seed !== undefined && { seed }) },
    (draft, _input, moment) => {
      endAsForked(draft, moment);
      // An imported state has no secret, and the brand of another world.
      if (!isSame(worldsOwn(draft), own)) keepWorldsOwn(draft, own, moment);
      if (secretHash !== undefined) applyOpening(draft, { clientId, secretHash }, moment);
      if (opening) takeOpening(draft, opening, moment);
    },
  );
  return engine;
};

/** A world in memory that begins as another one is now. */
export const forkInMemory = (origin: WorldHandle, birth: ForkOptions, wall: Wall): WorldHandle => {
  const engine = forkedEngine(origin.engine, birth, { wall });
  return besideInMemory(origin, { engine, identity: identityOf(origin.kept.now, birth), wall });
};

/** Parts of a world in memory that is there already. */
export interface MemoryParts {
  engine: Engine;
  identity: Identity;
  wall: Wall;
  /** Number of starts of this state, this one included. */
  start?: number;
  /** The state that a reset goes back to: the present one by default. */
  forkedAt?: WorldState;
}

/** A world in memory, with an engine of its own, beside another one. */
export const besideInMemory = (
  origin: WorldHandle,
  { engine, identity, wall, start = 1, forkedAt = engine.state.fork() }: MemoryParts,
): WorldHandle => {
  const files = origin.files.forFork(engine);
  const items = memoryItems();
  const world: WorldHandle = {
    engine,
    files,
    identity,
    items,
    kept: new KeptIdentity(items, identity),
    isNew: false,
    recovery: { records: 0, tornBytes: 0, readBytes: 0 },
    passedOver: [],
    start,
    points: new MemoryPoints(engine),
    reset: () => engine.state.seq,
    resetState: () => undefined,
    stateAtFork: async () => forkedAt.fork(),
    startCopy: () => () => {},
    applyStart: () => {},
    giveUp: () => {},
    fork: async (next) => forkInMemory(world, next, wall),
    close: async () => {
      await files.close();
      engine.close();
    },
  };
  return world;
};
