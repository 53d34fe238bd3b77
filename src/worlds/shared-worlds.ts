import { isName } from "../contract/control/name-form.ts";
import type { WorldRow } from "../contract/control/worlds.ts";
import { defined } from "../contract/core/defined.ts";
import type { WorldWish } from "../control/core/world.ts";
import { refuse } from "../domain/core/refusal.ts";
import type { ShownCredential } from "../http/door/served-world.ts";
import type { MaybePromise } from "../http/message/maybe-promise.ts";
import { hostTime } from "../machine/host-time.ts";
import { isDamage } from "../runtime/damage.ts";
import { ServedElsewhere, type ServingProcess } from "../runtime/served-elsewhere.ts";
import type { OpenWorld } from "../storage/open-world.ts";
import type { SharedStore, SharedWorld } from "../storage/port/shared-store.ts";
import { NameTaken } from "../storage/port/store-trouble.ts";
import type { SharedStart } from "../storage/world/world-handle.ts";
import { type ForkEntry, rowOf } from "./forked.ts";
import { Hops } from "./hops.ts";
import { PlacesElsewhere } from "./places-elsewhere.ts";
import { RunningWorld } from "./running-world.ts";
import { UnloadedWorld } from "./unloaded-world.ts";
import { WorldsOfProcess } from "./worlds.ts";

/** Time between two looks for worlds whose timers are due and that nobody serves. */
const DUE_EVERY_MS = 1000;
/** Names that are tried for a world without one. */
const MOST_NAMES = 1000;
/** Time without a call after which a world may be left to another process, wall milliseconds. */
const QUIET_MS = 2000;
/** Worlds of one look at most. */
const DUE_WORLDS = 20;
/** Part of the mean of all processes above which another one takes a free world. */
const FULL_SHARE = 1.25;

/** Parts of shared worlds beside those of a process of its own. */
export interface SharedParts {
  start: SharedStart;
  /** The store's name for people. */
  place: string;
  /** Serves a default world that was opened. */
  serve(world: OpenWorld): RunningWorld;
}

/**
 * The worlds of a store that several processes share (spec/store.md#several-processes). In memory are
 * those that this process serves; where the others are, the store is asked.
 */
export class SharedWorlds extends WorldsOfProcess {
  override readonly others: Hops;
  private readonly store: SharedStore;
  private readonly parts: SharedParts;
  private readonly places = new PlacesElsewhere();
  private takingStart: Promise<RunningWorld> | undefined;
  private looking: NodeJS.Timeout | undefined;
  /** Worlds that another process did not take although it was asked to. */
  private readonly wantedHere = new Set<string>();
  private isLooking = false;
  private isEnding = false;
  /** Worlds of this and of all processes, at the last look. */
  private loads: readonly { id: string; peer?: string; loaded: number }[] = [];

  constructor(
    starting: RunningWorld,
    options: ConstructorParameters<typeof WorldsOfProcess>[1],
    parts: SharedParts,
  ) {
    super(starting, options);
    this.parts = parts;
    this.store = parts.start.shared;
    this.others = new Hops({ shared: this.store, forget: (name) => this.forgetPlace(name) });
    this.joined(starting);
  }

  /** Begins to look for worlds that are due; no other world is known before somebody asks. */
  async findKept() {
    this.looking = hostTime.setInterval(() => void this.look(), DUE_EVERY_MS).unref();
  }

  override startingHere(): MaybePromise<RunningWorld> {
    if (!this.starting.standsIn) return this.starting;
    const known = this.places.of(this.starting.name);
    if (known) throw known;
    this.takingStart ??= this.takeStart().finally(() => {
      this.takingStart = undefined;
    });
    return this.takingStart;
  }

  override present(name: string): RunningWorld | Promise<RunningWorld | undefined> | undefined {
    this.requireWhole(name);
    if (name === this.starting.name) return this.startingHere();
    return this.named(name) ?? this.taken(name);
  }

  loading(
    shown: readonly ShownCredential<RunningWorld>[],
    names: readonly string[],
  ): Promise<void> | undefined {
    const isHere = names.every((name) => this.named(name)) && shown.some((one) => this.made(one));
    return isHere ? undefined : this.findFor(shown, names);
  }

  async list(of?: "process"): Promise<WorldRow[]> {
    if (of === "process") return this.ownRows();
    const own = this.ownRows();
    const known = new Map(own.map((row) => [row.name, row]));
    for (const row of await this.others.rows()) if (!known.has(row.name)) known.set(row.name, row);
    const wallMs = this.wall.nowMs();
    const rows: WorldRow[] = [];
    for (const { name, from, isLate, summary, owner } of await this.store.worlds()) {
      const asleep = new UnloadedWorld(name, { facts: summary });
      const there = known.get(name) ?? (owner ? undefined : asleep.row(wallMs));
      // After a kill only its records tell: it is taken, as its next caller would.
      const row = there ?? (owner ? undefined : await this.rowOfTaken(name));
      if (!row) continue;
      const isStarting = true as const;
      const isFirst = name === this.starting.name;
      rows.push({ ...row, ...(isFirst ? { isStarting } : defined({ from, isLate })) });
    }
    return rows;
  }

