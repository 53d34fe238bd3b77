import { type Change, encodeChange } from "../../runtime/change.ts";
import type { Engine } from "../../runtime/engine.ts";
import { NoJournal } from "../../runtime/journal.ts";
import type { WorldState } from "../../runtime/world-state.ts";
import { encodeChecked } from "../format/checked-file.ts";
import { type HeldWorld, type StoredWorld, Unsettled } from "../port/held-world.ts";
import type { Session } from "../port/session.ts";
import {
  asFailure,
  type DurableOptions,
  type DurablePoint,
  DurableWorld,
} from "./durable-world.ts";
import type { FileStore } from "./file-store.ts";
import { forkedEngine, identityOf } from "./forked-world.ts";
import { type Identity, KeptIdentity, keptIdentity } from "./identity.ts";
import { StoredPoints } from "./stored-points.ts";
import type { ForkOptions, OtherWorlds, WorldHandle } from "./world-handle.ts";

/** Parts that all worlds of a session share. */
export interface SharedParts {
  session: Session;
  options: DurableOptions;
  /** Documents of all worlds. */
  files: FileStore;
}

/** A stored world that is at work. */
export interface WorldAtWork {
  engine: Engine;
  world: DurableWorld;
  points: StoredPoints;
  kept: KeptIdentity;
}

/** Keeps the line of the change that makes a fork one. */
class Captured extends NoJournal {
  text = "";
  override buffer(change: Change) {
    super.buffer(change);
    this.text += encodeChange(change);
  }
}

/** Worlds of a store that were forked (decisions/timelines.md). */
export class StoredWorlds implements OtherWorlds {
  private readonly parts: SharedParts;
  /** Names of worlds that are none: whoever wanted one was told that there is none. */
  private readonly unfinished = new Set<string>();

  constructor(parts: SharedParts) {
    this.parts = parts;
  }

  async list() {
    const { worlds, damaged } = await this.parts.session.list();
    const forks = worlds.flatMap(({ from, ...world }) =>
      from === undefined ? [] : { ...world, from },
    );
    return { worlds: forks, damaged };
  }

  stopped(name: string) {
    return this.parts.session.stopped(name);
  }

  async remove(name: string) {
    await this.parts.session.remove(name).catch((error) => {
      throw asFailure(error);
    });
  }

  async open(name: string): Promise<WorldHandle | undefined> {
    // Until its engine is at work, nobody else says which documents it needs.
    const release = await this.parts.files.hold();
    try {
      return await this.openNow(name);
    } finally {
      release();
    }
  }

  private async openNow(name: string): Promise<WorldHandle | undefined> {
    const held = await this.parts.session.take(name);
    if (!held) return undefined;
    try {
      const identity = await keptIdentity(held);
      const world = new DurableWorld(held, this.parts.options);
      return await this.opened(world, identity, await world.read());
    } catch (error) {
      await held.release({ documents: [] }).catch(() => {});
      throw error;
    }
  }

  /** Makes a world that begins as an open one is now, or with a state that the birth names. */
  async fork(origin: WorldAtWork, birth: ForkOptions): Promise<WorldHandle> {
    const { session, files, options } = this.parts;
    const { name } = birth;
    const identity = identityOf(origin.kept.now, birth);
    const release = await files.hold();
    let isMade = false;
    try {
      if (this.unfinished.has(name)) await session.remove(name);
      this.unfinished.delete(name);
      // Otherwise the fork would fire what was due before it was made.
      origin.engine.catchUp();
      const { held, state } = await origin.world.atPoint((point) =>
        this.make({ origin, birth, identity }, point),
      );
      isMade = true;
      const world = new DurableWorld(held, options);
      const recovery = { records: state.seq, tornBytes: 0, readBytes: 0 };
      return await this.opened(world, identity, { state, recovery, passedOver: [] });
    } catch (error) {
      if (isMade || error instanceof Unsettled) await this.unmake(name, origin.engine);
      throw asFailure(error);
    } finally {
      release();
    }
  }

  /** Deletes a new world that could not be opened: its caller is told that there is none. */
  private async unmake(name: string, engine: Engine) {
    this.unfinished.add(name);
    try {
      await this.parts.session.remove(name);
      this.unfinished.delete(name);
    } catch (error) {
      engine.alarm(
        `the world ${name} was refused and could not be deleted: ${asFailure(error).message}; ` +
          "it is there after a restart, unless the name is used again before",
      );
    }
  }

  private async make(
    { origin, birth, identity }: { origin: WorldAtWork; birth: ForkOptions; identity: Identity },
    point: DurablePoint,
  ): Promise<{ held: HeldWorld; state: WorldState }> {
    const { name, isLate } = birth;
    const from = birth.state ?? point.state;
    if (!birth.state) from.clock = point.clock;
    const journal = new Captured();
    const { wall } = this.parts.options;
    const engine = forkedEngine(origin.engine, { ...birth, state: from.fork() }, { wall, journal });
    engine.close();
    const { state } = engine;
    const { held } = origin.world;
    const fork = await held.fork({
      facts: { name, from: held.facts.name, ...(isLate && { isLate }) },
      identity: encodeChecked("identity", identity),
      image: {
        state: from,
        clock: from.clock,
        isOnTimeline: !birth.state,
        reach: { seq: state.seq, atMs: state.atMs },
      },
      first: { line: journal.text, state },
    });
    return { held: fork, state };
  }

  private async opened(
    world: DurableWorld,
    identity: Identity,
    stored: StoredWorld,
  ): Promise<WorldHandle> {
    const { held } = world;
    const { session, options, files: shared } = this.parts;
    const { engine, points, kept } = await atWork(
      world,
      { identity, stored },
      {
        options,
        hold: () => shared.hold(),
      },
    );
    const files = shared.forFork(engine);
    const ended = async (isLast: boolean) => {
      try {
        await world.close({ clientId: identity.clientId, isLast });
      } finally {
        await files.close();
      }
    };
    return {
      ...{ engine, files, identity, kept, points, session },
      items: held,
      isNew: false,
      recovery: stored.recovery,
      passedOver: stored.passedOver,
      start: held.fence,
      requests: world.requests,
      reset: () => engine.state.seq,
      resetState: () => undefined,
      stateAtFork: () => held.loadStart(),
      startCopy: () => () => {},
      applyStart: () => {},
      giveUp: () => {},
      fork: (birth) => this.fork({ engine, world, points, kept }, birth),
      close: () => ended(false),
      remove: () => ended(true),
    };
  }
}

/** Puts a world to work that a store holds. */
export const atWork = async (
  world: DurableWorld,
  { identity, stored }: { identity: Identity; stored: StoredWorld },
  { options, hold }: { options: DurableOptions; hold: () => Promise<() => void> },
): Promise<WorldAtWork> => {
  await world.requests.load();
  const restorePoints = await world.held.points();
  const now = { mode: "real", offsetMs: 0, instantMs: options.wall.nowMs() } as const;
  const engine = await world.open(stored, stored.state.clock ?? now);
  const points = new StoredPoints(world, restorePoints, hold);
  return { engine, world, points, kept: new KeptIdentity(world.held, identity) };
};
