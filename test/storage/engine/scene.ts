import { expect } from "vitest";
import type {
  Batch,
  Holding,
  JournalBlock,
  Keeping,
  NewWorld,
  Pin,
  StoreEngine,
  WorldRow,
} from "../../../src/storage/engine/store-engine.ts";

/** An engine under test, with what a test can do to it. */
export interface TestEngine {
  readonly engine: StoreEngine;
  /** Milliseconds of a lease that cases let end; a dozen acts fit in it. */
  readonly leaseMs: number;
  /** Whether `passMs` passes hours at once: the clock is simulated, or rows are made older. */
  readonly canPassHours: boolean;
  /** Another client of the same data, open. */
  second(): Promise<StoreEngine>;
  /** Clients of new data that nobody has opened; whoever asks for them closes them. */
  unopened(count: number): Promise<StoreEngine[]>;
  /** Lets the engine's clock pass. */
  passMs(ms: number): Promise<void>;
  /** Sets the wall clock of this process ahead of its engine's, or behind it; 0 sets it right. */
  shiftProcessClock(ms: number): void;
  /** Interrupts the next act of `engine`, which then throws StoreTrouble, done or not. */
  cutNext?(): void;
  close(): Promise<void>;
}

/** One promise of an engine: its sentence and how it is tried. */
export interface EngineCase {
  name: string;
  /** An ability that not every engine under test has. */
  needs?: "hours" | "cut";
  run(scene: Scene): Promise<void>;
}

/** A lease that outlives a case. */
const LONG_LEASE_MS = 600_000;

/** Lines of changes, with texts that an engine could spoil on their way. */
export const linesOf = (first: number, last: number, said = "é 漢 😀 \\n '\" \\u0000 $1"): string =>
  Array.from(
    { length: last - first + 1 },
    (_, at) => `${JSON.stringify([first + at, said])}\n`,
  ).join("");

/** Changes that continue what a holding knows. */
export const batchAfter = (
  { name, fence, timeline, seq }: Holding,
  count: number,
  more: Partial<Batch> = {},
): Batch => ({
  name,
  fence,
  timeline,
  first: seq + 1,
  last: seq + count,
  lines: linesOf(seq + 1, seq + count),
  ...more,
});

/** The keeping of a world that needs its whole timeline. */
export const keepingOf = (
  name: string,
  timeline: number,
  more: Partial<Keeping> = {},
): Keeping => ({
  holder: `world:${name}`,
  parts: [],
  pins: [{ timeline, after: 0 }],
  items: {},
  ...more,
});

export const holdingOf = ({ name, owner, fence, timeline, seq }: WorldRow): Holding => ({
  name,
  owner: owner ?? "",
  fence,
  timeline,
  seq,
});

let scenes = 0;

/** Names, processes and worlds of one case, which no other case has. */
export class Scene {
  readonly test: TestEngine;
  readonly engine: StoreEngine;
  readonly #serial: number;
  readonly #joined: string[] = [];

  constructor(test: TestEngine) {
    this.test = test;
    this.engine = test.engine;
    scenes += 1;
    this.#serial = scenes;
  }

  /** A name that only this case has. */
  name(short: string): string {
    return `${short}-${this.#serial}`;
  }

  async process(
    short: string,
    { leaseMs = LONG_LEASE_MS, knows = 1_000 }: { leaseMs?: number; knows?: number } = {},
  ): Promise<string> {
    const id = this.name(short);
    await this.engine.join({ id, knows, version: "1.2.3", loaded: 0 }, leaseMs);
    this.#joined.push(id);
    return id;
  }

  /** A process whose lease ends with `endLeases`. */
  mortal(short: string): Promise<string> {
    return this.process(short, { leaseMs: this.test.leaseMs });
  }

  async endLeases(): Promise<void> {
    await this.test.passMs(this.test.leaseMs + 50);
  }

  /** Makes a world with N changes in one block. */
  async world(
    short: string,
    owner: string,
    { changes = 0, ...more }: Partial<NewWorld> & { changes?: number } = {},
  ): Promise<Holding> {
    const name = this.name(short);
    const made = await this.newWorld(name, changes, more);
    expect(await this.engine.create({ ...made, owner })).toBe(true);
    return await this.held(name);
  }

  async newWorld(
    name: string,
    changes: number,
    more: Partial<NewWorld> = {},
  ): Promise<Omit<NewWorld, "owner">> {
    const timeline = await this.engine.newTimeline();
    return {
      facts: { name },
      timeline,
      seq: changes,
      ...(changes > 0 && { batch: { first: 1, last: changes, lines: linesOf(1, changes) } }),
      callers: [],
      keep: [keepingOf(name, timeline)],
      dueAtMs: null,
      ...more,
    };
  }

  async row(name: string): Promise<WorldRow> {
    const row = await this.engine.find(name);
    expect(row).toBeDefined();
    return row as WorldRow;
  }

  async held(name: string): Promise<Holding> {
    return holdingOf(await this.row(name));
  }

  /** Appends changes, which must be written, and gives the world as its owner knows it then. */
  async grow(holding: Holding, count: number, more: Partial<Batch> = {}): Promise<Holding> {
    const batch = batchAfter(holding, count, more);
    expect([...(await this.engine.append(holding.owner, [batch]))]).toEqual([holding.name]);
    return { ...holding, seq: batch.last };
  }

  async blocks(pin: Pin, engine: StoreEngine = this.engine): Promise<JournalBlock[]> {
    const blocks: JournalBlock[] = [];
    for await (const { first, last, lines } of engine.journal(pin))
      blocks.push({ first, last, lines });
    return blocks;
  }

  /** First and last `seq` of each block. */
  async ranges(pin: Pin): Promise<[number, number][]> {
    return (await this.blocks(pin)).map(({ first, last }) => [first, last]);
  }

  /** All that the engine says about a world, without the time of its lease. */
  async facts(name: string, { holders = [], keys = [] }: { holders?: string[]; keys?: string[] }) {
    const row = await this.engine.find(name);
    return {
      row: row && { ...row, leaseLeftMs: undefined },
      blocks: row && (await this.blocks({ timeline: row.timeline, after: 0 })),
      items: await Promise.all(holders.map((holder) => this.engine.items(holder))),
      makers: await Promise.all(keys.map((key) => this.engine.maker(key))),
    };
  }

  async end(): Promise<void> {
    this.test.shiftProcessClock(0);
    for (const id of this.#joined) await this.engine.leave(id);
  }
}

/** Whether an engine under test can do what a case needs. */
export const canRun = ({ needs }: EngineCase, test: TestEngine): boolean =>
  needs === undefined || (needs === "hours" ? test.canPassHours : test.cutNext !== undefined);

/** Tries one promise of an engine. */
export const runCase = async (engineCase: EngineCase, test: TestEngine): Promise<void> => {
  const scene = new Scene(test);
  try {
    await engineCase.run(scene);
  } finally {
    await scene.end();
  }
};
