import { hostTime } from "../machine/host-time.ts";

/** Share of the idle span after which idle worlds are looked for. */
const SWEEPS_PER_TTL = 4;
/** Shortest span between two looks, in wall milliseconds. */
const SHORTEST_SWEEP_MS = 1_000;

/** Work of a sweep, and the needs that decide on the next one. */
export interface SweepOptions {
  /** Idle span of a world, in wall milliseconds. */
  ttlMs: number;
  sweep(nowMs: number): Promise<void>;
  /** Tells whether any world is there that could become idle. */
  isNeeded(): boolean;
  alarm(message: string): void;
}

/** Looks for idle worlds from time to time: one timer for all, which keeps no process alive. */
export class IdleSweeps {
  private readonly work: SweepOptions;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(work: SweepOptions) {
    this.work = work;
  }

  /** Makes sure that a look is to come. */
  later() {
    if (this.timer || this.isStopped) return;
    const delayMs = Math.max(SHORTEST_SWEEP_MS, this.work.ttlMs / SWEEPS_PER_TTL);
    this.timer = hostTime.setTimeout(() => this.look(), Math.min(delayMs, 2 ** 31 - 1)).unref();
  }

  /** Looks no more. */
  stop() {
    this.isStopped = true;
    if (this.timer) hostTime.clearTimeout(this.timer);
    this.timer = undefined;
  }

  private look() {
    this.timer = undefined;
    this.work.sweep(hostTime.monotonicMs()).catch(({ message }: Error) => {
      this.work.alarm(`idle worlds were not unloaded: ${message}`);
    });
    if (this.work.isNeeded()) this.later();
  }
}
