import type { Change } from "../../../../src/runtime/change.ts";
import type { CallerKeys } from "../../../../src/storage/engine/caller-index.ts";
import type { EngineJournal } from "../../../../src/storage/engine/engine-journal.ts";
import type { Lease } from "../../../../src/storage/engine/lease.ts";
import type { EngineCode } from "./engine-code.ts";
import { ScriptedEngine } from "./scripted-engine.ts";
import { TestTime } from "./test-time.ts";

/** The process whose code is under test. */
export const ME = "sim-1";

/** A change without an effect, or with one. */
export const changeOf = (seq: number, members: Partial<Change> = {}): Change => ({
  v: 4,
  seq,
  at: 0,
  cause: "test",
  by: "test",
  n: 0,
  ...members,
});

type Gate = Pick<Lease, "validUntil" | "watch" | "trouble">;

/** A lease that does not end. */
const ENDLESS: Gate = {
  validUntil: () => Number.POSITIVE_INFINITY,
  watch: () => () => {},
  trouble: () => undefined,
};

/** Outcome of a wait: `waiting`, `done`, or the sentence of its error. */
export interface Told {
  is: string;
  error?: Error & { mayBeDone?: boolean; code?: string };
}

/** Watches a promise of `reached`. */
export const told = (reached: Promise<void> | undefined): Told => {
  const now: Told = { is: reached ? "waiting" : "done" };
  reached?.then(
    () => {
      now.is = "done";
    },
    (error: Error) => {
      now.is = error.message;
      now.error = error;
    },
  );
  return now;
};

export interface FlushedWorld {
  journal: EngineJournal;
  /** Reasons why it was dropped. */
  lost: string[];
  /** Number of times that late changes were told. */
  late: number;
  dueAtMs: number | null;
}

/** Journals of some worlds of one process, on an engine that the test plays. */
export class FlushedWorlds {
  readonly time = new TestTime();
  readonly engine: ScriptedEngine;
  readonly flusher: InstanceType<EngineCode["Flusher"]>;
  readonly lease: Lease;
  private readonly code: EngineCode;

  constructor(code: EngineCode) {
    this.code = code;
    this.engine = new ScriptedEngine(code);
    const { engine, time } = this;
    this.flusher = new code.Flusher({ engine, owner: ME, time: time.host });
    const process = { id: ME, knows: 5, version: "1.0.0" };
    this.lease = new code.Lease({ engine, process, loaded: () => 3, time: time.host });
  }

  /** Opens a world with change 0 in the engine. */
  open(name: string, how: { isLeased?: boolean; callers?: CallerKeys } = {}): FlushedWorld {
    const { code, engine, flusher, time } = this;
    engine.heads.set(name, { owner: ME, fence: 7, timeline: 3, seq: 0 });
    const world: Omit<FlushedWorld, "journal"> = { lost: [], late: 0, dueAtMs: null };
    const journal = new code.EngineJournal({
      holding: { name, owner: ME, fence: 7, timeline: 3, seq: 0 },
      flusher,
      lease: how.isLeased ? this.lease : ENDLESS,
      callers: how.callers ?? new Map(),
      dueAtMs: () => world.dueAtMs,
      onFailure: ({ cut, loss }) => world.lost.push(`${loss?.kind}, cut ${cut}: ${loss?.why}`),
      onLate: () => {
        world.late += 1;
      },
      time: time.host,
    });
    return Object.assign(world, { journal });
  }

  /** Batches that are in, such as `a 1-2`. */
  log(): string[] {
    return this.engine.log.map(({ name, first, last }) => `${name} ${first}-${last}`);
  }
}
