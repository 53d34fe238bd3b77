import { type HostTime, hostTime } from "../../machine/host-time.ts";
import { Fenced } from "../port/store-trouble.ts";
import {
  ANSWER_MS,
  answeredWithin,
  backoff,
  mayBeDone,
  type Trouble,
  troubleOf,
} from "./engine-trouble.ts";
import type { Batch, StoreEngine, WorldRow } from "./store-engine.ts";

/** Most that one batch, and one flush of several worlds, takes; a group of changes is never split. */
export const BATCH_LIMITS = { characters: 1024 * 1024, changes: 1000 };

/** Flushes of a process that may be under way. */
const MOST_FLUSHES = 4;

/** A world whose changes are flushed. */
export interface BatchSource {
  readonly name: string;
  /** True once the world belongs to another process: nothing of it is sent any more. */
  readonly isLost: boolean;
  /** Whether whole groups wait. */
  readonly isReady: boolean;
  /** Takes the next whole groups; nothing when none wait. */
  nextBatch(): Batch | undefined;
  written(batch: Batch): void;
  lose(why: string): void;
}

interface Part {
  source: BatchSource;
  batch: Batch;
}

/**
 * Group commit of all worlds of a process: what is ready at the end of a turn is one append. A flush
 * keeps its place among the few under way until each of its batches is in or refused for good
 * (spec/store.md#flush).
 */
export class Flusher {
  private readonly engine: Pick<StoreEngine, "append" | "find">;
  private readonly owner: string;
  private readonly time: HostTime;
  private readonly waiting = new Set<BatchSource>();
  /** Worlds that have a flush under way. */
  private readonly busy = new Set<BatchSource>();
  private underWay = 0;
  private turn: NodeJS.Immediate | undefined;
  /** Trouble by the flush that meets it, the oldest first. */
  private readonly troubles = new Map<object, Trouble>();

  constructor(parts: {
    engine: Pick<StoreEngine, "append" | "find">;
    owner: string;
    time?: HostTime;
  }) {
    this.engine = parts.engine;
    this.owner = parts.owner;
    this.time = parts.time ?? hostTime;
  }

  /** Flushes a world at the end of this turn, or once its flush under way has ended. */
  ready(source: BatchSource) {
    if (this.busy.has(source)) return;
    this.waiting.add(source);
    this.schedule();
  }

  /** Reason why changes do not get in at present, and since when; it ends by itself. */
  trouble(): Trouble | undefined {
    return this.troubles.values().next().value;
  }

  private schedule() {
    if (this.waiting.size === 0 || this.underWay >= MOST_FLUSHES) return;
    this.turn ??= this.time.setImmediate(() => {
      this.turn = undefined;
      this.start();
    });
  }

  private start() {
    while (this.underWay < MOST_FLUSHES) {
      const parts = this.gather();
      if (parts.length === 0) return;
      void this.flush(parts);
    }
  }

  private gather(): Part[] {
    const parts: Part[] = [];
    let characters = 0;
    let changes = 0;
    for (const source of this.waiting) {
      if (characters >= BATCH_LIMITS.characters || changes >= BATCH_LIMITS.changes) break;
      this.waiting.delete(source);
      const batch = source.nextBatch();
      if (!batch) continue;
      this.busy.add(source);
      parts.push({ source, batch });
      characters += batch.lines.length;
      changes += batch.last - batch.first + 1;
    }
    return parts;
  }

  private async flush(parts: readonly Part[]) {
    this.underWay += 1;
    const flush = {};
    let open = parts;
    for (let tries = 0; open.length > 0; tries += 1) {
      if (tries > 0) await backoff(tries - 1, this.time);
      open = await this.attempt(this.withoutLost(open), flush);
    }
    this.troubles.delete(flush);
    this.underWay -= 1;
    this.schedule();
  }

  /** Sends batches once. @returns those that are certainly not in yet */
  private async attempt(parts: readonly Part[], flush: object): Promise<readonly Part[]> {
    if (parts.length === 0) return parts;
    const written = await this.send(parts, flush);
    if (!written) return parts;
    const asked: Part[] = [];
    for (const part of parts)
      if (written.has(part.batch.name)) this.settle(part);
      else asked.push(part);
    const again: Part[] = [];
    // One after the other: an engine that comes back is not met by hundreds of questions.
    for (const part of asked)
      if ((await this.settleByHead(part, flush)) === "not in") again.push(part);
    return again;
  }

  /** @returns worlds known to be written; nothing when it is certain that none is */
  private async send(
    parts: readonly Part[],
    flush: object,
  ): Promise<ReadonlySet<string> | undefined> {
    const batches = parts.map(({ batch }) => batch);
    try {
      const act = this.engine.append(this.owner, batches);
      const written = await answeredWithin(act, ANSWER_MS, this.time);
      this.troubles.delete(flush);
      return written;
    } catch (error) {
      this.meet(error, flush);
      return mayBeDone(error) ? new Set() : undefined;
    }
  }

  /**
   * Asks the engine what became of a batch: it was refused, or its answer was lost. A refusal may
   * follow a first try that came in late.
   */
  private async settleByHead(part: Part, flush: object): Promise<"settled" | "not in"> {
    const { source, batch } = part;
    const head = await this.head(source, flush);
    if (source.isLost) this.leave(source);
    else if (head === undefined) this.lose(source, `the world ${source.name} was deleted`);
    else if (head.owner !== this.owner || head.fence !== batch.fence)
      this.lose(source, new Fenced(source.name, head.owner).message);
    else if (head.timeline === batch.timeline && head.seq === batch.last) this.settle(part);
    else if (head.timeline === batch.timeline && head.seq === batch.first - 1) return "not in";
    else this.lose(source, `the store has another state of the world ${source.name}`);
    return "settled";
  }

  private async head(source: BatchSource, flush: object): Promise<WorldRow | undefined> {
    for (let tries = 0; !source.isLost; tries += 1)
      try {
        return await answeredWithin(this.engine.find(source.name), ANSWER_MS, this.time);
      } catch (error) {
        this.meet(error, flush);
        await backoff(tries, this.time);
      }
    return undefined;
  }

  private meet(error: unknown, flush: object) {
    const sinceMs = this.troubles.get(flush)?.sinceMs ?? this.time.nowMs();
    this.troubles.set(flush, troubleOf(error, sinceMs));
  }

  private settle({ source, batch }: Part) {
    this.busy.delete(source);
    source.written(batch);
    if (source.isReady) this.ready(source);
  }

  private lose(source: BatchSource, why: string) {
    this.leave(source);
    source.lose(why);
  }

  private leave(source: BatchSource) {
    this.busy.delete(source);
    this.waiting.delete(source);
  }

  private withoutLost(parts: readonly Part[]): readonly Part[] {
    for (const { source } of parts) if (source.isLost) this.leave(source);
    return parts.filter(({ source }) => !source.isLost);
  }
}
