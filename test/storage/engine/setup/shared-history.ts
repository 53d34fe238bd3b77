import { type Change, encodeChange } from "../../../../src/runtime/change.ts";
import { guardedWrite } from "../../../../src/storage/engine/guarded-write.ts";
import { Fenced } from "../../../../src/storage/port/store-trouble.ts";
import { type Chance, chanceOf } from "../../../simulation/setup/chance.ts";
import { drawnFaults, type FaultRates } from "../engine-faults.ts";
import type { EnginePlant } from "../engine-plants.ts";
import { SimulatedData } from "../simulated-data.ts";
import { SimulatedEngine } from "../simulated-engine.ts";
import type { EngineCode } from "./engine-code.ts";
import { changeOf } from "./flushed-worlds.ts";
import { type HeldWorld, SimulatedProcess } from "./simulated-process.ts";

const WORLDS = ["a", "b", "c", "d"];
const STEPS = 600;
/** Most that the clocks of two processes differ by. */
const SLICE_MS = 50;

const RATES: FaultRates = {
  lost: 0.12,
  late: 0.06,
  slow: 0.12,
  unreachable: 0.02,
  readOnly: 0.02,
  restart: 0.02,
};

/** Things that happened in a history, so that a test can tell that it tried them. */
export interface Happened {
  acknowledged: number;
  refused: number;
  reads: number;
  lateReads: number;
  takes: number;
  lost: number;
  kills: number;
  writes: number;
}

/** Whole changes of a world that stand in the engine, in their order. */
const linesOf = (data: SimulatedData, name: string): string[] => {
  const timeline = data.worlds.get(name)?.timeline ?? 0;
  return (data.journal.get(timeline) ?? []).flatMap(({ lines }) => lines.split("\n").slice(0, -1));
};

const changeIn = (line: string) => JSON.parse(line.slice(line.indexOf("{"))) as Change;

/** Several worlds, two processes that lose and take them, and an engine in trouble, all by a seed. */
export class SharedHistory {
  readonly happened: Happened = {
    acknowledged: 0,
    refused: 0,
    reads: 0,
    lateReads: 0,
    takes: 0,
    lost: 0,
    kills: 0,
    writes: 0,
  };
  private readonly code: EngineCode;
  private readonly chance: Chance;
  private readonly data = new SimulatedData();
  private readonly slots: SimulatedProcess[] = [];
  /** Highest acknowledged change of each world. */
  private readonly acknowledged = new Map<string, number>();
  /** Last item of each world that was written for certain. */
  private readonly written = new Map<string, number>();
  private readonly problems: string[] = [];
  private isTroubled = true;
  private made = 0;
  private started = 0;
  /** Callers that wait, by their process; those of a killed one wait no more. */
  private readonly waiting = new Map<object, SimulatedProcess>();

  private readonly plants: ReadonlySet<EnginePlant>;

  /** @param how.plants bugs of the engine */
  constructor(code: EngineCode, how: { seed: number; plants?: readonly EnginePlant[] }) {
    this.code = code;
    this.chance = chanceOf(how.seed);
    this.plants = new Set(how.plants);
  }

  /** Plays the history. @returns what went wrong */
  async play(): Promise<string[]> {
    for (const slot of [0, 1]) await this.start(slot);
    const engine = new SimulatedEngine(this.data);
    for (const name of WORLDS) {
      const timeline = await engine.newTimeline();
      const world = { facts: { name }, owner: "nobody", timeline, seq: 0 };
      await engine.create({ ...world, callers: [], keep: [], dueAtMs: null });
    }
    for (let step = 0; step < STEPS; step += 1) await this.step();
    await this.end();
    this.check();
    return this.problems;
  }

  private async start(slot: number) {
    this.started += 1;
    const drawn = drawnFaults(() => this.chance.below(1_000_000) / 1_000_000, RATES);
    const faults = () => (this.isTroubled ? drawn("append") : undefined);
    const process = new SimulatedProcess(this.code, {
      id: `sim-${slot + 1}-${this.started}`,
      data: this.data,
      faults,
      plants: this.plants,
      onLost: (world) => this.lost(process, world),
    });
    this.slots[slot] = process;
    await process.join();
  }

