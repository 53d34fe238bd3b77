/** Time between two looks at the event loop. */
const PERIOD_MS = 5;
const MS_PER_US = 1e-3;

/** Longest times in which the event loop did not turn. */
export interface Stretches {
  /** As a clock on the wall tells it, with the time that other programs took. */
  wallMs: number;
  /** No more than the processor time that this process used meanwhile. */
  ownMs: number;
}

/** Looks at the event loop of this process, and keeps its longest stretch without a turn. */
export class LoopWatch {
  private longest: Stretches = { wallMs: 0, ownMs: 0 };
  private timer: NodeJS.Timeout | undefined;

  start() {
    this.longest = { wallMs: 0, ownMs: 0 };
    let lastMs = performance.now();
    let used = process.cpuUsage();
    this.timer = setInterval(() => {
      const nowMs = performance.now();
      const { user, system } = process.cpuUsage(used);
      const wallMs = Math.max(0, nowMs - lastMs - PERIOD_MS);
      const ownMs = Math.min(wallMs, (user + system) * MS_PER_US);
      this.longest = {
        wallMs: Math.max(this.longest.wallMs, wallMs),
        ownMs: Math.max(this.longest.ownMs, ownMs),
      };
      lastMs = nowMs;
      used = process.cpuUsage();
    }, PERIOD_MS);
  }

  /** The longest stretches since the start. */
  end(): Stretches {
    clearInterval(this.timer);
    return this.longest;
  }
}
