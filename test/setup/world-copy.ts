import { AsyncLocalStorage } from "node:async_hooks";
import type { Change } from "../../src/runtime/change.ts";
import { Engine } from "../../src/runtime/engine.ts";
import { WorldState } from "../../src/runtime/world-state.ts";
import {
  createSimulator,
  type LocalSimulator,
  type SimulatorOptions,
} from "../../src/simulator.ts";

/** Everything that happened to a world, in order: all that a copy of it is made from. */
export type WorldCopy = readonly Change[];

/** A simulator whose world can be copied, and replaced by a copy. */
interface Copyable {
  engine: Engine;
  changes: Change[];
}

const opening = new AsyncLocalStorage<{ found?: Copyable }>();
let openingsUnderWay = 0;
const copyables = new WeakMap<LocalSimulator, Copyable>();

const { join } = Engine.prototype;

/** The first engine that joins its deliveries while a simulator opens is the simulator's own. */
Engine.prototype.join = function (this: Engine, deliveries) {
  const slot = opening.getStore();
  if (slot && !slot.found) {
    const changes: Change[] = [];
    slot.found = { engine: this, changes };
    this.listeners.add({ changed: (change) => changes.push(change) });
  }
  join.call(this, deliveries);
};

const copyableOf = (sim: LocalSimulator): Copyable => {
  const copyable = copyables.get(sim);
  if (!copyable) throw new Error("Expected a simulator of openCopyable but found another");
  return copyable;
};

/** Opens a simulator in memory whose world can be copied. */
export const openCopyable = async (options: SimulatorOptions): Promise<LocalSimulator> => {
  const slot: { found?: Copyable } = {};
  openingsUnderWay += 1;
  try {
    const sim = await opening.run(slot, () => createSimulator(options));
    if (slot.found) copyables.set(sim, slot.found);
    return sim;
  } finally {
    openingsUnderWay -= 1;
    // Node.js follows every promise of the process as long as it is not disabled.
    if (openingsUnderWay === 0) opening.disable();
  }
};

/** Copies a world as it is now; files that records name are not copied. */
export const copyWorld = (sim: LocalSimulator): WorldCopy => [...copyableOf(sim).changes];

/** Puts a copy in the place of a simulator's world; its identity must be of the same seed. */
export const putWorld = (sim: LocalSimulator, copy: WorldCopy) => {
  const copyable = copyableOf(sim);
  const state = new WorldState();
  for (const change of copy) state.apply(change);
  copyable.changes.splice(0, Number.POSITIVE_INFINITY, ...copy);
  const { engine } = copyable;
  engine.stopped = undefined;
  engine.readOnlyBecause = undefined;
  engine.load(state, engine.journal);
};

/** The engine of a simulator's world. */
export const engineOf = (sim: LocalSimulator): Engine => copyableOf(sim).engine;