  /** A world may be dropped where another process took it, or could have. */
  private lost({ id, takenLate }: SimulatedProcess, { name }: HeldWorld) {
    this.happened.lost += 1;
    const { data } = this;
    const isOwn = data.worlds.get(name)?.owner === id && data.isLive(id, data.nowMs);
    if (isOwn && !takenLate.has(name)) this.problems.push(`${name} was dropped, and ${id} has it`);
  }

  private async step() {
    const { chance } = this;
    const slot = chance.below(this.slots.length);
    const process = this.slots[slot] as SimulatedProcess;
    if (process.isOver) return this.start(slot);
    if (process.isPaused) return this.pass(chance.pick([1, 100, 400]));
    if (chance.oneIn(500)) return this.kill(slot);
    if (chance.oneIn(150)) return this.pause(process, chance.pick([50, 2_000, 7_000, 15_000]));
    const drawn = chance.below(100);
    if (drawn < 15) await this.pass(chance.pick([1, 20, 60, 200, 700]));
    else if (drawn < 25) await this.take(process, chance.pick(WORLDS));
    else if (drawn < 65) await this.act(process);
    else if (drawn < 69) this.write(process, chance.pick(WORLDS));
    else if (drawn < 80) this.read(process, chance.pick(WORLDS));
    else this.change(process, chance.pick(WORLDS));
    if (chance.oneIn(2)) await process.time.turn();
  }

  private pause(process: SimulatedProcess, spanMs: number) {
    process.isPaused = true;
    process.pausedUntilMs = this.data.nowMs + spanMs;
  }

  private async kill(slot: number) {
    const process = this.slots[slot] as SimulatedProcess;
    this.happened.kills += 1;
    for (const [wait, { id }] of this.waiting) if (id === process.id) this.waiting.delete(wait);
    process.time.forget();
    // What was sent may still arrive.
    for (const act of process.acts.splice(0)) if (this.chance.oneIn(2)) act();
    await process.time.turn();
    process.time.forget();
    await this.start(slot);
  }

  private async pass(spanMs: number) {
    for (let passedMs = 0; passedMs < spanMs; passedMs += SLICE_MS) {
      const sliceMs = Math.min(SLICE_MS, spanMs - passedMs);
      this.data.passMs(sliceMs);
      for (const process of this.slots)
        if (process.isPaused) this.sleep(process, sliceMs);
        else await process.time.pass(sliceMs);
    }
  }

  private sleep(process: SimulatedProcess, spanMs: number) {
    process.time.sleep(spanMs);
    process.isPaused = this.data.nowMs < process.pausedUntilMs;
  }

  private async act({ acts, time }: SimulatedProcess) {
    for (let at = this.chance.below(4); at >= 0 && acts.length > 0; at -= 1) {
      const [act] = acts.splice(this.chance.below(acts.length), 1);
      act?.();
      await time.turn();
    }
  }

  private async take(process: SimulatedProcess, name: string) {
    const held = process.worlds.get(name);
    if (held && !held.journal.isLost) return;
    if (await process.take(name)) this.happened.takes += 1;
  }

  /** Buffers a change, or a group, whose caller waits. */
  private change(process: SimulatedProcess, name: string) {
    const held = process.worlds.get(name);
    if (!held || held.journal.isLost) return;
    const count = this.chance.pick([1, 1, 1, 2, 5]);
    const upTo = held.seq + count;
    for (let at = 0; at < count; at += 1) {
      held.seq += 1;
      this.made += 1;
      const cause = { cause: `${held.fence}`, by: `${process.id} ${this.made}` };
      const change = changeOf(held.seq, { ...cause, ...(held.seq < upTo && { upTo }) });
      held.changes.set(held.seq, encodeChange(change).trimEnd());
      held.journal.buffer(change);
    }
    const { seq } = held;
    this.waitFor(process, held, { seq, tell: () => this.acknowledge(held, seq) });
  }

  private acknowledge({ name, changes }: HeldWorld, seq: number) {
    this.happened.acknowledged += 1;
    if (linesOf(this.data, name)[seq - 1] !== changes.get(seq))
      this.problems.push(`change ${seq} of ${name} was acknowledged and is not in the engine`);
    this.acknowledged.set(name, Math.max(seq, this.acknowledged.get(name) ?? 0));
  }

