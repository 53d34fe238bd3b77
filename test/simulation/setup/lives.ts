import type { Branch } from "../../../src/runtime/branch.ts";
import type { Contents, Replica } from "./replica.ts";
import type { CrashMode } from "./simulated-disk.ts";

/** A point of a world: the number of a change, and the branch that it is on. */
interface Point {
  seq: number;
  branch: Branch;
}

/** Contents of a process when it ended, and the events that receivers had been told of. */
interface EndedLife {
  replicas: ReadonlyMap<string, Replica>;
  told: ReadonlySet<string>;
  mode: CrashMode;
}

/**
 * Processes that have ended since worlds were last compared, oldest first. A start that is cut off
 * may have written already, so the next one is compared with the newest process that knows a point.
 */
export class Lives {
  private ended: EndedLife[] = [];

  /** Keeps what a process held. */
  end(mode: CrashMode, replicas: ReadonlyMap<string, Replica>, told: Iterable<string>) {
    this.ended.push({ mode, replicas, told: new Set(told) });
  }

  /** Forgets all of them: from here on there is one truth again. */
  forget() {
    this.ended = [];
  }

  /** A world at a point of a branch, as the newest process that knows the point held it. */
  at(name: string, { seq, branch }: Point): Contents | undefined {
    for (const { replicas } of this.ended.toReversed()) {
      const contents = replicas.get(name)?.at(seq, branch);
      if (contents) return contents;
    }
    return undefined;
  }

  /** The point that a process had read from the disk, when it is later and no power cut came since. */
  readAfter(name: string, { seq, branch }: Point): number | undefined {
    for (const { mode, replicas } of this.ended.toReversed()) {
      if (mode === "power") return undefined;
      const read = replicas.get(name)?.readOn(branch);
      if (read !== undefined && read > seq) return read;
    }
    return undefined;
  }

  /** An event after a point that a process had told a receiver of. */
  toldAfter(name: string, { seq, branch }: Point): string | undefined {
    for (const { replicas, told } of this.ended) {
      const later = replicas.get(name)?.eventsAfter(seq, branch);
      const lost = later?.find((id) => told.has(id));
      if (lost !== undefined) return lost;
    }
    return undefined;
  }
}
