import { StoreTrouble } from "../../../src/storage/port/store-trouble.ts";
import { drawsOf } from "../../setup/draws.ts";
import { drawnFaults, type FaultRates } from "./engine-faults.ts";
import type { EnginePlant } from "./engine-plants.ts";
import { HistoryProcess, type OwnerRules, readLog } from "./history-process.ts";
import { HistoryTruth } from "./history-truth.ts";
import { keepingOf } from "./scene.ts";
import { SeededSchedule } from "./seeded-schedule.ts";
import { SimulatedData } from "./simulated-data.ts";
import { SimulatedEngine } from "./simulated-engine.ts";

const LEASE_MS = 5_000;
const PROCESSES = ["p", "q", "r"];
const WORLDS = ["a", "b"];
const STEPS = 60;

const RATES: FaultRates = {
  lost: 0.06,
  late: 0.08,
  slow: 0.1,
  unreachable: 0.02,
  readOnly: 0.02,
  restart: 0.01,
};

/** Options of a history; its seed decides all that happens in it. */
export interface HistoryOptions {
  seed: number;
  plants?: readonly EnginePlant[];
  rules?: OwnerRules;
  rates?: FaultRates;
}

/** Several processes that write the same worlds, with faults, in an order that a seed chooses. */
class EngineHistory {
  readonly data = new SimulatedData();
  readonly truth = new HistoryTruth();
  readonly #draw: () => number;
  readonly #options: HistoryOptions;
  readonly #schedule: SeededSchedule;
  #names = 0;

  constructor(options: HistoryOptions) {
    this.#options = options;
    const draw = drawsOf(options.seed);
    this.#draw = draw;
    this.#schedule = new SeededSchedule(draw, () => {
      if (draw() < 0.05) this.data.passMs(Math.floor(draw() * LEASE_MS));
    });
  }

  #upTo(most: number): number {
    return Math.floor(this.#draw() * (most + 1));
  }

  #pick<One>(list: readonly One[]): One {
    return list[this.#upTo(list.length - 1)] as One;
  }

  async play(): Promise<HistoryTruth> {
    const clean = new SimulatedEngine(this.data);
    for (const name of WORLDS) {
      const timeline = await clean.newTimeline();
      const past = [{ timeline, after: 0 }];
      const items = { past: Buffer.from(JSON.stringify(past)) };
      const keep = [keepingOf(name, timeline, { items })];
      const facts = { name };
      await clean.create({
        facts,
        owner: "none",
        timeline,
        seq: 0,
        callers: [],
        keep,
        dueAtMs: null,
      });
    }
    await this.#schedule.run(PROCESSES.map((id) => this.#live(id)));
    this.data.settle();
    for (const { name, seq } of await clean.worlds()) {
      const { log } = await readLog(clean, name);
      if (log.length !== seq) throw new Error(`${name}: ${log.length} of ${seq}`);
      const known = this.truth.known(name);
      this.truth.check(name, log, known);
      const { value } = await clean.items(`point:${name}`);
      this.truth.checkPoint(name, value?.toString(), known);
    }
    return this.truth;
  }

  async #live(short: string): Promise<void> {
    const { plants, rules = {}, rates = RATES } = this.#options;
    const engine = new SimulatedEngine(this.data, {
      faults: drawnFaults(this.#draw, rates),
      schedule: this.#schedule.turn,
      plants: new Set(plants),
    });
    const begin = () => {
      this.#names += 1;
      return new HistoryProcess(engine, this.truth, { id: `${short}${this.#names}`, rules });
    };
    let process = begin();
    let isJoined = false;
    for (let step = 0; step < STEPS; step += 1)
      try {
        if (!isJoined) {
          await engine.join({ id: process.id, knows: 5, version: "1", loaded: 0 }, LEASE_MS);
          isJoined = true;
        }
        const isDead = this.#draw() < 0.02;
        if (
          isDead ||
          (this.#draw() < 0.2 && !(await engine.renew(process.id, LEASE_MS, { loaded: 0 })))
        ) {
          process = begin();
          isJoined = false;
          continue;
        }
        await this.#step(process, engine);
      } catch (error) {
        if (!(error instanceof StoreTrouble)) throw error;
      }
  }

  async #step(process: HistoryProcess, engine: SimulatedEngine): Promise<void> {
    for (const name of process.held.keys()) await process.settle(name);
    const names = [...new Set([...WORLDS, ...this.data.worlds.keys()])];
    const name = this.#pick(names);
    if (!this.data.worlds.has(name)) return await process.create(name);
    const world = process.held.get(name);
    if (!world) return await process.take(name);
    const drawn = this.#draw();
    if (drawn < 0.5) return await process.append([...process.held.keys()], 1 + this.#upTo(2));
    if (drawn < 0.65) return await process.rewind(name, this.#upTo(world.log.length));
    if (drawn < 0.8) return await process.point(name, this.#draw() < 0.6);
    if (drawn < 0.88) return await process.release(name);
    if (drawn < 0.92) return await engine.sweep();
    if (drawn < 0.95) return await process.remove(name);
    if (names.length > 4) return;
    this.#names += 1;
    const to = `fork${this.#names}`;
    return await process.fork(name, { to, seq: this.#upTo(world.log.length) });
  }
}

/** Plays a history. @throws HistoryBreach when the data disagree with what callers were told */
export const playHistory = (options: HistoryOptions): Promise<HistoryTruth> =>
  new EngineHistory(options).play();
