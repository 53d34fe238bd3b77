import type {
  Batch,
  Holding,
  Pin,
  StoreEngine,
  Writing,
} from "../../../src/storage/engine/store-engine.ts";
import { Fenced, NameTaken, StoreTrouble } from "../../../src/storage/port/store-trouble.ts";
import type { HistoryTruth } from "./history-truth.ts";
import { holdingOf, keepingOf } from "./scene.ts";

/** An act whose outcome is not known; nothing else is done with its world until it is settled. */
type Doubt =
  | { kind: "append"; batch: Batch; ids: readonly string[] }
  | { kind: "write"; writing: Writing; done: () => void };

/** A world in the memory of its owner. */
interface HeldWorld {
  holding: Holding;
  log: string[];
  past: readonly Pin[];
  doubt?: Doubt;
}

/** Pins of the changes up to a `seq`. */
const pastUpTo = (past: readonly Pin[], seq: number): Pin[] =>
  past
    .filter(({ after }) => after < seq)
    .map((pin) => ({ ...pin, upTo: Math.min(pin.upTo ?? seq, seq) }));

const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value));

/** Reads a world's changes, by what it says of its past. */
export const readLog = async (
  engine: StoreEngine,
  name: string,
): Promise<{ log: string[]; past: readonly Pin[] }> => {
  const items = await engine.items(`world:${name}`);
  const past = JSON.parse(String(items.past)) as Pin[];
  const log: string[] = [];
  for (const pin of past)
    for await (const { lines } of engine.journal(pin))
      for (const line of lines.trimEnd().split("\n")) {
        const [seq, id] = JSON.parse(line) as [number, string];
        if (seq <= pin.after || seq > (pin.upTo ?? seq)) continue;
        if (seq !== log.length + 1) throw new Error(`Expected ${log.length + 1} but found ${seq}`);
        log.push(id);
      }
  return { log, past };
};

/** Changes the rules of an owner, to see that a history finds what they prevent. */
export interface OwnerRules {
  /** Believes the fence of a world although one of its own takes may come in late. */
  trustsFenceAfterLostTake?: true;
  /** Counts an unknown append as written. */
  countsUnknownAsWritten?: true;
}

/** A process of a history: it takes worlds, writes them, and settles what is not known. */
export class HistoryProcess {
  id: string;
  readonly held = new Map<string, HeldWorld>();
  readonly #engine: StoreEngine;
  readonly #truth: HistoryTruth;
  readonly #rules: OwnerRules;
  /** Worlds of which a take had no answer: it may come in at any time. */
  readonly #lostTakes = new Set<string>();
  #ids = 0;

  constructor(
    engine: StoreEngine,
    truth: HistoryTruth,
    { id, rules }: { id: string; rules: OwnerRules },
  ) {
    this.#engine = engine;
    this.#truth = truth;
    this.#rules = rules;
    this.id = id;
  }

