import { OWN_BRAND } from "../contract/core/brand-words.ts";
import { defined } from "../contract/core/defined.ts";
import { instant } from "../domain/core/draft.ts";
import { platformConfig } from "../domain/core/platform-config.ts";
import { applyOpening } from "../domain/platform/platform.ts";
import type { InitialSettings } from "../domain/records/initial-settings.ts";
import { hostTime } from "../machine/host-time.ts";
import { Engine } from "../runtime/engine.ts";
import { NoJournal } from "../runtime/journal.ts";
import { MemoryPoints } from "../runtime/past/memory-points.ts";
import { JournalFailure } from "../runtime/ports.ts";
import { ServedElsewhere } from "../runtime/served-elsewhere.ts";
import type { WorldState } from "../runtime/world-state.ts";
import { type FolderOptions, joinFolder } from "./file/state/folder-session.ts";
import { encodeChecked } from "./format/checked-file.ts";
import type { HeldWorld } from "./port/held-world.ts";
import { type Items, memoryItems, type ReadItems } from "./port/items.ts";
import { memoryFiles, type Session } from "./port/session.ts";
import type { SharedStore } from "./port/shared-store.ts";
import { StoreRefused } from "./port/store-trouble.ts";
import { type DurableOptions, DurableWorld } from "./world/durable-world.ts";
import { FileStore } from "./world/file-store.ts";
import { forkInMemory } from "./world/forked-world.ts";
import {
  type GivenIdentity,
  type Identity,
  KeptIdentity,
  keepIdentity,
  keptIdentity,
} from "./world/identity.ts";
import { FIRST_WORLD, openingInput, startStateOf } from "./world/start-state.ts";
import type { StorageUrl } from "./world/storage-url.ts";
import { atWork, StoredWorlds } from "./world/stored-worlds.ts";
import type { SharedStart, WorldHandle } from "./world/world-handle.ts";

export type { WorldHandle as OpenWorld };

/** A world that a store has already. */
export interface KeptWorld {
  items: ReadItems;
  /** The place where it is kept, for people. */
  place: string;
}

/** Options of a start for its first world. */
export interface WorldOptions extends FolderOptions, DurableOptions {
  storage: StorageUrl;
  /** Version of this program, as other processes see it. */
  version?: string;
  /** `host:port` at which other processes of the store reach this one. */
  peer?: string;
  /** Time after which the store frees the worlds of a process that is gone. */
  leaseMs?: number;
  /** Parts of the identity that this start names; the others are kept from the first start. */
  identity: GivenIdentity;
  /** Credentials of a new world, where none are given. */
  seeded?: GivenIdentity;
  /** The webhook endpoint and the settings that this start names. */
  opening?: InitialSettings;
  /** Throws when the existing world began differently; called before anything is changed. */
  requireFit?: (kept: KeptWorld) => Promise<void>;
}

/** Raised when a start names another seed, instant or fixture than the state began with. */
export class WorldExists extends Error {
  override readonly name = "WorldExists";
}

/** Time between two looks at a lease that may end, wall milliseconds. */
const LOOK_AGAIN_MS = 250;

const openMemory = async (options: WorldOptions): Promise<WorldHandle> => {
  const items = memoryItems();
  const identity = await keepIdentity(items, firstIdentity(options), { isNew: true });
  return memoryWorld(items, identity, options);
};

const memoryWorld = (items: Items, identity: Identity, options: JoinedOptions): WorldHandle => {
  const { wall, opening = { settings: {} } } = options;
  const clock = { mode: "real", offsetMs: 0, instantMs: wall.nowMs() } as const;
  const engine = new Engine({ wall, journal: new NoJournal(), clock });
  const files = new FileStore(memoryFiles(), engine);
  const world: WorldHandle = {
    engine,
    files,
    identity,
    items,
    kept: new KeptIdentity(items, identity),
    isNew: true,
    recovery: { records: 0, tornBytes: 0, readBytes: 0 },
    passedOver: [],
    start: 1,
    points: new MemoryPoints(engine),
    ...startStateOf(engine, { wall, identity, opening }),
    applyStart: () => {},
    giveUp: () => {},
    fork: async (birth) => forkInMemory(world, birth, wall),
    close: async () => {
      await files.close();
      engine.close();
    },
  };
  return world;
};

/** Identity of a new world: given values, seeded ones, and its first instant. */
const firstIdentity = ({ wall, seeded, identity }: JoinedOptions): GivenIdentity => ({
  ...seeded,
  openedAtMs: identity.startMs ?? wall.nowMs(),
  ...identity,
});

/**
 * Identity of an existing world, whose seed and first instant may be named again.
 * @throws WorldExists when the names differ
 */
