import { randomBytes } from "node:crypto";
import { OtherFormat } from "../../../src/runtime/change.ts";
import type {
  Batch,
  Holding,
  JournalBlock,
  NewWorld,
  Pin,
  StoreEngine,
  WorldRow,
  Writing,
} from "../../../src/storage/engine/store-engine.ts";
import type { ProcessRow } from "../../../src/storage/port/shared-store.ts";
import { StoreRefused, StoreTrouble } from "../../../src/storage/port/store-trouble.ts";
import type { ActName, Fault, FaultSource } from "./engine-faults.ts";
import type { EnginePlant } from "./engine-plants.ts";
import {
  appendBatch,
  createWorld,
  halfOf,
  indexCallers,
  mayAppend,
  takeWorld,
  writeWorld,
} from "./simulated-acts.ts";
import type { ActContext, SimulatedData } from "./simulated-data.ts";

/** Options of a simulated client. */
export interface SimulatedOptions {
  faults?: FaultSource;
  /** Awaited before each act, and by slow ones more often: it orders the acts of all clients. */
  schedule?: (act: ActName) => Promise<void>;
  plants?: ReadonlySet<EnginePlant>;
  /** The newest format that this program knows. */
  knows?: number;
  /** Wall clock of the process, which only a planted bug asks for; the engine's unless it is given. */
  processClock?: () => number;
}

const READS: ReadonlySet<ActName> = new Set([
  "open",
  "check",
  "processes",
  "find",
  "worlds",
  "due",
  "maker",
  "journal",
  "items",
  "holders",
  "parts",
]);

/** An engine in maps: a client of data that others share, with faults that are chosen for it. */
export class SimulatedEngine implements StoreEngine {
  readonly place = "simulated://engine";
  readonly #data: SimulatedData;
  readonly #options: SimulatedOptions;
  readonly #plants: ReadonlySet<EnginePlant>;
  #unreachableForActs = 0;
  #isClosed = false;
  /** Caller keys that a planted bug indexes with the next append. */
  #unindexed: (() => void)[] = [];

  constructor(data: SimulatedData, options: SimulatedOptions = {}) {
    this.#data = data;
    this.#options = options;
    this.#plants = options.plants ?? new Set();
  }

  open(): Promise<{ format: number; key: Buffer }> {
    return this.#act("open", () => {
      const { format, unfit } = this.#data;
      if (unfit !== undefined) throw new StoreRefused(unfit);
      if (format > (this.#options.knows ?? format)) throw new OtherFormat(this.place, format);
      this.#data.key ??= randomBytes(32);
      return { format, key: Buffer.from(this.#data.key) };
    });
  }

  check(): Promise<void> {
    return this.#act("check", () => {
      if (this.#data.unfit !== undefined) throw new StoreRefused(this.#data.unfit);
    });
  }

  raiseFormat(format: number): Promise<boolean> {
    return this.#act("raiseFormat", ({ nowMs }) => {
      const live = this.#data.processRows(nowMs).filter(({ leaseLeftMs }) => leaseLeftMs > 0);
      if (live.some(({ knows }) => knows < format)) return false;
      this.#data.format = Math.max(this.#data.format, format);
      return true;
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  join(row: Omit<ProcessRow, "leaseLeftMs">, leaseMs: number): Promise<void> {
    return this.#act("join", ({ nowMs }) => {
      if (row.knows < this.#data.format) throw new OtherFormat(this.place, this.#data.format);
      this.#data.processes.set(row.id, { row: { ...row }, untilMs: nowMs + leaseMs });
    });
  }

  renew(id: string, leaseMs: number, { loaded }: { loaded: number }): Promise<boolean> {
    return this.#act("renew", ({ nowMs }) => {
      const process = this.#data.processes.get(id);
      const isOver = process?.isOver && !this.#plants.has("a renewal after another's take");
      if (!process || isOver || process.row.knows < this.#data.format) return false;
      process.untilMs = nowMs + leaseMs;
      process.row.loaded = loaded;
      return true;
    });
  }

