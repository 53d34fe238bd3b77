import { setImmediate as idle } from "node:timers/promises";

/** An order of acts that a seed chooses: each waits for its turn, one at a time. */
export class SeededSchedule {
  readonly #draw: () => number;
  readonly #between: () => void;
  #waiting: (() => void)[] = [];

  /**
   * @param draw numbers from 0 to below 1
   * @param between called before each turn, for example to let a clock pass
   */
  constructor(draw: () => number, between: () => void = () => {}) {
    this.#draw = draw;
    this.#between = between;
  }

  /** Waits for a turn. */
  readonly turn = (): Promise<void> =>
    new Promise((resolve) => {
      this.#waiting.push(resolve);
    });

  /** Gives turns until all tasks have ended. @throws what the first failed task threw */
  async run(tasks: readonly Promise<unknown>[]): Promise<void> {
    let isDone = false;
    const all = Promise.allSettled(tasks).then((results) => {
      isDone = true;
      return results;
    });
    while (!isDone) {
      await idle();
      const [next] = this.#waiting.splice(Math.floor(this.#draw() * this.#waiting.length), 1);
      this.#between();
      next?.();
    }
    for (const result of await all) if (result.status === "rejected") throw result.reason;
  }
}
