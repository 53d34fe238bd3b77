import { hostTime } from "../../machine/host-time.ts";

/** Size of the journal past which a checkpoint is due, unless the last checkpoint is larger. */
const AFTER_BYTES = 8 * 1024 * 1024;
/** The same for a world that is never quiet: its callers wait for a checkpoint. */
const BUSY_AFTER_BYTES = 128 * 1024 * 1024;
/** A journal this many times longer than the last checkpoint has one while the world is busy. */
const URGENT_TIMES = 4;
/** Segments past which a checkpoint is due: each restore point links those after the newest one. */
const AFTER_SEGMENTS = 64;

/** Time without a change after which a world is quiet, in wall milliseconds. */
const QUIET_MS = 250;

/** Files of a world since its last checkpoint. */
export interface SinceCheckpoint {
  journalBytes: number;
  /** Size of the last checkpoint. */
  checkpointBytes: number;
  /** Segments begun since. */
  segments: number;
  /** True when a checkpoint on disk cannot be used. */
  hasDamage: boolean;
  /** Bytes in place of 8 MiB, and four times as many in place of 128 MiB; for tests. */
  afterBytes?: number | undefined;
}

/** The instant of a checkpoint; nothing when none is due. */
export type CheckpointDue = "now" | "when quiet" | undefined;

/**
 * Says when a world's next checkpoint is written: at once, or when nothing has changed for a while,
 * since callers wait for a checkpoint that is written under load
 * (decisions/checkpoints-when-quiet.md).
 */
export const checkpointDue = ({
  journalBytes,
  checkpointBytes,
  segments,
  hasDamage,
  afterBytes,
}: SinceCheckpoint): CheckpointDue => {
  const busyAfter = afterBytes === undefined ? BUSY_AFTER_BYTES : URGENT_TIMES * afterBytes;
  const urgentBytes = Math.max(busyAfter, URGENT_TIMES * checkpointBytes);
  if (hasDamage || segments > AFTER_SEGMENTS || journalBytes > urgentBytes) return "now";
  return journalBytes > Math.max(afterBytes ?? AFTER_BYTES, checkpointBytes)
    ? "when quiet"
    : undefined;
};

/** The world whose checkpoints a timer writes. */
interface WatchedJournal {
  due(): CheckpointDue;
  /** Number of its last change. */
  seq(): number;
  write(): void;
}

/** Writes the checkpoints of a world when they are due. */
export class CheckpointTimer {
  private readonly world: WatchedJournal;
  private waiting: NodeJS.Timeout | undefined;

  constructor(world: WatchedJournal) {
    this.world = world;
  }

  /** Looks whether one is due, after each turn with a change. */
  look() {
    const due = this.world.due();
    if (due === "now") this.world.write();
    else if (due && !this.waiting) this.waitUntilQuiet();
  }

  stop() {
    if (this.waiting) hostTime.clearTimeout(this.waiting);
  }

  private waitUntilQuiet() {
    const seq = this.world.seq();
    this.waiting = hostTime.setTimeout(() => {
      this.waiting = undefined;
      if (!this.world.due()) return;
      if (this.world.seq() === seq) this.world.write();
      else this.waitUntilQuiet();
    }, QUIET_MS);
    this.waiting.unref();
  }
}