  /** Writes an item of a world between two flushes. */
  private write({ guarded, worlds }: SimulatedProcess, name: string) {
    const held = worlds.get(name);
    if (!held || held.journal.isLost) return;
    this.made += 1;
    const { made } = this;
    const items = [{ holder: `world:${name}`, name: "item", bytes: Buffer.from(`${made}`) }];
    const done = held.journal.between((holding) => guardedWrite(guarded, holding, { items }));
    done.then(
      () => {
        this.happened.writes += 1;
        this.written.set(name, Math.max(made, this.written.get(name) ?? 0));
        this.checkItem(name);
      },
      (error) => {
        if (error instanceof Fenced) held.journal.lose(error.message);
      },
    );
  }

  /** Nothing older comes after what was written for certain. */
  private checkItem(name: string) {
    const item = Number(this.data.holders.get(`world:${name}`)?.items.get("item") ?? 0);
    const written = this.written.get(name) ?? 0;
    if (item < written) this.problems.push(`${name} has item ${item} after ${written}`);
  }

  private read(process: SimulatedProcess, name: string) {
    const held = process.worlds.get(name);
    if (!held || held.journal.isLost) return;
    const before = this.acknowledged.get(name) ?? 0;
    const { seq } = held;
    const tell = () => {
      this.happened.reads += 1;
      if (seq < before) this.problems.push(`a read of ${name} saw ${seq} after ${before}`);
    };
    this.waitFor(process, held, { seq, tell });
  }

  private waitFor(
    process: SimulatedProcess,
    { journal }: HeldWorld,
    { seq, tell }: { seq: number; tell(): void },
  ) {
    const isRead = seq <= journal.durableSeq();
    const reached = journal.reached(seq);
    if (!reached) return tell();
    if (isRead) this.happened.lateReads += 1;
    this.waiting.set(reached, process);
    const over = () => this.waiting.delete(reached);
    const refuse = () => {
      this.happened.refused += 1;
    };
    reached.then(tell, refuse).finally(over);
  }

  /** Lifts all faults, and lets everything come to rest. */
  private async end() {
    this.isTroubled = false;
    this.data.settle();
    for (const process of this.slots) process.isPaused = false;
    for (let round = 0; round < 60; round += 1) {
      for (const process of this.slots) while (process.acts.length > 0) await this.act(process);
      await this.pass(200);
    }
  }

  private check() {
    for (const name of WORLDS) {
      this.checkJournal(name);
      this.checkItem(name);
    }
    for (const process of this.slots) {
      if (process.flusher.trouble()) this.problems.push(`${process.id} is still in trouble`);
      for (const held of process.worlds.values()) this.checkHeld(process, held);
    }
    for (const { id } of this.waiting.values()) this.problems.push(`a caller of ${id} waits still`);
  }

  private checkHeld({ id }: SimulatedProcess, { name, journal, lost, changes }: HeldWorld) {
    if (lost > 1) this.problems.push(`${id} was told ${lost} times that ${name} is lost`);
    if (lost === 1 || journal.isLost) return;
    const lines = linesOf(this.data, name);
    for (const [seq, line] of changes)
      if (lines[seq - 1] !== line) this.problems.push(`change ${seq} of ${name} is not in: ${id}`);
  }

  /** Each `seq` once, fences that only rise, groups that are whole. */
  private checkJournal(name: string) {
    const changes = linesOf(this.data, name).map(changeIn);
    let fence = 0;
    for (const [at, { seq, cause }] of changes.entries()) {
      if (seq !== at + 1) this.problems.push(`change ${seq} of ${name} stands at ${at + 1}`);
      if (Number(cause) < fence) this.problems.push(`change ${seq} of ${name} has an old fence`);
      fence = Math.max(fence, Number(cause));
    }
    const { timeline = 0, seq = 0 } = this.data.worlds.get(name) ?? {};
    if (seq !== changes.length) this.problems.push(`${name} has ${changes.length} of ${seq}`);
    for (const { last } of this.data.journal.get(timeline) ?? [])
      if ((changes[last - 1]?.upTo ?? 0) > last) this.problems.push(`half a group of ${name}`);
  }
}
