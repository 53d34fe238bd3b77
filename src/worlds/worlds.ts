import { isName, NAME_WORDS } from "../contract/control/names.ts";
import type { WorldRow } from "../contract/control/worlds.ts";
import { defined } from "../contract/core/defined.ts";
import { requireWorld } from "../control/core/controlled-world.ts";
import type { Worlds, WorldWish } from "../control/core/world.ts";
import { instant } from "../domain/core/draft.ts";
import { refuse } from "../domain/core/refusal.ts";
import { startTokenOf } from "../domain/platform/platform.ts";
import { hostTime } from "../runtime/host-time.ts";
import type { WorldBounds } from "../simulator-options.ts";
import type { RunningWorld } from "./running-world.ts";

/** Share of the idle span after which idle worlds are looked for. */
const SWEEPS_PER_TTL = 4;
/** Shortest span between two looks, in wall milliseconds. */
const SHORTEST_SWEEP_MS = 1_000;

/** A world beside the starting one, and how it came about. */
interface Forked {
  world: RunningWorld;
  from: string;
  isLate: boolean;
}

/**
 * The worlds of a process: the starting one (spec/worlds.md#the-starting-world), and those forked
 * from it.
 */
export class WorldsOfProcess implements Worlds {
  readonly starting: RunningWorld;
  private readonly bounds: WorldBounds;
  private readonly forks = new Map<string, Forked>();
  /** Worlds that are being made: two first calls make one world. */
  private readonly making = new Map<string, Promise<RunningWorld>>();
  /** Worlds that are being closed; one of the same name begins after that. */
  private readonly leaving = new Map<string, Promise<void>>();
  private readonly forkCounts = new Map<string, number>();
  /** Last change of the starting world when the first world was opened by a call. */
  private firstOpenedSeq: number | undefined;
  private sweeping: NodeJS.Timeout | undefined;
  private isClosed = false;
  /** Worlds on file storage whose files cannot be read, and why. */
  private readonly damaged = new Map<string, string>();

  constructor(starting: RunningWorld, bounds: WorldBounds) {
    this.starting = starting;
    this.bounds = bounds;
  }

  /** Opens the worlds that earlier runs kept; a damaged one is told by its name. */
  async openKept(): Promise<void> {
    const { worlds, damaged } = await this.starting.kept();
    for (const { name, damage } of damaged) this.damaged.set(name, damage.message);
    for (const { name, from } of worlds)
      try {
        const world = await this.starting.awaken(name);
        this.forks.set(name, { world, from, isLate: false });
      } catch (error) {
        this.damaged.set(name, (error as Error).message);
      }
    for (const [name, message] of this.damaged)
      this.starting.engine.alarm(`the world ${name} is damaged: ${message}`);
  }

  named(name: string): RunningWorld | undefined {
    return name === this.starting.name ? this.starting : this.forks.get(name)?.world;
  }

  *all(): Iterable<RunningWorld> {
    yield this.starting;
    for (const { world } of this.forks.values()) yield world;
  }

  list(): WorldRow[] {
    const { starting } = this;
    const forked = [...this.forks.values()].map(
      ({ world, from, isLate }): WorldRow => ({
        ...rowOf(world),
        from,
        ...(isLate && { isLate: true as const }),
      }),
    );
    return [{ ...rowOf(starting), isStarting: true as const }, ...forked];
  }

  /** Opens a world for a first call with its name, unless worlds are fixed. */
  async opened(name: string): Promise<RunningWorld> {
    const under = this.making.get(name);
    if (under) return under;
    if (this.bounds.mode === "fixed") refuse("WORLD_UNKNOWN", { world: name });
    const { seq } = this.starting.engine.state;
    this.firstOpenedSeq ??= seq;
    return this.make({ name }, { isLate: seq !== this.firstOpenedSeq });
  }

  async create(wish: WorldWish): Promise<RunningWorld> {
    return this.make(wish, { isLate: false });
  }

  async remove(name: string): Promise<void> {
    const world = requireWorld(name, this);
    if (world === this.starting) refuse("WORLD_STAYS", { world: name });
    await this.drop(world, { forGood: true });
  }

