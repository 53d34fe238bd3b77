import { expect } from "vitest";
import { machineWall } from "../../../src/runtime/ports.ts";
import type { WorldState } from "../../../src/runtime/world-state.ts";
import { openFirstIn } from "../../../src/storage/open-world.ts";
import type { Session } from "../../../src/storage/port/session.ts";
import type { WorldHandle } from "../../../src/storage/world/world-handle.ts";
import { act, imageOf, type Step } from "../../runtime/setup/random-world.ts";
import { CAUSE, stepsOf, turned } from "../setup/disk-world.ts";
import type { Ability, TestStore } from "./test-store.ts";

/** A promise of every store, and how it is tried. */
export interface StoreCase {
  name: string;
  needs?: Ability;
  run(scene: StoreScene): Promise<void>;
}

const START_MS = 1_000_000_000_000;

const IDENTITY = { clockMode: "manual", seed: "s", startMs: START_MS, clientSecret: "secret" };

/** A process with its worlds in a store. */
export class StoreScene {
  readonly store: TestStore;
  session!: Session;
  /** The first world. */
  world!: WorldHandle;
  private readonly forks = new Set<WorldHandle>();

  constructor(store: TestStore) {
    this.store = store;
  }

  /** Joins the store and opens its first world. */
  async open(options: { checkpointAfterBytes?: number } = {}): Promise<WorldHandle> {
    this.session = await this.store.open();
    const { session } = this;
    const identity = IDENTITY as typeof IDENTITY & { clockMode: "manual" };
    try {
      this.world = await openFirstIn(session, { wall: machineWall, identity, ...options });
    } catch (error) {
      await session.leave();
      throw error;
    }
    if (this.world.isNew) this.world.reset();
    await this.durable();
    return this.world;
  }

  /** Closes everything that is open. */
  async close(): Promise<void> {
    for (const fork of this.forks) await fork.close();
    this.forks.clear();
    await this.world?.close();
  }

  /** Closes, and opens again. */
  async again(): Promise<WorldHandle> {
    await this.close();
    return this.open();
  }

  /** Ends the process without a word, and opens again in another one. */
  async killed(): Promise<WorldHandle> {
    await this.store.kill(this.session, [this.world, ...this.forks]);
    this.forks.clear();
    return this.open();
  }

  async durable(world = this.world): Promise<void> {
    await world.engine.journal.reached(world.engine.state.seq);
  }

  /** Makes changes, each durable before the next one. */
  async change(count: number, { from = 0, world = this.world } = {}): Promise<void> {
    for (const step of stepsOf(count, from)) {
      this.commit(step, world);
      await this.durable(world);
    }
  }

  /** Makes one change. @returns its number */
  commit(step: Step, world = this.world): number {
    return world.engine.commit(act, step, CAUSE).seq;
  }

  /** Writes a checkpoint at once, as a large journal would have it written. */
  async checkpoint(world = this.world): Promise<void> {
    await checkpointOf(world);
  }

  async fork(name: string, { of = this.world, state }: ForkParts = {}): Promise<WorldHandle> {
    const fork = await of.fork({ name, clientId: `sandbox+${name}`, ...(state && { state }) });
    this.forks.add(fork);
    return fork;
  }

  /** Opens a world that was forked. */
  async openFork(name: string): Promise<WorldHandle> {
    const fork = await this.world.others?.open(name);
    if (!fork) throw new Error(`there is no world ${name}`);
    this.forks.add(fork);
    return fork;
  }

  async closeFork(fork: WorldHandle): Promise<void> {
    this.forks.delete(fork);
    await fork.close();
  }

  async removeFork(fork: WorldHandle): Promise<void> {
    this.forks.delete(fork);
    await fork.remove?.();
  }

  /** Continues a world from a state of its past or of a restore point. */
  async switchTo(state: WorldState, { world = this.world, isOwnPast = false } = {}): Promise<void> {
    await world.points.switchTo(turned(world, state), { isOwnPast });
  }

  /** Loads a restore point, which has to be there. */
  async point(name: string, world = this.world): Promise<WorldState> {
    const state = await world.points.load(name);
    expect(state).toBeDefined();
    return state as WorldState;
  }

  async earlier(seq: number, world = this.world): Promise<WorldState> {
    const state = await world.points.earlier({ seq });
    expect(state).toBeDefined();
    return state as WorldState;
  }

  /** All that a user could see of the first world. */
  image(world = this.world) {
    return imageOf(world.engine.state);
  }
}

interface ForkParts {
  of?: WorldHandle;
  state?: WorldState;
}

/** The checkpoint writer of a world, which nothing outside of storage reaches otherwise. */
const checkpointOf = async ({ points }: WorldHandle) => {
  const { world } = points as unknown as { world: { checkpoint(): Promise<void> } };
  await world.checkpoint();
};

/** The content of a world, without what a switch or a fork gives it again. */
export const contentOf = (state: WorldState) => {
  const { meta: _, ...content } = imageOf(state);
  return content;
};

/** The state that a fork shares with its origin: its deliveries have ended. */
export const sharedOf = (state: WorldState) => {
  const { balances, postings } = imageOf(state);
  const customers = [...state.ids("Customer", "all", "")].map((id) => state.get("Customer", id));
  return { customers, balances, postings };
};

/** Names of a world's restore points, the oldest first. */
export const namesOf = ({ points }: WorldHandle) => points.list().map(({ name }) => name);
