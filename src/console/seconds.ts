/** The parts of a page that the seconds need. */
export interface Page extends Pick<EventTarget, "addEventListener" | "removeEventListener"> {
  readonly hidden: boolean;
}

const TICK_MS = 1000;

/** The one interval of a page, for all ages and countdowns: none while it is hidden or nobody counts. */
export class Seconds {
  private readonly page: () => Page;
  private readonly listeners = new Set<() => void>();
  private timer: ReturnType<typeof setInterval> | undefined;
  private passed = 0;

  constructor(page: () => Page) {
    this.page = page;
  }

  /** Changes with each second that was counted. */
  readonly count = () => this.passed;

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    if (this.listeners.size === 1) {
      this.page().addEventListener("visibilitychange", this.onVisibility);
      this.run();
    }
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size > 0) return;
      this.page().removeEventListener("visibilitychange", this.onVisibility);
      clearInterval(this.timer);
    };
  };

  private run() {
    clearInterval(this.timer);
    if (!this.page().hidden) this.timer = setInterval(this.tick, TICK_MS);
  }

  private readonly onVisibility = () => {
    this.run();
    if (!this.page().hidden) this.tick();
  };

  private readonly tick = () => {
    this.passed += 1;
    for (const listener of [...this.listeners]) listener();
  };
}