  /** Removes worlds that nobody has called for the idle span. */
  async sweep(nowMs: number): Promise<void> {
    const forMs = this.bounds.ttlMs;
    const idle = [...this.forks.values()].filter(
      ({ world }) => !world.isKept && world.isIdle({ forMs, nowMs }),
    );
    await Promise.all(
      idle.map(async ({ world }) => {
        try {
          await this.drop(world);
        } catch (error) {
          const { message } = error as Error;
          this.starting.engine.alarm(`the world ${world.name} was not closed: ${message}`);
        }
      }),
    );
  }

  /** Closes the worlds beside the starting one. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.stopSweeping();
    await Promise.allSettled(this.making.values());
    const ends = [...this.forks.values()].map(({ world }) => world.close());
    const [failure] = (await Promise.allSettled([...ends, ...this.leaving.values()])).filter(
      ({ status }) => status === "rejected",
    ) as PromiseRejectedResult[];
    if (failure) throw failure.reason;
  }

  private make(wish: WorldWish, { isLate }: { isLate: boolean }): Promise<RunningWorld> {
    const origin = (wish.origin as RunningWorld | undefined) ?? this.starting;
    const name = wish.name ?? this.nextName(origin.name);
    const base = startTokenOf(wish.state ?? origin.engine.state)?.clientId;
    const clientId = wish.clientId ?? `${base ?? this.starting.clientId}+${name}`;
    this.requireFree(name, clientId);
    const own = wish.clientId !== undefined || wish.clientSecret !== undefined;
    const { seed, state, clientSecret = origin.clientSecret } = wish;
    const birth = {
      name,
      clientId,
      ...(own && { credentials: { clientSecret } }),
      ...defined({ seed, state }),
    };
    const from = origin.name;
    const gone = this.leaving.get(name);
    const fork = () => origin.fork(birth);
    const made = (gone ? gone.then(fork, fork) : fork())
      .then((world) => {
        this.forks.set(name, { world, from, isLate });
        this.sweepLater();
        return world;
      })
      .finally(() => this.making.delete(name));
    this.making.set(name, made);
    return made;
  }

  private requireFree(name: string, clientId: string) {
    if (this.isClosed) refuse("UNAVAILABLE", { why: "it is closed" });
    if (!isName(name))
      refuse("INVALID_INPUT", { field: "name", value: name }, `Expected ${NAME_WORDS} in name`);
    const damage = this.damaged.get(name);
    if (damage !== undefined)
      refuse("UNAVAILABLE", { why: `the world ${name} is damaged: ${damage}` });
    if (this.named(name) || this.making.has(name))
      refuse("WORLD_EXISTS", { what: `The name ${name}`, world: name });
    const holder = [...this.all()].find((world) => world.clientId === clientId);
    if (holder) refuse("WORLD_EXISTS", { what: `The client id ${clientId}`, world: holder.name });
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
    } while (this.named(name) || this.making.has(name));
    this.forkCounts.set(origin, count);
    return name;
  }

  private async drop(world: RunningWorld, { forGood = false } = {}) {
    this.forks.delete(world.name);
    this.forkCounts.delete(world.name);
    this.starting.callers.forget(world);
    if (this.forks.size === 0) this.stopSweeping();
    const left = (forGood ? world.remove() : world.close()).finally(() =>
      this.leaving.delete(world.name),
    );
    this.leaving.set(world.name, left);
    await left;
  }

  /** One timer for all worlds, which keeps no process alive. */
  private sweepLater() {
    if (this.sweeping || this.isClosed) return;
    const delayMs = Math.max(SHORTEST_SWEEP_MS, this.bounds.ttlMs / SWEEPS_PER_TTL);
    const look = () => {
      this.sweeping = undefined;
      void this.sweep(hostTime.monotonicMs());
      if (this.forks.size > 0) this.sweepLater();
    };
    this.sweeping = hostTime.setTimeout(look, Math.min(delayMs, 2 ** 31 - 1)).unref();
  }

  private stopSweeping() {
    if (this.sweeping) hostTime.clearTimeout(this.sweeping);
    this.sweeping = undefined;
  }
}

const rowOf = ({ name, clientId, engine }: RunningWorld): WorldRow => ({
  name,
  clientId,
  records: engine.state.recordCount(),
  now: instant(engine.clock.now()),
});
