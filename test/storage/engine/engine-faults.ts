import type { StoreEngine } from "../../../src/storage/engine/store-engine.ts";

/** An act of an engine by its name. */
export type ActName = Exclude<keyof StoreEngine, "place" | "close">;

/** The trouble of one act. */
export type Fault =
  /** The answer is lost: the act was done, or it never arrived. */
  | { kind: "lost"; isDone: boolean }
  /** The caller gives up, and the act happens after N others. */
  | { kind: "late"; afterActs: number }
  /** Other acts happen before it, and others before its answer. */
  | { kind: "slow"; turnsBefore: number; turnsAfter: number }
  /** This client does not reach the engine, for N acts of its own. */
  | { kind: "unreachable"; forActs: number }
  /** The engine takes no writes, for N acts of all clients. */
  | { kind: "readOnly"; forActs: number }
  /** The engine ends and starts again; acts that are under way lose their answer. */
  | { kind: "restart"; forActs: number };

/** Chooses the fault of each act; without one it is done as it should be. */
export type FaultSource = (act: ActName) => Fault | undefined;

/** Shares of acts that each kind of fault strikes, of 1; their sum is at most 1. */
export type FaultRates = Partial<Record<Fault["kind"], number>>;

const MOST_TURNS = 6;
/** A late act outlives many others, as one does that waits for a lock in a lost session. */
const MOST_ACTS = 40;

/** Faults that a seeded source of numbers chooses, the same for the same numbers. */
export const drawnFaults = (draw: () => number, rates: FaultRates): FaultSource => {
  const upTo = (most: number) => 1 + Math.floor(draw() * most);
  const make: Record<Fault["kind"], () => Fault> = {
    lost: () => ({ kind: "lost", isDone: draw() < 0.5 }),
    late: () => ({ kind: "late", afterActs: upTo(MOST_ACTS) }),
    slow: () => ({
      kind: "slow",
      turnsBefore: upTo(MOST_TURNS) - 1,
      turnsAfter: upTo(MOST_TURNS) - 1,
    }),
    unreachable: () => ({ kind: "unreachable", forActs: upTo(MOST_TURNS) }),
    readOnly: () => ({ kind: "readOnly", forActs: upTo(MOST_TURNS) }),
    restart: () => ({ kind: "restart", forActs: upTo(MOST_TURNS) - 1 }),
  };
  return () => {
    let drawn = draw();
    for (const [kind, rate] of Object.entries(rates) as [Fault["kind"], number][]) {
      if (drawn < rate) return make[kind]();
      drawn -= rate;
    }
    return undefined;
  };
};
