import type { HostTime } from "../../../../src/machine/host-time.ts";
import { turn } from "../../../runtime/setup/turns.ts";

interface Alarm {
  atMs: number;
  run: () => void;
}

/** The instant at which a test begins, by the system clock. */
export const STARTED_MS = 1_800_000_000_000;

/** Both clocks, the timers and the turns of one process, which move when a test says so. */
export class TestTime {
  wallMs = STARTED_MS;
  /** Milliseconds since the test began. */
  monotonicMs = 0;
  private alarms: Alarm[] = [];
  private immediates: (() => void)[] = [];

  /** Stands in for the machine's time. */
  readonly host = {
    nowMs: () => this.wallMs,
    monotonicMs: () => this.monotonicMs,
    setTimeout: (run: () => void, delayMs = 0) => {
      const alarm = { atMs: this.monotonicMs + delayMs, run, unref: () => alarm };
      this.alarms.push(alarm);
      return alarm;
    },
    clearTimeout: (alarm: unknown) => {
      this.alarms = this.alarms.filter((one) => one !== alarm);
    },
    setImmediate: (run: () => void) => {
      this.immediates.push(run);
      return {};
    },
  } as unknown as HostTime;

  /** Ends the present turn, lets promises run dry, and so on until nothing is left for a next one. */
  async turn() {
    await turn();
    while (this.immediates.length > 0) {
      for (const run of this.immediates.splice(0)) run();
      await turn();
    }
  }

  /** Moves both clocks, and fires each timer at its instant. */
  async pass(spanMs: number) {
    const endMs = this.monotonicMs + spanMs;
    await this.turn();
    for (;;) {
      const next = this.next();
      if (!next || next.atMs > endMs) break;
      this.moveTo(next.atMs);
      this.host.clearTimeout(next as never);
      next.run();
      await this.turn();
    }
    this.moveTo(endMs);
  }

  /** Moves both clocks while the process is stopped: no timer fires. */
  sleep(spanMs: number) {
    this.moveTo(this.monotonicMs + spanMs);
  }

  /** Drops all that was to come, as a kill of the process does. */
  forget() {
    this.alarms = [];
    this.immediates = [];
  }

  private next(): Alarm | undefined {
    let next: Alarm | undefined;
    for (const alarm of this.alarms) if (!next || alarm.atMs < next.atMs) next = alarm;
    return next;
  }

  private moveTo(atMs: number) {
    const spanMs = Math.max(0, atMs - this.monotonicMs);
    this.monotonicMs += spanMs;
    this.wallMs += spanMs;
  }
}