const laterIdentity = async (
  items: Items,
  state: WorldState,
  { place, options }: { place: string; options: JoinedOptions },
): Promise<Identity> => {
  const { seed: _, startMs: __, ...others } = options.identity;
  const openedAtMs = await requireSame(items, state, { place, options });
  const parts = { ...others, ...(openedAtMs !== undefined && { openedAtMs }) };
  return keepIdentity(items, parts, { isNew: false });
};

/**
 * Refuses a start that names another seed, instant, brand or fixture than the world began with.
 * @returns its first instant, where its identity has none
 * @throws WorldExists
 */
const requireSame = async (
  items: ReadItems,
  state: WorldState,
  { place, options }: { place: string; options: JoinedOptions },
): Promise<number | undefined> => {
  const { seed, startMs } = options.identity;
  const kept = await keptIdentity(items);
  const openedAtMs = kept.startMs ?? kept.openedAtMs ?? platformConfig(state).createdAtMs;
  const refuseOther = (option: string, has: string, found: string | undefined) => {
    if (found !== undefined && found !== has)
      throw new WorldExists(
        `Expected ${option} ${has}, which the state in ${place} began with, but found ${found}`,
      );
  };
  refuseOther("--seed", state.seed, seed);
  refuseOther("--now", instant(openedAtMs), startMs === undefined ? undefined : instant(startMs));
  const brand = platformConfig(state).brand?.word ?? OWN_BRAND;
  refuseOther("--brand", brand, options.opening?.brand?.word);
  await options.requireFit?.({ items, place });
  return kept.openedAtMs === undefined ? openedAtMs : undefined;
};

/** Applies this start's options to an existing world: credentials, endpoint, settings, clock. */
const startApplier = (engine: Engine, identity: Identity, options: JoinedOptions) => () => {
  const cause = { cause: "start", by: "start" };
  // A timer that threw leaves a stopped world, which users can still inspect.
  if (engine.stopped) return;
  engine.commit(applyOpening, openingInput(identity, options.opening ?? {}), cause);
  const { clockMode: mode, clockSpeed: speed } = options.identity;
  if (mode && (mode !== engine.clock.mode || speed !== engine.clock.speed))
    engine.keepClock(engine.clock.stateFromNow({ mode, speed }), cause);
};

/**
 * Opens the first world at a storage URL: a new one, or the one that is kept there.
 * @throws StateLocked, JournalDamage, StateDamage, WorldExists; nothing was changed then
 */
export const openWorld = async (options: WorldOptions): Promise<WorldHandle> => {
  if (options.storage.kind === "memory") return openMemory(options);
  const session = await joinStore(options.storage, options);
  try {
    return await (session.shared
      ? openShared(session, session.shared, options)
      : openFirstIn(session, options));
  } catch (error) {
    session.giveUp?.(error);
    await session.leave();
    throw error;
  }
};

const joinStore = async (
  storage: Exclude<StorageUrl, { kind: "memory" }>,
  options: WorldOptions,
): Promise<Session> => {
  if (storage.kind === "file") return joinFolder(storage.directory, options);
  // Few starts need them: what a start loads is paid for by each.
  const { PostgresEngine } = await import("./postgres/postgres-engine.ts");
  const { EngineSession } = await import("./engine/engine-session.ts");
  const { version = "", peer, leaseMs } = options;
  const joining = { version, ...defined({ peer, leaseMs }) };
  return EngineSession.join(new PostgresEngine(storage.url), joining);
};

/** Takes the first world; after a process that died, once its lease has ended. */
const takeFirst = async (session: Session): Promise<HeldWorld | undefined> => {
  for (let leftMs = Number.POSITIVE_INFINITY; ; ) {
    try {
      return await session.take(FIRST_WORLD);
    } catch (error) {
      // A process that lives renews its lease meanwhile.
      if (!(error instanceof ServedElsewhere) || error.leaseLeftMs > leftMs) throw error;
      leftMs = error.leaseLeftMs;
      await new Promise((again) => hostTime.setTimeout(again, LOOK_AGAIN_MS));
    }
  }
};

/** Options of a start that has joined its store. */
type JoinedOptions = Omit<
  WorldOptions,
  keyof FolderOptions | "storage" | "version" | "peer" | "leaseMs"
>;

/** Wait of a start for the process that makes the worlds of a new store, wall milliseconds. */
const MADE_WITHIN_MS = 10_000;

/**
 * Opens the default world of a store that several processes share; what stands in for it while a
 * process serves it that calls can be sent to.
 */
