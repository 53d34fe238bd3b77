import { hostTime } from "../machine/host-time.ts";

/**
 * The time in which a simulator still serves calls while `/_sim/ready` says that it stops
 * (spec/store.md#drain).
 */
export class Drain {
  /** Milliseconds of real time that it lasts. */
  forMs = 0;
  /** Tells whether it has begun. */
  isOn = false;

  /** @param skip ends it early when it aborts */
  async run(skip?: AbortSignal): Promise<void> {
    this.isOn = true;
    if (this.forMs === 0 || skip?.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = hostTime.setTimeout(resolve, this.forMs);
      skip?.addEventListener("abort", () => {
        hostTime.clearTimeout(timer);
        resolve();
      });
    });
  }
}
