import type { EngineJournal } from "../../../../src/storage/engine/engine-journal.ts";
import type { Flusher } from "../../../../src/storage/engine/flusher.ts";
import type { GuardedEngine } from "../../../../src/storage/engine/guarded-write.ts";
import type { Lease } from "../../../../src/storage/engine/lease.ts";
import type { WorldRow } from "../../../../src/storage/engine/store-engine.ts";
import type { FaultSource } from "../engine-faults.ts";
import type { EnginePlant } from "../engine-plants.ts";
import type { SimulatedData } from "../simulated-data.ts";
import { SimulatedEngine } from "../simulated-engine.ts";
import type { EngineCode } from "./engine-code.ts";
import { TestTime } from "./test-time.ts";

/** A world as one process holds it. */
export interface HeldWorld {
  name: string;
  fence: number;
  journal: EngineJournal;
  /** The last change that was buffered. */
  seq: number;
  /** Lines of the changes that were buffered, by their `seq`. */
  changes: Map<number, string>;
  /** Number of times that it was told that another process has the world. */
  lost: number;
}

/** A process over the simulated engine: each of its acts waits until the history lets it happen. */
export class SimulatedProcess {
  readonly time = new TestTime();
  readonly id: string;
  readonly flusher: Flusher;
  readonly lease: Lease;
  readonly worlds = new Map<string, HeldWorld>();
  isPaused = false;
  pausedUntilMs = 0;
  /** Acts that are ready to happen. */
  readonly acts: (() => void)[] = [];
  isOver = false;
  /** Worlds that it may take once more by a late act, after which it drops them. */
  readonly takenLate = new Set<string>();
  /** Client and time for writes of rows. */
  readonly guarded: GuardedEngine;
  private readonly code: EngineCode;
  /** A client without faults, for what the history does at once. */
  private readonly clean: SimulatedEngine;

  private readonly onLost: (world: HeldWorld) => void;

  constructor(
    code: EngineCode,
    how: {
      id: string;
      data: SimulatedData;
      faults: FaultSource;
      plants: ReadonlySet<EnginePlant>;
      onLost(world: HeldWorld): void;
    },
  ) {
    this.code = code;
    this.id = how.id;
    this.onLost = how.onLost;
    this.clean = new SimulatedEngine(how.data);
    const engine = new SimulatedEngine(how.data, {
      faults: how.faults,
      plants: how.plants,
      schedule: () => new Promise((resolve) => this.acts.push(resolve)),
    });
    const { time, id } = this;
    const take: SimulatedEngine["take"] = (name, owner) =>
      engine.take(name, owner).catch((error) => {
        this.takenLate.add(name);
        throw error;
      });
    const rows = {
      write: engine.write.bind(engine),
      find: engine.find.bind(engine),
      items: engine.items.bind(engine),
      take,
    };
    this.guarded = { engine: rows, time: time.host };
    // All clocks show the same, whenever the process begins.
    time.wallMs = how.data.nowMs;
    this.flusher = new code.Flusher({ engine, owner: id, time: time.host });
    const acts = {
      join: this.clean.join.bind(this.clean),
      renew: engine.renew.bind(engine),
      leave: engine.leave.bind(engine),
    };
    const process = { id, knows: 5, version: "1.0.0" };
    this.lease = new code.Lease({ engine: acts, process, loaded: () => 0, time: time.host });
    this.lease.watch({
      renewed: () => {},
      ended: () => {
        this.isOver = true;
      },
    });
  }

  /** Takes a lease, as soon as the engine is not away. */
  async join() {
    for (let isJoined = false; !isJoined; )
      isJoined = await this.lease.join().then(
        () => true,
        () => false,
      );
  }

  /** Takes a world if it is free or its owner's lease has ended. */
  async take(name: string): Promise<HeldWorld | undefined> {
    if (this.time.monotonicMs >= this.lease.validUntil()) return undefined;
    const row = await this.clean.take(name, this.id).catch(() => undefined);
    return row?.owner === this.id ? this.opened(row) : undefined;
  }

  private opened({ name, fence, timeline, seq }: WorldRow): HeldWorld {
    const held = { name, fence, seq, changes: new Map<number, string>(), lost: 0 };
    const journal = new this.code.EngineJournal({
      holding: { name, owner: this.id, fence, timeline, seq },
      flusher: this.flusher,
      lease: this.lease,
      callers: new Map(),
      dueAtMs: () => null,
      onFailure: () => {
        world.lost += 1;
        this.onLost(world);
      },
      time: this.time.host,
    });
    const world: HeldWorld = Object.assign(held, { journal });
    this.worlds.set(name, world);
    return world;
  }
}