  /** Rows of the worlds that this process serves. */
  private ownRows(): WorldRow[] {
    return this.rows().filter((row) => !(row.isStarting && this.starting.standsIn));
  }

  /** Another process may have made the next name; the one after it is tried then. */
  override async create(wish: WorldWish): Promise<RunningWorld> {
    for (let tries = 1; ; tries += 1)
      try {
        return await super.create(wish);
      } catch (error) {
        if (!(error instanceof NameTaken) || tries === MOST_NAMES) throw error;
      }
  }

  override async remove(name: string): Promise<void> {
    await this.making.get(name)?.catch(() => {});
    if (name !== this.starting.name && !this.forks.has(name)) {
      const row = await this.store.find(name);
      if (row) {
        this.requireUnserved(row);
        this.enter(row);
      }
    }
    try {
      await super.remove(name);
    } catch (error) {
      // The store knows it: an entry of its own would outlive a removal elsewhere.
      const entry = this.forks.get(name);
      if (entry?.place instanceof UnloadedWorld && !entry.loading) this.forks.delete(name);
      throw error;
    }
    this.places.forget(name);
    await this.others.tellRemoved(name);
  }

  override removedElsewhere(name: string) {
    this.places.forget(name);
    super.removedElsewhere(name);
  }

  override async close(): Promise<void> {
    this.isEnding = true;
    this.others.isEnding = true;
    if (this.looking) hostTime.clearInterval(this.looking);
    await this.takingStart?.catch(() => {});
    await super.close();
  }

  override leave() {
    this.others.close();
  }

  protected override joined(world: RunningWorld) {
    this.places.forget(world.name);
    world.engine.listeners.add({
      stopped: ({ by }) => this.lostAt(by, world),
    });
    // It may have been lost while it was loaded.
    this.lostAt(world.engine.stopped?.by, world);
  }

  /** Forgets a world that left memory: the store alone knows it. */
  protected override async unload(name: string, forked: ForkEntry) {
    await super.unload(name, forked);
    const isAsleep = forked.place instanceof UnloadedWorld && !forked.loading;
    if (isAsleep && this.forks.get(name) === forked) this.forks.delete(name);
  }

  private made({ isMadeBy }: ShownCredential<RunningWorld>) {
    for (const world of this.all()) if (isMadeBy(world)) return true;
    return false;
  }

  /** Has a world looked up again, and taken here if it is free. */
  private forgetPlace(name: string) {
    this.places.forget(name);
    this.wantedHere.add(name);
  }

  private async findFor(
    shown: readonly ShownCredential<RunningWorld>[],
    names: readonly string[],
  ): Promise<void> {
    const makers = await this.makersOf(shown);
    // What a wrong secret names stays where it is.
    if (makers.length === 0) return;
    for (const name of names) await this.present(name);
    for (const { key, world } of makers) {
      if (await this.present(world)) return;
      this.places.forgetMaker(key);
    }
  }

  /** Worlds that made what is shown: one in memory, or those that the store names. */
  private async makersOf(shown: readonly ShownCredential<RunningWorld>[]) {
    const makers: { key: string; world: string }[] = [];
    for (const { key, isMadeBy, isTakenBy } of shown) {
      const here = [...this.all()].find((world) => isMadeBy(world) && isTakenBy(world));
      if (here) return [{ key, world: here.name }];
      // No caller has such a character, and no database takes it.
      if (key.includes("\0")) continue;
      const world = this.places.makerOf(key) ?? (await this.store.maker(key));
      if (world === undefined) continue;
      this.places.noteMaker(key, world);
      makers.push({ key, world });
    }
    return makers;
  }

  /** Takes a fork that nobody serves; nothing where there is none. @throws ServedElsewhere */
  private async taken(name: string): Promise<RunningWorld | undefined> {
    if (!isName(name)) return undefined;
    const loading = this.forks.get(name);
    if (loading) return this.load(name, loading);
    const known = this.places.of(name);
    if (known) throw known;
    const row = await this.store.find(name);
    // The store has it before this process has made it, and until it has removed it.
    const made = this.making.get(name);
    if (made) return made;
    if (!row || this.removing.has(name)) return undefined;
    this.requireUnserved(row);
    this.requireRoom(name);
    return this.takeFork(row);
  }

  private async takeFork(row: SharedWorld): Promise<RunningWorld> {
    const { name } = row;
    const entry = this.forks.get(name) ?? this.enter(row);
    try {
      return await this.load(name, entry);
    } catch (error) {
      if (this.forks.get(name) === entry && entry.place instanceof UnloadedWorld)
        this.forks.delete(name);
      if (error instanceof ServedElsewhere) this.places.note(error);
      throw error;
    }
  }

