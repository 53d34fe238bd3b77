import { isName, NAME_WORDS } from "../contract/control/name-form.ts";
import type { DamagedWorld, WorldRow } from "../contract/control/worlds.ts";
import { defined } from "../contract/core/defined.ts";
import { requireWorld } from "../control/core/controlled-world.ts";
import type { Worlds, WorldWish } from "../control/core/world.ts";
import { Refusal, refuse } from "../domain/core/refusal.ts";
import { startTokenOf } from "../domain/platform/platform.ts";
import type { OtherProcesses, ShownCredential } from "../http/door/served-world.ts";
import type { MaybePromise } from "../http/message/maybe-promise.ts";
import { isDamage } from "../runtime/damage.ts";
import { JournalFailure, type Wall } from "../runtime/ports.ts";
import { NameTaken } from "../storage/port/store-trouble.ts";
import { DamagedWorlds } from "./damaged-worlds.ts";
import { Drain } from "./drain.ts";
import { type ForkEntry, ownKeysOf, rowOf, rowOfFork } from "./forked.ts";
import { IdleSweeps } from "./idle-sweeps.ts";
import { RemovedWorlds } from "./removed-worlds.ts";
import { RunningWorld } from "./running-world.ts";
import { takeOut } from "./take-out.ts";
import { UnloadedWorld } from "./unloaded-world.ts";
import type { WorldBounds } from "./world-bounds.ts";

/** Worlds that are closed at the same time. */
const CLOSED_AT_ONCE = 32;

/**
 * The worlds of a process: the default one (spec/worlds.md#the-default-world), and those forked
 * from it.
 */
export abstract class WorldsOfProcess implements Worlds {
  starting: RunningWorld;
  readonly others: OtherProcesses | undefined;
  readonly drain = new Drain();
  protected readonly bounds: WorldBounds;
  protected readonly wall: Wall;
  /** In the order in which they were made: an inherited token means the world that made it. */
  protected readonly forks = new Map<string, ForkEntry>();
  /** Worlds that are being made: two first calls make one world. */
  protected readonly making = new Map<string, Promise<RunningWorld>>();
  /** Worlds that are being removed: their names are free, and their folders are not yet. */
  protected readonly removing = new Map<string, Promise<void>>();
  protected readonly removed = new RemovedWorlds();
  private readonly forkCounts = new Map<string, number>();
  /** Last change of the default world when a call first opened another one. */
  private firstOpenedSeq: number | undefined;
  private isClosed = false;
  protected readonly damaged: DamagedWorlds;
  private readonly sweeps: IdleSweeps;

  constructor(starting: RunningWorld, { bounds, wall }: { bounds: WorldBounds; wall: Wall }) {
    this.wall = wall;
    this.starting = starting;
    this.bounds = bounds;
    const alarm = (message: string) => starting.engine.alarm(message);
    this.damaged = new DamagedWorlds(alarm);
    this.sweeps = new IdleSweeps({
      ttlMs: bounds.ttlMs,
      sweep: (nowMs) => this.sweep(nowMs),
      isNeeded: () => [...this.all()].length > 1,
      alarm,
    });
  }

  get shared() {
    return this.starting.world.session?.shared;
  }

  /** Learns which worlds earlier runs kept. */
  abstract findKept(): Promise<void>;

  abstract loading(
    shown: readonly ShownCredential<RunningWorld>[],
    names: readonly string[],
  ): Promise<void> | undefined;

  abstract list(of?: "process"): Promise<WorldRow[]>;

  startingHere(): MaybePromise<RunningWorld> {
    return this.starting;
  }

  named(name: string): RunningWorld | undefined {
    if (name === this.starting.name) return this.starting;
    const place = this.forks.get(name)?.place;
    return place instanceof RunningWorld ? place : undefined;
  }

  *all(): Iterable<RunningWorld> {
    yield this.starting;
    for (const { place } of this.forks.values()) if (place instanceof RunningWorld) yield place;
  }

  *names(): Iterable<string> {
    yield this.starting.name;
    yield* this.forks.keys();
  }

  present(name: string): RunningWorld | Promise<RunningWorld | undefined> | undefined {
    this.requireWhole(name);
    const loaded = this.named(name);
    const forked = this.forks.get(name);
    return loaded ?? (forked && this.load(name, forked));
  }

  requireWhole(name: string) {
    this.damaged.requireWhole(name);
  }

  requireNoneRemoved(key: string) {
    this.removed.requireNoneWith(key);
  }

  /** Rows of the worlds that are known here, the default one first. */
  protected rows(): WorldRow[] {
    const wallMs = this.wall.nowMs();
    const rows = [...this.forks.values()].flatMap((forked) => rowOfFork(forked, wallMs));
    return [{ ...rowOf(this.starting), isStarting: true as const }, ...rows];
  }

  damages(): DamagedWorld[] {
    return this.damaged.list();
  }

