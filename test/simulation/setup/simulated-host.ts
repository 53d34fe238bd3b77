import { turn } from "../../runtime/setup/turns.ts";
import type { Chance } from "./chance.ts";
import { SimulatedWall } from "./simulated-wall.ts";

interface Pending {
  run: () => void;
  isOver?: true;
}

interface Alarm {
  stop(): void;
  ref(): Alarm;
  unref(): Alarm;
  hasRef(): boolean;
}

/**
 * The event loop, clock and timers of one process. Nothing happens by itself: the history says when
 * the next thing happens, and lets promises run dry after each.
 */
export class SimulatedHost {
  readonly wall = new SimulatedWall();
  /** Turns over all histories of this host. */
  turns = 0;
  /** Turns in which several things could have happened next. */
  choices = 0;
  private readonly chance: Chance;
  private immediates: Pending[] = [];
  private completions: Pending[] = [];

  constructor(chance: Chance) {
    this.chance = chance;
  }

  /** Has the end of a file call happen among the next turns. */
  readonly later = (run: () => void) => {
    this.completions.push({ run });
  };

  get isQuiet() {
    return this.immediates.length === 0 && this.completions.length === 0;
  }

  /** Lets one thing happen: the oldest of the loop, or any call that has ended. */
  async turn() {
    this.turns += 1;
    const { immediates, completions, chance } = this;
    if (completions.length + Math.min(1, immediates.length) > 1) this.choices += 1;
    const isCall = completions.length > 0 && (immediates.length === 0 || chance.oneIn(2));
    const [next] = isCall
      ? completions.splice(chance.below(completions.length), 1)
      : immediates.splice(0, 1);
    if (next && !next.isOver) next.run();
    await turn();
  }

  /** Ends the process: nothing that it had begun continues. */
  kill() {
    this.immediates = [];
    this.completions = [];
    this.wall.forget();
  }

  /** Stands in for the machine's time in the program. */
  time() {
    const after = (delayMs: number, run: () => void): Alarm => {
      const alarm: Alarm = {
        stop: this.wall.after(delayMs, run),
        ref: () => alarm,
        unref: () => alarm,
        hasRef: () => false,
      };
      return alarm;
    };
    return {
      nowMs: () => this.wall.nowMs(),
      monotonicMs: () => this.wall.nowMs(),
      setTimeout: (run: () => void, delayMs = 0) => after(delayMs, run),
      clearTimeout: (alarm?: Alarm) => alarm?.stop(),
      setInterval: (run: () => void, everyMs = 0) => {
        let alarm = after(everyMs, again);
        function again() {
          alarm = after(everyMs, again);
          run();
        }
        return { stop: () => alarm.stop(), unref: () => {} };
      },
      clearInterval: (interval?: { stop(): void }) => interval?.stop(),
      setImmediate: (run: (...given: unknown[]) => void, ...given: unknown[]) => {
        const pending: Pending & { unref?: () => void } = { run: () => run(...given) };
        this.immediates.push(pending);
        return pending;
      },
      clearImmediate: (pending?: Pending) => {
        if (pending) pending.isOver = true;
      },
      timeoutSignal: () => new AbortController().signal,
    };
  }
}
