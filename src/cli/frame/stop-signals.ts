import { EXIT } from "./command.ts";

/** Signals that tell a simulator to stop. */
const STOP_SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** The signals that tell this process to stop, from its making on. */
export class StopSignals {
  /** Resolves at the first one. */
  readonly first: Promise<void>;
  private readonly skipping = new AbortController();
  private isWaiting = false;

  /** @param end ends the process at a further signal, while nothing waits that it could skip */
  constructor(end: () => void = () => process.exit(EXIT.notDone)) {
    this.first = new Promise((stop) => {
      let isFirst = true;
      const onSignal = () => {
        if (isFirst) stop();
        else if (this.isWaiting && !this.skipping.signal.aborted) this.skipping.abort();
        else end();
        isFirst = false;
      };
      for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
    });
  }

  /** Waits for work that the next signal skips. */
  async during(work: (skip: AbortSignal) => Promise<void>): Promise<void> {
    this.isWaiting = true;
    await work(this.skipping.signal);
    this.isWaiting = false;
  }
}
