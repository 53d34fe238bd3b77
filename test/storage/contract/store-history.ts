import { expect } from "vitest";
import { FORMAT_VERSION } from "../../../src/runtime/change.ts";
import { machineWall } from "../../../src/runtime/ports.ts";
import { EngineSession } from "../../../src/storage/engine/engine-session.ts";
import { openFirstIn } from "../../../src/storage/open-world.ts";
import type { WorldHandle } from "../../../src/storage/world/world-handle.ts";
import { act } from "../../runtime/setup/random-world.ts";
import { drawsOf } from "../../setup/draws.ts";
import { drawnFaults, type FaultRates } from "../engine/engine-faults.ts";
import type { EnginePlant } from "../engine/engine-plants.ts";
import { SimulatedData } from "../engine/simulated-data.ts";
import { SimulatedEngine } from "../engine/simulated-engine.ts";
import { CAUSE, stepsOf, turned } from "../setup/disk-world.ts";
import { contentOf } from "./store-scene.ts";

const RATES: FaultRates = { lost: 0.04, late: 0.02, unreachable: 0.004, readOnly: 0.004 };
const STEPS = 40;
const HOURS_MS = 7_200_000;
const MOST_OPENINGS = 30;

type Content = ReturnType<typeof contentOf>;

/** One world in an engine that fails, compared with what its callers were told. */
class StoreHistory {
  private readonly data = new SimulatedData({ format: FORMAT_VERSION });
  private readonly draw: () => number;
  private readonly plants: ReadonlySet<EnginePlant>;
  private areFaultsOn = false;
  private world!: WorldHandle;
  private session!: EngineSession;
  /** Content after each change of the present timeline. */
  private contents = new Map<number, Content>();
  private acknowledged = 0;
  /** Restore points that are kept. */
  private readonly points = new Map<string, Content>();
  /** Worlds that were forked from it, closed. */
  private readonly forks = new Map<string, Content>();
  private madeForks = 0;
  private from = 0;

  constructor(seed: number, plants: readonly EnginePlant[]) {
    this.draw = drawsOf(seed);
    this.plants = new Set(plants);
  }

  private upTo(most: number) {
    return Math.floor(this.draw() * (most + 1));
  }

  private client() {
    const faults = drawnFaults(this.draw, RATES);
    return new SimulatedEngine(this.data, {
      plants: this.plants,
      faults: (name) => (this.areFaultsOn ? faults(name) : undefined),
    });
  }

  async play() {
    await this.open();
    this.world.reset();
    this.note();
    await this.acknowledge();
    this.areFaultsOn = true;
    for (let step = 0; step < STEPS; step += 1) {
      if (this.world.engine.readOnlyBecause) await this.again();
      await this.step(this.draw()).catch(expectFailure);
      await this.sweep().catch(expectFailure);
    }
    this.areFaultsOn = false;
    this.data.settle();
    await this.again();
    await this.compareAll();
    await this.world.close();
  }

  private async step(drawn: number) {
    const names = [...this.points.keys()];
    const name = names[this.upTo(names.length - 1)] ?? "p0";
    if (drawn < 0.4) return this.change(1 + this.upTo(3));
    if (drawn < 0.55) return this.save(`p${this.upTo(3)}`);
    if (drawn < 0.62) return this.compare(name);
    if (drawn < 0.67) return this.remove(name);
    if (drawn < 0.77) return this.restore(name);
    if (drawn < 0.85) return this.rewind();
    if (drawn < 0.88) return this.fork();
    if (drawn < 0.9) return this.compareFork([...this.forks.keys()].at(-1 - this.upTo(2)) ?? "");
    if (drawn < 0.95) return checkpointOf(this.world);
    return this.again();
  }

  /** Deletes what nothing needs, after hours. */
  private async sweep() {
    for (const part of this.data.parts.values()) part.storedAtMs -= HOURS_MS;
    await new SimulatedEngine(this.data, { plants: this.plants }).sweep();
  }

  private note() {
    const { state } = this.world.engine;
    this.contents.set(state.seq, contentOf(state));
  }

  private async acknowledge() {
    const { journal, state } = this.world.engine;
    await journal.reached(state.seq);
    this.acknowledged = state.seq;
  }

  private async change(count: number) {
    for (const step of stepsOf(count, this.from)) {
      this.world.engine.commit(act, step, CAUSE);
      this.note();
    }
    this.from += count;
    await this.acknowledge();
  }

  private async save(name: string) {
    const { state } = this.world.engine;
    const content = contentOf(state);
    await this.world.points.save(name);
    this.acknowledged = state.seq;
    this.points.set(name, content);
  }

