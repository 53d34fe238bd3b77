import { hash } from "node:crypto";
import { applyOpening } from "../../domain/platform/platform.ts";
import { endAsForked } from "../../domain/webhooks/forked-deliveries.ts";
import { branchOfFork, nextBranch } from "../branch.ts";
import { Engine } from "../engine.ts";
import type { Wall } from "../ports.ts";
import { type Identity, KeptIdentity } from "./identity.ts";
import { NoJournal } from "./journal-file.ts";
import type { Birth, OpenWorld } from "./opened-world.ts";
import { openKeyValue } from "./storage.ts";

const identityOf = (origin: Identity, { clientId, credentials, seed }: Birth): Identity => ({
  ...origin,
  clientId,
  ...credentials,
  ...(seed !== undefined && { seed }),
});

/**
 * Loads a fork of a world into an engine of its own. It equals its origin but for name, branch,
 * credentials and the deliveries that were open (spec/worlds.md#fork).
 */
const forkedEngine = (origin: Engine, birth: Birth, wall: Wall): Engine => {
  // Otherwise the fork would fire what was due before it was made.
  origin.catchUp();
  const journal = new NoJournal();
  const state = birth.state ?? origin.state.fork();
  if (!birth.state) state.clock = origin.clock.stateFromNow();
  const clock = state.clock ?? origin.clock.stateFromNow();
  const engine = new Engine({ wall, journal, clock });
  engine.load(state, journal);
  if (!birth.state) engine.clock.notBefore(origin.clock.now());
  const { name, seed, clientId, credentials } = birth;
  const secretHash = credentials && hash("sha256", credentials.clientSecret, "hex");
  engine.becomeFork(
    { world: name, branch: branchOfFork(name), ...(seed !== undefined && { seed }) },
    (draft, _input, moment) => {
      endAsForked(draft, moment);
      if (secretHash !== undefined) applyOpening(draft, { clientId, secretHash }, moment);
    },
  );
  return engine;
};

/** A world in memory that begins as another one is now. */
export const forkInMemory = (origin: OpenWorld, birth: Birth, wall: Wall): OpenWorld => {
  const engine = forkedEngine(origin.engine, birth, wall);
  const start = engine.state.fork();
  const identity = identityOf(origin.kept.now, birth);
  const files = origin.files.forFork(engine);
  const world: OpenWorld = {
    engine,
    files,
    identity,
    kept: new KeptIdentity(openKeyValue({ kind: "memory" }), identity),
    isNew: false,
    recovery: { records: 0, tornBytes: 0, readBytes: 0 },
    passedOver: [],
    start: 1,
    reset: () => {
      const back = start.fork();
      back.branch = nextBranch(engine.state.branch);
      engine.stopped = undefined;
      engine.load(back, engine.journal);
      return back.seq;
    },
    beginOn: () => () => {},
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
