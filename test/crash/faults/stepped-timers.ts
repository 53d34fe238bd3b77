import { hostTime } from "../../../src/machine/host-time.ts";

/** Timers of the simulator that fire when they are told to, so that nothing waits for a retry. */
export class SteppedTimers {
  private readonly real = { ...hostTime };
  private readonly waiting = new Map<object, () => void>();

  constructor() {
    Object.assign(hostTime, {
      setTimeout: (work: () => void) => {
        const timer = { unref: () => timer, ref: () => timer, hasRef: () => false };
        this.waiting.set(timer, work);
        return timer;
      },
      clearTimeout: (timer: object | undefined) => {
        if (timer) this.waiting.delete(timer);
      },
    });
  }

  /** Fires everything that waits now. */
  fire() {
    const due = [...this.waiting];
    this.waiting.clear();
    for (const [, work] of due) work();
  }

  restore() {
    Object.assign(hostTime, this.real);
  }
}