  leave(id: string): Promise<void> {
    return this.#act("leave", ({ nowMs }) => {
      const process = this.#data.processes.get(id);
      if (process)
        Object.assign(process, { untilMs: Math.min(process.untilMs, nowMs), isOver: true });
      for (const world of this.#data.worlds.values())
        if (world.owner === id) world.owner = undefined;
    });
  }

  processes(): Promise<ProcessRow[]> {
    return this.#act("processes", ({ nowMs }) => this.#data.processRows(nowMs));
  }

  find(name: string): Promise<WorldRow | undefined> {
    return this.#act("find", ({ nowMs }) => {
      const world = this.#data.worlds.get(name);
      return world && this.#data.rowOf(world, nowMs);
    });
  }

  worlds(): Promise<WorldRow[]> {
    return this.#act("worlds", ({ nowMs }) =>
      [...this.#data.worlds.values()].map((world) => this.#data.rowOf(world, nowMs)),
    );
  }

  due(limit: number): Promise<string[]> {
    return this.#act("due", ({ nowMs }) =>
      [...this.#data.worlds.values()]
        .filter(
          ({ owner, dueAtMs }) =>
            dueAtMs !== undefined &&
            dueAtMs <= this.#data.nowMs &&
            !this.#data.isLive(owner, nowMs),
        )
        .sort((a, b) => (a.dueAtMs ?? 0) - (b.dueAtMs ?? 0))
        .slice(0, limit)
        .map(({ facts }) => facts.name),
    );
  }

  maker(callerKey: string): Promise<string | undefined> {
    return this.#act("maker", () => {
      for (const { facts, callers } of this.#data.worlds.values())
        if (callers.has(callerKey)) return facts.name;
      return undefined;
    });
  }

  newTimeline(): Promise<number> {
    return this.#act("newTimeline", () => {
      this.#data.lastTimeline += 1;
      return this.#data.lastTimeline;
    });
  }

  create(world: NewWorld): Promise<boolean> {
    return this.#act("create", () => createWorld(this.#data, world));
  }

  take(name: string, owner: string): Promise<WorldRow | undefined> {
    if (this.#plants.has("a take reads before its fence rises"))
      return this.#takeAfterRead(name, owner);
    return this.#act("take", (context) => takeWorld(this.#data, { name, owner }, context));
  }

  async append(owner: string, batches: readonly Batch[]): Promise<ReadonlySet<string>> {
    if (this.#plants.has("half a group is written"))
      return await this.#appendInHalves(owner, batches);
    if (!this.#plants.has("fence checked in an earlier statement"))
      return await this.#act("append", (context) => this.#append(owner, batches, context));
    const allowed = await this.#act("append", (context) =>
      batches.filter((batch) =>
        mayAppend(this.#data.worlds.get(batch.name), { owner, batch }, context),
      ),
    );
    return await this.#act("append", () => {
      for (const batch of allowed) this.#write(batch);
      return new Set(allowed.map(({ name }) => name));
    });
  }

  write(holding: Holding, writing: Writing): Promise<void> {
    return this.#act("write", (context) => writeWorld(this.#data, { holding, writing }, context));
  }

  async *journal({ timeline, after, upTo }: Pin): AsyncIterable<JournalBlock> {
    let from = after;
    for (;;) {
      // Other acts happen between two blocks, as between two pages of an engine.
      const block = await this.#act("journal", () =>
        this.#data.nextBlock({ timeline, after: from, ...(upTo !== undefined && { upTo }) }),
      );
      if (!block) return;
      yield block;
      from = block.last;
    }
  }

  items(holder: string): Promise<Readonly<Record<string, Buffer>>> {
    return this.#act("items", () =>
      Object.fromEntries(
        [...(this.#data.holders.get(holder)?.items ?? [])].map(([name, bytes]) => [
          name,
          Buffer.from(bytes),
        ]),
      ),
    );
  }

  holders(prefix: string, item: string): Promise<{ holder: string; bytes: Buffer }[]> {
    return this.#act("holders", () =>
      [...this.#data.holders].flatMap(([holder, { items }]) => {
        const bytes = items.get(item);
        return bytes && holder.startsWith(prefix) ? [{ holder, bytes: Buffer.from(bytes) }] : [];
      }),
    );
  }

  putParts(parts: readonly { sha256: string; body: Buffer }[]): Promise<void> {
    return this.#act("putParts", () => {
      for (const { sha256, body } of parts)
        this.#data.parts.set(sha256, { body: Buffer.from(body), storedAtMs: this.#data.nowMs });
    });
  }

  parts(sha256s: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
    return this.#act("parts", () => {
      const found = new Map<string, Buffer>();
      for (const sha256 of sha256s) {
        const part = this.#data.parts.get(sha256);
        if (part) found.set(sha256, Buffer.from(part.body));
      }
      return found;
    });
  }

  sweep(): Promise<void> {
    return this.#act("sweep", () => this.#data.sweep(this.#plants));
  }

  /** The bug of an engine that writes a group in two statements. */
  async #appendInHalves(owner: string, batches: readonly Batch[]): Promise<ReadonlySet<string>> {
    const written = await this.#act("append", (context) =>
      this.#append(owner, batches.map(halfOf), context),
    );
    return await this.#act("append", () => {
      for (const batch of batches) {
        const world = this.#data.worlds.get(batch.name);
        if (!world || !written.has(batch.name)) continue;
        this.#data.journal.get(world.timeline)?.pop();
        appendBatch(this.#data, world, batch);
      }
      return written;
    });
  }

  #append(owner: string, batches: readonly Batch[], context: ActContext): Set<string> {
    const written = new Set<string>();
    for (const batch of batches)
      if (mayAppend(this.#data.worlds.get(batch.name), { owner, batch }, context)) {
        this.#write(batch);
        written.add(batch.name);
      }
    return written;
  }

  async #takeAfterRead(name: string, owner: string): Promise<WorldRow | undefined> {
    const before = await this.find(name);
    const row = await this.#act("take", (context) =>
      takeWorld(this.#data, { name, owner }, context),
    );
    return row && before && { ...row, timeline: before.timeline, seq: before.seq };
  }

  #write(batch: Batch): void {
    const world = this.#data.worlds.get(batch.name);
    if (!world) return;
    appendBatch(this.#data, world, batch);
    for (const index of this.#unindexed.splice(0)) index();
    if (this.#plants.has("caller index after the append"))
      this.#unindexed.push(() => indexCallers(world, batch));
    else indexCallers(world, batch);
  }

  /** One act, as the scheduler lets it happen, with the fault that is chosen for it. */
  async #act<Done>(act: ActName, run: (context: ActContext) => Done): Promise<Done> {
    const data = this.#data;
    await this.#options.schedule?.(act);
    const fault = this.#options.faults?.(act);
    const { life } = data;
    const isDoneNow = () => data.life === life;
    this.#refuse(act, fault);

    const doIt = () => run({ nowMs: this.#judgingClock(), plants: this.#plants });
    if (fault?.kind === "late") {
      data.delay(fault.afterActs, () => {
        if (data.readOnlyForActs === 0 || READS.has(act)) settled(doIt);
      });
      throw lost();
    }
    if (fault?.kind === "slow") await this.#wait(act, fault.turnsBefore);
    if (!isDoneNow() || (fault?.kind === "lost" && !fault.isDone)) throw lost();
    data.arrive();
    const done = settled(doIt);
    if (fault?.kind === "slow") await this.#wait(act, fault.turnsAfter);
    else await undefined;
    if (!isDoneNow() || fault?.kind === "lost") throw lost();
    return done();
  }

  async #wait(act: ActName, turns: number): Promise<void> {
    for (let turn = 0; turn < turns; turn += 1) await this.#options.schedule?.(act);
  }

  /** Refuses an act that certainly does not reach the engine, or that the engine does not take. */
  #refuse(act: ActName, fault: Fault | undefined): void {
    const data = this.#data;
    if (fault?.kind === "unreachable") this.#unreachableForActs = fault.forActs;
    if (fault?.kind === "readOnly") data.readOnlyForActs = fault.forActs;
    if (fault?.kind === "restart") data.restart(fault.forActs + 1);
    const isAway = this.#unreachableForActs > 0 || data.awayForActs > 0;
    const isReadOnly = data.readOnlyForActs > 0 && !READS.has(act);
    this.#unreachableForActs = Math.max(0, this.#unreachableForActs - 1);
    data.awayForActs = Math.max(0, data.awayForActs - 1);
    data.readOnlyForActs = Math.max(0, data.readOnlyForActs - 1);
    if (this.#isClosed || isAway)
      throw new StoreTrouble(`${this.place} does not answer`, { mayBeDone: false, code: "08001" });
    if (isReadOnly)
      throw new StoreTrouble(`${this.place} takes no writes`, { mayBeDone: false, code: "25006" });
  }

  #judgingClock(): number {
    const { processClock } = this.#options;
    return processClock && this.#plants.has("expiry by the process's clock")
      ? processClock()
      : this.#data.nowMs;
  }
}

const lost = () =>
  new StoreTrouble("simulated://engine gave no answer", { mayBeDone: true, code: "08006" });

/** Runs an act now; its result or its refusal is given when the answer arrives. */
const settled = <Done>(run: () => Done): (() => Done) => {
  try {
    const done = run();
    return () => done;
  } catch (error) {
    return () => {
      throw error;
    };
  }
};