  private enter({ name, from = "", isLate, summary }: SharedWorld): ForkEntry {
    const place = new UnloadedWorld(name, { facts: summary });
    const entry: ForkEntry = { from, isLate: isLate === true, place };
    this.forks.set(name, entry);
    return entry;
  }

  /** @throws ServedElsewhere */
  private requireUnserved({ name, owner }: SharedWorld) {
    if (owner && owner.id !== this.store.process)
      throw this.places.note(new ServedElsewhere(this.parts.place, name, owner));
  }

  /**
   * Lets the process with the fewest worlds take a free one, where this one has over its share.
   * @throws ServedElsewhere
   */
  private requireRoom(name: string) {
    if (this.wantedHere.delete(name)) return;
    const { least, over } = this.share(1);
    if (least && over > 0)
      throw new ServedElsewhere(this.parts.place, name, { ...least, leaseLeftMs: 0 });
  }

  /**
   * The process with the fewest worlds, if it is another one, and how many worlds are too many here.
   * @param more worlds that are about to be taken
   */
  private share(more = 0): { least: ServingProcess | undefined; over: number } {
    const reached = this.loads.filter(({ peer }) => peer !== undefined);
    const [least] = reached.toSorted((one, other) => one.loaded - other.loaded);
    if (!least || least.id === this.store.process) return { least: undefined, over: 0 };
    const sum = reached.reduce((all, { loaded }) => all + loaded, 0);
    const own = more + [...this.all()].filter(({ standsIn }) => !standsIn).length;
    const over = own - Math.max(FULL_SHARE * (sum / reached.length), least.loaded + 1);
    return { least: { ...least, leaseLeftMs: 0 }, over: Math.ceil(over) };
  }

  /** Gives quiet worlds back that are more than the share of this process: the next caller's takes them. */
  private async giveBack() {
    const { least, over } = this.share();
    if (!least || over <= 0) return;
    const span = { forMs: QUIET_MS, nowMs: hostTime.monotonicMs() };
    const quiet = [...this.forks].filter(
      ([, { place }]) => place instanceof RunningWorld && place.isIdle(span),
    );
    await Promise.all(quiet.slice(0, over).map(([name, forked]) => this.unload(name, forked)));
  }

  private async takeStart(): Promise<RunningWorld> {
    const { name } = this.starting;
    try {
      const row = await this.store.find(name);
      if (row) this.requireUnserved(row);
      if (this.isEnding) return refuse("UNAVAILABLE", { why: "it is closed" });
      return await this.startWith(this.parts.serve(await this.parts.start.take()));
    } catch (error) {
      if (error instanceof ServedElsewhere) throw this.places.note(error);
      if (!isDamage(error)) throw error;
      const { message } = error as Error;
      return refuse("UNAVAILABLE", { why: `the world ${name} cannot be loaded: ${message}` });
    }
  }

  private async startWith(world: RunningWorld): Promise<RunningWorld> {
    try {
      await world.open(undefined);
      await world.opened();
      if (this.isEnding) refuse("UNAVAILABLE", { why: "it is closed" });
    } catch (error) {
      await world.close().catch(() => {});
      throw error;
    }
    this.begin(world);
    return world;
  }

  /** Serves another default world from now on: the one that was taken, or what stands in for it. */
  private begin(world: RunningWorld) {
    const before = this.starting;
    this.starting = world;
    before.callers.forget(before);
    this.joined(world);
    void before.close().catch(() => {});
  }

  private lostAt(by: string | undefined, world: RunningWorld) {
    if (by !== "lock") return;
    hostTime.setImmediate(() => {
      this.lost(world).catch(({ message }: Error) => world.alarm(message));
    });
  }

  /** Drops a world that another process has taken: what is in memory may be old. */
  private async lost(world: RunningWorld) {
    const { name } = world;
    if (world === this.starting) {
      const { kept } = world.world;
      const standIn = this.parts.serve(await this.parts.start.standIn(kept.now));
      await standIn.open(undefined);
      return this.begin(standIn);
    }
    world.callers.forget(world);
    if (this.forks.get(name)?.place === world) this.forks.delete(name);
    await world.close().catch(() => {});
  }

  /** Takes the worlds that nobody serves and whose next timer is due. */
  private async look() {
    if (this.isLooking || this.isEnding) return;
    this.isLooking = true;
    try {
      this.loads = (await this.store.processes()).filter(({ leaseLeftMs }) => leaseLeftMs > 0);
      await this.giveBack();
      for (const name of await this.store.due(DUE_WORLDS)) {
        this.places.forget(name);
        await this.tryToTake(name);
      }
    } catch {
      // The store is in trouble, which its sessions tell of.
    } finally {
      this.isLooking = false;
    }
  }

  /** One that cannot be loaded says so to its callers, and hinders no other. */
  private async tryToTake(name: string) {
    try {
      await this.present(name);
    } catch {
      return undefined;
    }
  }

  private async rowOfTaken(name: string): Promise<WorldRow | undefined> {
    await this.tryToTake(name);
    const world = this.named(name);
    return world && rowOf(world);
  }
}