  /** Opens a world for a first call with its name, unless worlds are fixed. */
  async opened(name: string): Promise<RunningWorld> {
    const found = this.making.get(name) ?? this.present(name);
    const there = found instanceof Promise ? await found : found;
    if (there) return there;
    this.removed.requireNone(name);
    if (this.bounds.mode === "fixed") refuse("WORLD_UNKNOWN", { world: name });
    const starting = this.startingHere();
    if (starting instanceof Promise) await starting;
    const made = this.making.get(name) ?? this.named(name);
    if (made) return made;
    const { seq } = this.starting.engine.state;
    this.firstOpenedSeq ??= seq;
    return this.make({ name }, { isLate: seq !== this.firstOpenedSeq });
  }

  /** Takes a world that was read from elsewhere. */
  adopt(world: RunningWorld, { from, isLate }: Pick<ForkEntry, "from" | "isLate">) {
    this.forks.set(world.name, { place: world, from, isLate });
  }

  /** Takes a world that is served from now on. */
  protected joined(_world: RunningWorld) {}

  /**
   * The worlds in memory with where they come from, how many unnamed ones each has made, and the
   * names of those that were removed.
   */
  image() {
    const forks = [...this.forks].flatMap(([, { place, from, isLate }]) =>
      place instanceof RunningWorld ? [{ world: place, from, isLate }] : [],
    );
    return { forks, forkCounts: [...this.forkCounts], removed: this.removed.names() };
  }

  countOn(forkCounts: Iterable<[string, number]>, removed: Iterable<string>) {
    for (const [name, count] of forkCounts) this.forkCounts.set(name, count);
    for (const name of removed) this.removed.note(name);
  }

  async create(wish: WorldWish): Promise<RunningWorld> {
    return this.make(wish, { isLate: false });
  }

  /** Removes a world, in memory or not, damaged or not. One that storage keeps stays. */
  async remove(name: string): Promise<void> {
    if (name === this.starting.name) refuse("WORLD_STAYS", { world: name });
    const { loading } = this.forks.get(name) ?? {};
    if (loading) await loading.catch(() => {});
    const place = this.forks.get(name)?.place;
    const putBack = this.forget(name);
    if (!putBack) {
      if (!this.removed.noteOfUnloaded(name)) await requireWorld(name, this);
      return;
    }
    this.removed.note(name, place && ownKeysOf(place));
    if (place instanceof RunningWorld) this.starting.callers.forget(place);
    const removed =
      place instanceof RunningWorld
        ? place.remove()
        : Promise.resolve(place?.ended).then(() => this.starting.others?.remove(name));
    const done = removed.catch((error) => {
      this.removed.forget(name);
      putBack();
      throw error;
    });
    await this.settled(this.removing, name, done);
    this.forkCounts.delete(name);
  }

  removedElsewhere(name: string) {
    if (!this.isTaken(name)) this.removed.note(name);
  }

  /**
   * Forgets a world.
   * @returns a function that puts it back if storage keeps it; nothing if there is none
   */
  private forget(name: string): (() => void) | undefined {
    const forked = this.forks.get(name);
    if (!forked) return this.damaged.forget(name);
    const putBack = takeOut(this.forks, name);
    return () => {
      const { place } = forked;
      if (place instanceof UnloadedWorld) putBack(forked);
      else if (place.isKept) putBack({ ...forked, place: new UnloadedWorld(name, place.atRest()) });
    };
  }

  /** Unloads the worlds that nobody has called for the idle span (spec/worlds.md#unloading). */
  async sweep(nowMs: number): Promise<void> {
    const forMs = this.bounds.ttlMs;
    const idle = [...this.forks].filter(
      ([, { place }]) => place instanceof RunningWorld && place.isIdle({ forMs, nowMs }),
    );
    await Promise.all(idle.map(([name, forked]) => this.unload(name, forked)));
  }

  /** Closes the worlds beside the default one. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.sweeps.stop();
    const under = [...this.forks.values()].flatMap(({ loading }) => loading ?? []);
    await Promise.allSettled([...this.making.values(), ...this.removing.values(), ...under]);
    const places = [...this.forks.values()].map(({ place }) => place);
    const failures: unknown[] = [];
    // Each writes its last changes and is given back: all at once would wait for each other.
    for (let at = 0; at < places.length; at += CLOSED_AT_ONCE) {
      const ends = places
        .slice(at, at + CLOSED_AT_ONCE)
        .map((place) => (place instanceof RunningWorld ? place.close() : place.ended));
      for (const end of await Promise.allSettled(ends))
        if (end.status === "rejected") failures.push(end.reason);
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Ends the way to other processes, once nothing is under way any more. */
  leave() {}

