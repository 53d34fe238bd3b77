import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { existsSync, openSync, readSync } from "node:fs";
import { PerformanceObserver } from "node:perf_hooks";

const MS_PER_US = 1e-3;
const MS_PER_NS = 1e-6;
/** Time that the main thread of this process was run, on Linux. */
const THREAD_TIMES = `/proc/self/task/${process.pid}/schedstat`;

/**
 * Milliseconds for which the main thread was run. Systems that do not tell it have the time of all
 * threads, which is never less.
 */
const processorTime = (): (() => number) => {
  if (!existsSync(THREAD_TIMES))
    return () => {
      const { user, system } = process.cpuUsage();
      return (user + system) * MS_PER_US;
    };
  const file = openSync(THREAD_TIMES, "r");
  const bytes = Buffer.alloc(64);
  return () => {
    const length = readSync(file, bytes, 0, bytes.length, 0);
    return Number.parseInt(bytes.toString("latin1", 0, length), 10) * MS_PER_NS;
  };
};

const processorMs = processorTime();

/** Time between two looks at the event loop. */
const PERIOD_MS = 5;
/** Shorter stretches are not kept. */
const SHORTEST_KEPT_MS = 10;
/** Told by Node.js of each request that begins. */
const BEGINS = "http.server.request.start";

/** Longest stretches of a process that serves; 0 where none was longer than 10 ms. */
export interface Stretches {
  /** Of one piece of work, which no other request could begin in; garbage is left out. */
  pieceMs: number;
  /** Of one turn of the event loop, in which every waiting connection has its piece. */
  turnMs: number;
  /** The same as a clock on the wall tells it, with garbage and the time of other programs. */
  wallMs: number;
}

interface Span {
  fromMs: number;
  toMs: number;
}

interface Stretch extends Span {
  usedMs: number;
}

const overlapMs = (one: Span, other: Span) =>
  Math.max(0, Math.min(one.toMs, other.toMs) - Math.max(one.fromMs, other.fromMs));

/** Beats of one kind, and the long stretches between them. */
class Pulse {
  readonly stretches: Stretch[] = [];
  private lastMs = performance.now();
  private usedMs = processorMs();

  beat() {
    const nowMs = performance.now();
    const usedMs = processorMs();
    if (nowMs - this.lastMs > SHORTEST_KEPT_MS)
      this.stretches.push({ fromMs: this.lastMs, toMs: nowMs, usedMs: usedMs - this.usedMs });
    this.lastMs = nowMs;
    this.usedMs = usedMs;
  }

  /** The longest stretch by the time that the process itself used, without garbage. */
  longestMs(collections: readonly Span[]): number {
    const ownMs = this.stretches.map((one) => {
      const usedMs = Math.min(one.toMs - one.fromMs, one.usedMs);
      return collections.reduce((ms, other) => ms - overlapMs(one, other), usedMs);
    });
    return Math.max(0, ...ownMs);
  }
}

/** Looks at the event loop of this process, and keeps its stretches. */
export class LoopWatch {
  private turns = new Pulse();
  private pieces = new Pulse();
  private collections: Span[] = [];
  private timer: NodeJS.Timeout | undefined;
  private readonly begins = () => this.pieces.beat();
  private readonly observer = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      this.collections.push({ fromMs: startTime, toMs: startTime + duration });
  });

  start() {
    this.turns = new Pulse();
    this.pieces = new Pulse();
    this.collections = [];
    this.observer.observe({ entryTypes: ["gc"] });
    subscribe(BEGINS, this.begins);
    this.timer = setInterval(() => {
      this.turns.beat();
      this.pieces.beat();
    }, PERIOD_MS);
  }

  /** The longest stretches since the start. */
  end(): Stretches {
    clearInterval(this.timer);
    unsubscribe(BEGINS, this.begins);
    this.observer.disconnect();
    const { turns, pieces, collections } = this;
    return {
      pieceMs: pieces.longestMs(collections),
      turnMs: turns.longestMs(collections),
      wallMs: Math.max(0, ...turns.stretches.map(({ fromMs, toMs }) => toMs - fromMs)),
    };
  }
}