  private async remove(name: string) {
    const was = await this.world.points.remove(name);
    expect([name, was]).toEqual([name, this.points.delete(name)]);
  }

  private async compare(name: string) {
    const state = await this.world.points.load(name);
    expect([name, state && contentOf(state)]).toEqual([name, this.points.get(name)]);
    return state;
  }

  private async restore(name: string) {
    const state = await this.compare(name);
    if (!state) return;
    const { seq } = state;
    const content = contentOf(state);
    await this.world.points.switchTo(turned(this.world, state));
    this.contents = new Map([[seq, content]]);
    this.acknowledged = seq;
  }

  private async rewind() {
    const { seq: last } = this.world.engine.state;
    const seq = Math.max(1, last - this.upTo(5));
    const state = await this.world.points.earlier({ seq });
    const reached = this.world.points.earliest()?.seq ?? 0;
    if (!state) return expect(seq).toBeLessThan(Math.max(reached, 1));
    const known = this.contents.get(seq);
    if (known) expect([seq, contentOf(state)]).toEqual([seq, known]);
    const content = contentOf(state);
    await this.world.points.switchTo(turned(this.world, state), { isOwnPast: true });
    this.contents = new Map([...this.contents].filter(([one]) => one < seq));
    this.contents.set(seq, content);
    this.acknowledged = seq;
  }

  private async fork() {
    this.madeForks += 1;
    const name = `f${this.madeForks}`;
    const fork = await this.world.fork({ name, clientId: `sandbox+${name}` });
    this.forks.set(name, contentOf(fork.engine.state));
    await fork.close();
  }

  private async compareFork(name: string) {
    const content = this.forks.get(name);
    const fork = content && (await this.world.others?.open(name));
    if (!content) return;
    expect([name, fork && contentOf(fork.engine.state)]).toEqual([name, content]);
    await fork?.close();
  }

  /** Opens the world in another process, after a clean stop, a kill, or while the first one lives. */
  private async again() {
    const how = this.upTo(2);
    const { world, session } = this;
    if (how === 0) await world.close().catch(expectFailure);
    for (const process of this.data.processes.values()) process.untilMs = this.data.nowMs;
    await this.open();
    if (how === 0) return;
    if (how === 1) world.engine.close();
    else await world.close().catch(expectFailure);
    if (how === 1) await session.leave().catch(expectFailure);
  }

  private async open() {
    for (let tries = 1; ; tries += 1)
      try {
        this.session = await EngineSession.join(this.client(), { version: "1" });
        this.world = await openFirstIn(this.session, {
          wall: machineWall,
          identity: { clockMode: "manual", seed: "s", startMs: 1_000_000_000_000 },
        });
        break;
      } catch (error) {
        expectFailure(error);
        if (tries === MOST_OPENINGS) throw error;
        for (const process of this.data.processes.values()) process.untilMs = this.data.nowMs;
      }
    if (this.world.isNew) return;
    const { state } = this.world.engine;
    expect(state.seq).toBeGreaterThanOrEqual(this.acknowledged);
    expect([state.seq, contentOf(state)]).toEqual([state.seq, this.contents.get(state.seq)]);
    for (const seq of [...this.contents.keys()]) if (seq > state.seq) this.contents.delete(seq);
    this.acknowledged = state.seq;
    const names = this.world.points.list().map(({ name }) => name);
    expect(names.sort()).toEqual([...this.points.keys()].sort());
  }

  private async compareAll() {
    for (const name of this.points.keys()) await this.compare(name);
    for (const name of this.forks.keys()) await this.compareFork(name);
    const reached = this.world.points.earliest()?.seq ?? 1;
    for (const [seq, content] of this.contents) {
      if (seq < Math.max(1, reached)) continue;
      const state = await this.world.points.earlier({ seq });
      expect([seq, state && contentOf(state)]).toEqual([seq, content]);
    }
  }
}

/** The failures that a caller may be told of; all else is a bug. */
const expectFailure = (error: unknown) => {
  const { name, message } = error as Error;
  // A world that was dropped takes no change.
  if (message === "UNAVAILABLE") return;
  const isTold = ["JournalFailure", "Fenced", "StoreTrouble", "ReadOnly"].includes(name);
  if (!isTold && !/storage failed|served by|read-only|does not answer/.test(message)) throw error;
};

const checkpointOf = async ({ points }: WorldHandle) => {
  const { world } = points as unknown as { world: { checkpoint(): Promise<void> } };
  await world.checkpoint();
};

/** Plays a history. @throws when the store differs from what callers were told */
export const playStoreHistory = (seed: number, ...plants: EnginePlant[]): Promise<void> =>
  new StoreHistory(seed, plants).play();