const openShared = async (
  session: Session,
  shared: SharedStore,
  options: WorldOptions,
): Promise<WorldHandle> => {
  const sharedStart: SharedStart = {
    shared,
    take: async () => ({ ...(await takeAgain(session, options)), sharedStart }),
    standIn: async (identity) => ({
      ...(await standIn(session, identity, options)),
      sharedStart,
    }),
    leave: () => session.leave(),
  };
  const open = async () => {
    const held = (await session.take(FIRST_WORLD)) ?? (await session.create(FIRST_WORLD));
    return openReleasing(held, session, options);
  };
  if (options.peer === undefined) return { ...(await openFirstIn(session, options)), sharedStart };
  try {
    return { ...(await open()), sharedStart };
  } catch (error) {
    if (!(error instanceof ServedElsewhere)) throw error;
    if (error.peer === undefined) throw error;
  }
  const { state, items } = await madeWorld(shared, session.place);
  await requireSame(items, state, { place: session.place, options });
  return sharedStart.standIn(await keptIdentity(items));
};

/** The default world as another process has made it, once it has. */
const madeWorld = async (shared: SharedStore, place: string) => {
  const untilMs = hostTime.monotonicMs() + MADE_WITHIN_MS;
  for (;;) {
    const found = await shared.glance(FIRST_WORLD);
    if (found && found.state.seq > 0) return found;
    if (hostTime.monotonicMs() >= untilMs)
      throw new StoreRefused(
        `The worlds of ${place} were begun by another simulator ${MADE_WITHIN_MS / 1000} s ago, ` +
          "and are not there yet: start again once it is ready.",
      );
    await new Promise((again) => hostTime.setTimeout(again, LOOK_AGAIN_MS));
  }
};

/**
 * Takes the default world while the process runs: a takeover is not a start, and changes no setting
 * (spec/store.md#takeovers).
 */
const takeAgain = async (session: Session, options: JoinedOptions): Promise<WorldHandle> => {
  const held = await session.take(FIRST_WORLD);
  if (!held) throw new JournalFailure(`there is no world ${FIRST_WORLD} in ${session.place}`);
  const { identity: _, opening: __, requireFit: ___, ...others } = options;
  const handle = await openReleasing(held, session, { ...others, identity: {} });
  return { ...handle, applyStart: () => {} };
};

/** A world in memory with the identity of the default one: nothing of it is ever shown. */
const standIn = async (
  session: Session,
  identity: Identity,
  options: JoinedOptions,
): Promise<WorldHandle> => {
  const items = memoryItems();
  await items.putItem("identity", encodeChecked("identity", identity));
  const world = memoryWorld(items, identity, options);
  const files = new FileStore(session.files, world.engine);
  const others = new StoredWorlds({ session, options, files });
  return { ...world, session, others, standsIn: true };
};

/**
 * Opens the first world of a store that was joined: a new one, or the one that is kept there.
 * @throws JournalDamage, StateDamage, WorldExists; nothing was changed then
 */
export const openFirstIn = async (
  session: Session,
  options: JoinedOptions,
): Promise<WorldHandle> => {
  const held = (await takeFirst(session)) ?? (await session.create(FIRST_WORLD));
  return openReleasing(held, session, options);
};

const openReleasing = async (held: HeldWorld, session: Session, options: JoinedOptions) => {
  try {
    return await openHeld(held, session, options);
  } catch (error) {
    await held.release({ documents: [] }).catch(() => {});
    throw error;
  }
};

const openHeld = async (
  held: HeldWorld,
  session: Session,
  options: JoinedOptions,
): Promise<WorldHandle> => {
  const { opening = { settings: {} }, wall } = options;
  const world = new DurableWorld(held, options);
  const stored = await world.read();
  const { state, recovery, passedOver } = stored;
  const isNew = state.seq === 0;
  const identity = isNew
    ? await keepIdentity(held, firstIdentity(options), { isNew })
    : await laterIdentity(held, state, { place: session.place, options });
  const { clientId } = identity;
  const hold = () => files.hold();
  const { engine, points, kept } = await atWork(world, { identity, stored }, { options, hold });
  const files = new FileStore(session.files, engine);
  const others = new StoredWorlds({ session, options, files });
  return {
    ...{ engine, files, identity, kept, isNew, recovery, passedOver, points, others, session },
    items: held,
    start: held.fence,
    ...defined({ asideIn: session.asideIn, earlierOwner: session.notice }),
    requests: world.requests,
    ...startStateOf(engine, { wall, identity, opening }),
    applyStart: startApplier(engine, identity, options),
    fork: (birth) => others.fork({ engine, world, points, kept }, birth),
    giveUp: (failure) => session.giveUp?.(failure),
    close: async () => {
      await files.close();
      // A process that shares its store may serve other worlds yet.
      await world.close({ clientId }).finally(() => session.shared ?? session.leave());
    },
  };
};