  /** Stops a world and keeps what stands in for it; in memory nothing does. */
  protected async unload(name: string, forked: ForkEntry) {
    const world = forked.place;
    if (!(world instanceof RunningWorld)) return;
    this.starting.callers.forget(world);
    if (!world.isKept) {
      this.forks.delete(name);
      this.forkCounts.delete(name);
      this.removed.noteUnloaded(name, ownKeysOf(world));
      return world.close().catch(({ message }: Error) => {
        this.starting.engine.alarm(`the world ${name} was not closed: ${message}`);
      });
    }
    const rest = world.atRest();
    // A world that lost its storage says so itself at the next load.
    const ended = world.close().catch(() => {});
    const place = new UnloadedWorld(name, { ...rest, ended });
    forked.place = place;
    await ended;
    try {
      place.learn(await this.starting.others?.stopped(name));
    } catch {
      place.learn(undefined);
    }
  }

  protected load(name: string, forked: ForkEntry): Promise<RunningWorld> {
    const { place } = forked;
    if (place instanceof RunningWorld) return Promise.resolve(place);
    forked.loading ??= this.loaded(name, place)
      .then((world) => {
        forked.place = world;
        this.joined(world);
        this.sweeps.later();
        return world;
      })
      .finally(() => {
        delete forked.loading;
      });
    return forked.loading;
  }

  private async loaded(name: string, { ended, counts }: UnloadedWorld) {
    await ended;
    if (this.isClosed) refuse("UNAVAILABLE", { why: "it is closed" });
    try {
      return await this.starting.load(name, counts);
    } catch (error) {
      const { message } = error as Error;
      if (error instanceof Refusal || error instanceof JournalFailure) throw error;
      if (!isDamage(error))
        return refuse("UNAVAILABLE", { why: `the world ${name} cannot be loaded: ${message}` });
      this.forks.delete(name);
      this.damaged.note(name, error);
      this.requireWhole(name);
      throw error;
    }
  }

  private settled<Done>(under: Map<string, Promise<Done>>, name: string, work: Promise<Done>) {
    const done = work.finally(() => under.delete(name));
    under.set(name, done);
    return done;
  }

  private make(wish: WorldWish, { isLate }: { isLate: boolean }): Promise<RunningWorld> {
    const origin = (wish.origin as RunningWorld | undefined) ?? this.starting;
    const name = wish.name ?? this.nextName(origin.name);
    const token = startTokenOf(origin.engine.state) ?? (wish.state && startTokenOf(wish.state));
    const clientId = wish.clientId ?? `${token?.clientId ?? this.starting.clientId}+${name}`;
    this.requireFree(name, clientId);
    const own = wish.clientId !== undefined || wish.clientSecret !== undefined;
    const { seed, state, opening, clientSecret = origin.clientSecret } = wish;
    const birth = {
      name,
      clientId,
      ...(own && { credentials: { clientSecret } }),
      ...defined({ seed, state, opening }),
      ...(isLate && { isLate: true as const }),
    };
    const from = origin.name;
    const fork = async () => {
      await this.removing.get(name);
      origin.enter();
      try {
        return await origin.fork(birth);
      } catch (error) {
        // Another process made one of that name meanwhile.
        if (error instanceof NameTaken && wish.name !== undefined)
          return refuse("WORLD_EXISTS", { what: `The name ${name}`, world: name });
        throw error;
      } finally {
        origin.leave();
      }
    };
    const made = fork().then((world) => {
      this.forks.set(name, { place: world, from, isLate });
      this.joined(world);
      this.removed.forget(name);
      this.sweeps.later();
      return world;
    });
    return this.settled(this.making, name, made);
  }

  private requireFree(name: string, clientId: string) {
    if (this.isClosed) refuse("UNAVAILABLE", { why: "it is closed" });
    if (!isName(name))
      refuse("INVALID_INPUT", { field: "name", value: name }, `Expected ${NAME_WORDS} in name`);
    this.requireWhole(name);
    if (this.isTaken(name)) refuse("WORLD_EXISTS", { what: `The name ${name}`, world: name });
    const holder = this.holderOf(clientId);
    if (holder !== undefined)
      refuse("WORLD_EXISTS", { what: `The client id ${clientId}`, world: holder });
    const count = 1 + this.forks.size + this.making.size;
    if (count >= this.bounds.max) refuse("WORLDS_FULL", { count });
  }

  /** The next free name of its kind; each origin counts its own. */
  private nextName(origin: string) {
    let count = this.forkCounts.get(origin) ?? 0;
    let name: string;
    do {
      count += 1;
      name = `fork-${count}`;
    } while (this.isTaken(name));
    this.forkCounts.set(origin, count);
    return name;
  }

  private isTaken(name: string) {
    const isThere = name === this.starting.name || this.forks.has(name) || this.damaged.has(name);
    return isThere || this.making.has(name);
  }

  /** Name of the world that has a client id. */
  private holderOf(clientId: string): string | undefined {
    if (this.starting.clientId === clientId) return this.starting.name;
    for (const [name, { place }] of this.forks) {
      const has =
        place instanceof RunningWorld ? place.clientId === clientId : place.hasClientId(clientId);
      if (has) return name;
    }
    return undefined;
  }
}
