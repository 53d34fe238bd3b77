import { machineWall, type Wall } from "../runtime/ports.ts";

/** The system clock of a replay: it stands where the capsule says. */
export class ReplayWall implements Wall {
  private ms: number;
  private liveSinceMs: number | undefined;
  readonly after = machineWall.after;

  constructor(ms: number) {
    this.ms = ms;
  }

  nowMs() {
    if (this.liveSinceMs === undefined) return this.ms;
    return this.ms + machineWall.nowMs() - this.liveSinceMs;
  }

  stand(ms: number) {
    this.ms = ms;
  }

  /** Continues with the machine's time, from where it stands. */
  goLive() {
    this.liveSinceMs = machineWall.nowMs();
  }
}