  #fresh(): string {
    this.#ids += 1;
    return `${this.id}.${this.#ids}`;
  }

  #fenced(name: string): void {
    this.#truth.counts.fenced += 1;
    this.held.delete(name);
  }

  async take(name: string): Promise<void> {
    if (this.held.has(name)) return;
    const known = this.#truth.known(name);
    const row = await this.#engine.take(name, this.id).catch((error: unknown) => {
      if (error instanceof StoreTrouble && error.mayBeDone) this.#lostTakes.add(name);
      throw error;
    });
    if (row?.owner !== this.id) return;
    const holding = holdingOf(row);
    const read = await this.#read(name).catch((error: unknown) => error as Error);
    // While this one read, another one may have taken it: then it read a mixture.
    const now = await this.#engine.find(name);
    if (now?.owner !== this.id || now.fence !== holding.fence) return;
    if (read instanceof Error) throw read;
    const { log, past, point } = read;
    this.#truth.check(name, log, known);
    this.#truth.checkPoint(name, point, known);
    if (log.length !== holding.seq) throw new Error(`${name}: ${log.length} of ${holding.seq}`);
    this.#truth.counts.taken += 1;
    this.held.set(name, { holding, log, past });
  }

  async #read(name: string) {
    const { value } = await this.#engine.items(`point:${name}`);
    return { ...(await readLog(this.#engine, name)), point: value && String(value) };
  }

  /** Appends some changes to each of some worlds, in one call. */
  async append(names: readonly string[], count: number): Promise<void> {
    const sent = names.flatMap((name) => {
      const world = this.held.get(name);
      if (!world || world.doubt) return [];
      const ids = Array.from({ length: count }, () => this.#fresh());
      const { fence, timeline, seq } = world.holding;
      const lines = ids.map((id, at) => `${JSON.stringify([seq + 1 + at, id])}\n`).join("");
      const batch = { name, fence, timeline, first: seq + 1, last: seq + count, lines };
      return [{ world, ids, batch }];
    });
    try {
      const written = await this.#engine.append(
        this.id,
        sent.map(({ batch }) => batch),
      );
      for (const { world, ids, batch } of sent)
        if (written.has(batch.name)) this.#isIn(world, ids, batch);
        else {
          this.#isRefused(batch.name, ids);
          this.#fenced(batch.name);
        }
    } catch (error) {
      if (!(error instanceof StoreTrouble)) throw error;
      for (const { world, ids, batch } of sent)
        if (!error.mayBeDone) this.#isRefused(batch.name, ids);
        else if (this.#rules.countsUnknownAsWritten) this.#isIn(world, ids, batch);
        else world.doubt = { kind: "append", batch, ids };
    }
  }

  #isIn(world: HeldWorld, ids: readonly string[], batch: Batch): void {
    const { acknowledged } = this.#truth.of(batch.name);
    for (const id of ids) acknowledged.add(id);
    this.#truth.counts.acknowledged += ids.length;
    world.log = [...world.log, ...ids];
    world.holding = { ...world.holding, seq: batch.last };
    delete world.doubt;
  }

  #isRefused(name: string, ids: readonly string[]): void {
    const { refused } = this.#truth.of(name);
    for (const id of ids) refused.add(id);
    this.#truth.counts.refused += ids.length;
  }

  /** Goes back to a `seq`, on a timeline of its own. */
  async rewind(name: string, seq: number): Promise<void> {
    const world = this.held.get(name);
    if (!world || world.doubt) return;
    const timeline = await this.#engine.newTimeline();
    const past = [...pastUpTo(world.past, seq), { timeline, after: seq }];
    const told = this.#truth.of(name);
    const cut = world.log.slice(seq);
    for (const id of cut) told.mayBeCut.add(id);
    await this.#write(world, {
      writing: {
        keep: [keepingOf(name, timeline, { pins: past, items: { past: bytesOf(past) } })],
        switchTo: { timeline, seq, callers: [], dueAtMs: null },
      },
      done: () => {
        for (const id of cut) told.cut.add(id);
        world.log = world.log.slice(0, seq);
        world.past = past;
        world.holding = { ...world.holding, timeline, seq };
      },
    });
  }

  /** Keeps a restore point with a value, or drops it. */
  async point(name: string, isKept: boolean): Promise<void> {
    const world = this.held.get(name);
    if (!world || world.doubt) return;
    const value = isKept ? this.#fresh() : undefined;
    const { points } = this.#truth.of(name);
    points.add(value);
    const holder = `point:${name}`;
    const pins = pastUpTo(world.past, world.holding.seq);
    await this.#write(world, {
      writing:
        value === undefined
          ? { drop: [holder] }
          : { keep: [{ holder, parts: [], pins, items: { value: Buffer.from(value) } }] },
      done: () => {
        this.#truth.setPoint(name, value, world.holding);
      },
    });
  }

  /** Makes another world of the first changes of one. */
  async fork(name: string, { to, seq }: { to: string; seq: number }): Promise<void> {
    const world = this.held.get(name);
    if (!world || world.doubt) return;
    const timeline = await this.#engine.newTimeline();
    const past = [...pastUpTo(world.past, seq), { timeline, after: seq }];
    const ids = world.log.slice(0, seq);
    await this.#write(world, {
      writing: {
        fork: {
          facts: { name: to, from: name },
          timeline,
          seq,
          callers: [],
          keep: [keepingOf(to, timeline, { pins: past, items: { past: bytesOf(past) } })],
          dueAtMs: null,
        },
      },
      done: () => {
        const { acknowledged } = this.#truth.of(to);
        for (const id of ids) acknowledged.add(id);
      },
    });
  }

  /** Makes a world under a name, which nobody may have. */
  async create(name: string): Promise<void> {
    const timeline = await this.#engine.newTimeline();
    const past = [{ timeline, after: 0 }];
    const isMade = await this.#engine.create({
      facts: { name },
      owner: this.id,
      timeline,
      seq: 0,
      callers: [],
      keep: [keepingOf(name, timeline, { items: { past: bytesOf(past) } })],
      dueAtMs: null,
    });
    if (!isMade) return;
    const holding = { name, owner: this.id, fence: 1, timeline, seq: 0 };
    this.held.set(name, { holding, log: [], past });
  }

  /** Deletes a world with its point. */
  async remove(name: string): Promise<void> {
    const world = this.held.get(name);
    if (!world || world.doubt) return;
    const told = this.#truth.of(name);
    const cut = world.log;
    for (const id of cut) told.mayBeCut.add(id);
    told.points.add(undefined);
    await this.#write(world, {
      writing: { drop: [`point:${name}`], remove: true },
      done: () => {
        for (const id of cut) told.cut.add(id);
        this.#truth.setPoint(name, undefined, world.holding);
        this.held.delete(name);
      },
    });
  }

  async release(name: string): Promise<void> {
    const world = this.held.get(name);
    if (!world || world.doubt) return;
    await this.#write(world, {
      writing: { release: { summary: "{}", dueAtMs: null } },
      done: () => this.held.delete(name),
    });
  }

  async #write(
    world: HeldWorld,
    { writing, done }: { writing: Writing; done: () => void },
  ): Promise<void> {
    try {
      await this.#engine.write(world.holding, writing);
      this.#isWritten(world, done);
    } catch (error) {
      if (error instanceof NameTaken) delete world.doubt;
      else if (error instanceof Fenced) await this.#askAfterRefusal(world);
      else if (error instanceof StoreTrouble && error.mayBeDone)
        world.doubt ??= { kind: "write", writing, done };
      else throw error;
    }
  }

  #isWritten(world: HeldWorld, done: () => void): void {
    this.#truth.counts.written += 1;
    world.holding = { ...world.holding, fence: world.holding.fence + 1 };
    delete world.doubt;
    done();
  }

  /** A refused act whose first try had no answer may be in; one without doubt was fenced. */
  async #askAfterRefusal(world: HeldWorld): Promise<void> {
    if (world.doubt) await this.settle(world.holding.name);
    else this.#fenced(world.holding.name);
  }

  /** Asks the engine what became of an act, and sends it again when it is not in. */
  async settle(name: string): Promise<void> {
    const world = this.held.get(name);
    const doubt = world?.doubt;
    if (!world || !doubt) return;
    const { holding } = world;
    const row = await this.#engine.find(name);
    this.#truth.counts.unknown += 1;
    if (doubt.kind === "append") {
      const { batch, ids } = doubt;
      const isOurs =
        row?.owner === this.id && row.fence === holding.fence && row.timeline === holding.timeline;
      if (!isOurs) return this.#fenced(name);
      if (row.seq === batch.last) return this.#isIn(world, ids, batch);
      const written = await this.#engine.append(this.id, [batch]);
      if (written.has(name)) this.#isIn(world, ids, batch);
      return;
    }
    const isKnown = this.#rules.trustsFenceAfterLostTake || !this.#lostTakes.has(name);
    const isReleased = doubt.writing.release !== undefined && row?.owner === undefined;
    const isOurs = isKnown && (row?.owner === this.id || isReleased);
    if (isOurs && row?.fence === holding.fence + 1) return this.#isWritten(world, doubt.done);
    if (row?.owner === this.id && row.fence === holding.fence)
      return await this.#write(world, doubt);
    this.#fenced(name);
  }
}
