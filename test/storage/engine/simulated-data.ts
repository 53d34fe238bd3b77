import type {
  JournalBlock,
  Keeping,
  Pin,
  WorldFacts,
  WorldRow,
} from "../../../src/storage/engine/store-engine.ts";
import type { ProcessRow } from "../../../src/storage/port/shared-store.ts";
import type { EnginePlant } from "./engine-plants.ts";

/** A world as the simulated engine keeps it. */
export interface KeptWorld {
  facts: WorldFacts;
  order: number;
  owner: string | undefined;
  fence: number;
  timeline: number;
  seq: number;
  dueAtMs: number | undefined;
  summary: string | undefined;
  callers: Set<string>;
}

/** All that one holder keeps. */
export interface KeptHolder {
  parts: Set<string>;
  pins: readonly Pin[];
  items: Map<string, Buffer>;
}

export interface KeptProcess {
  row: Omit<ProcessRow, "leaseLeftMs">;
  untilMs: number;
  /** It left, or another process took a world of it. */
  isOver?: true;
}

/** An act of a client: its bugs, and the clock that judges leases. */
export interface ActContext {
  nowMs: number;
  plants: ReadonlySet<EnginePlant>;
}

const HOUR_MS = 3_600_000;

/** An act that was sent, and that happens after others although its answer is lost. */
interface LateAct {
  afterActs: number;
  run: () => void;
}

/**
 * The data of a simulated engine, which its clients share: they outlive every client. Its clock moves
 * only when it is told to.
 */
export class SimulatedData {
  nowMs = 1_760_000_000_000;
  format: number;
  /** Drawn by the client that opens it first. */
  key: Buffer | undefined;
  /** The reason why it is not fit to keep worlds, as settings of an engine can be. */
  unfit: string | undefined;
  /** Acts for which it is away, and for which it takes no writes. */
  awayForActs = 0;
  readOnlyForActs = 0;
  /** Rises when the engine ends: acts that were under way lose their answer. */
  life = 1;
  readonly processes = new Map<string, KeptProcess>();
  /** In the order in which they were made. */
  readonly worlds = new Map<string, KeptWorld>();
  readonly journal = new Map<number, JournalBlock[]>();
  readonly parts = new Map<string, { body: Buffer; storedAtMs: number }>();
  readonly holders = new Map<string, KeptHolder>();
  lastTimeline = 0;
  lastOrder = 0;
  #late: LateAct[] = [];

  constructor({ format = 5 }: { format?: number } = {}) {
    this.format = format;
  }

  passMs(ms: number): void {
    this.nowMs += ms;
  }

  /** Ends the engine and starts it again: it keeps all that was done, and what came late is lost. */
  restart(awayForActs: number): void {
    this.life += 1;
    this.awayForActs = awayForActs;
    this.#late = [];
  }

  /** Keeps an act that arrives only after some others. */
  delay(afterActs: number, run: () => void): void {
    this.#late.push({ afterActs, run });
  }

  /** One act arrives: those happen before it whose time has come. */
  arrive(): void {
    for (const act of this.#late) act.afterActs -= 1;
    const due = this.#late.filter(({ afterActs }) => afterActs < 0);
    this.#late = this.#late.filter(({ afterActs }) => afterActs >= 0);
    for (const { run } of due) run();
  }

  /** Lets everything arrive that is still under way, and ends all troubles. */
  settle(): void {
    this.awayForActs = 0;
    this.readOnlyForActs = 0;
    const late = this.#late;
    this.#late = [];
    for (const { run } of late) run();
  }

  leaseLeftMs(owner: string, nowMs: number): number | undefined {
    const process = this.processes.get(owner);
    return process && process.untilMs - nowMs;
  }

  isLive(owner: string | undefined, nowMs: number): boolean {
    return owner !== undefined && (this.leaseLeftMs(owner, nowMs) ?? 0) > 0;
  }

  rowOf(world: KeptWorld, nowMs: number): WorldRow {
    const { facts, order, owner, fence, timeline, seq, dueAtMs, summary } = world;
    const leaseLeftMs = owner === undefined ? undefined : this.leaseLeftMs(owner, nowMs);
    return {
      ...facts,
      order,
      ...(owner !== undefined && { owner }),
      ...(leaseLeftMs !== undefined && { leaseLeftMs }),
      fence,
      timeline,
      seq,
      ...(dueAtMs !== undefined && { dueAtMs }),
      ...(summary !== undefined && { summary }),
    };
  }

  processRows(nowMs: number): ProcessRow[] {
    return [...this.processes.values()]
      .filter(({ untilMs }) => untilMs > nowMs - HOUR_MS)
      .map(({ row, untilMs }) => ({ ...row, leaseLeftMs: untilMs - nowMs }));
  }

  holder(name: string): KeptHolder {
    const known = this.holders.get(name);
    if (known) return known;
    const made: KeptHolder = { parts: new Set(), pins: [], items: new Map() };
    this.holders.set(name, made);
    return made;
  }

  keep({ holder, parts, files = [], pins, items }: Keeping): void {
    this.holders.set(holder, {
      parts: new Set([...parts, ...files.filter((sha256) => this.parts.has(sha256))]),
      pins: [...pins],
      items: new Map(Object.entries(items).map(([name, bytes]) => [name, Buffer.from(bytes)])),
    });
  }

  addBlock(timeline: number, { first, last, lines }: JournalBlock): void {
    const blocks = this.journal.get(timeline) ?? [];
    blocks.push({ first, last, lines });
    this.journal.set(timeline, blocks);
  }

  /** The first block of a range. */
  nextBlock({ timeline, after, upTo }: Pin): JournalBlock | undefined {
    const found = this.journal
      .get(timeline)
      ?.find((block) => block.last > after && (upTo === undefined || block.first <= upTo));
    return found && { ...found };
  }

  sweep(plants: ReadonlySet<EnginePlant>): void {
    const holders = [...this.holders.values()];
    const held = new Set(holders.flatMap(({ parts }) => [...parts]));
    const youngMs = plants.has("an upload is swept before its commit") ? 0 : HOUR_MS;
    for (const [sha256, { storedAtMs }] of this.parts)
      if (!held.has(sha256) && storedAtMs + youngMs <= this.nowMs) this.parts.delete(sha256);

    const pins = holders
      .flatMap((holder) => holder.pins)
      .filter(({ upTo }) => upTo === undefined || !plants.has("a sweep drops a fork's pin"));
    for (const [timeline, blocks] of this.journal) {
      const own = pins.filter((pin) => pin.timeline === timeline);
      const needed = blocks.filter(({ first, last }) =>
        own.some(({ after, upTo }) => last > after && (upTo === undefined || first <= upTo)),
      );
      if (needed.length > 0) this.journal.set(timeline, needed);
      else this.journal.delete(timeline);
    }
  }
}
