import type { Branch } from "../../../src/runtime/branch.ts";
import type { Contents, Replica } from "./replica.ts";

/** A point of a world: the number of a change, and the branch that it is on. */
interface Point {
  seq: number;
  branch: Branch;
}

/** What a process held when it ended, and which events receivers had been told of. */
interface EndedLife {
  replicas: ReadonlyMap<string, Replica>;
  told: ReadonlySet<string>;
}

/**
 * Processes that have ended since worlds were last compared, oldest first. A start that is cut off
 * may have written already, so the next one is compared with the newest process that knows a point.
 */
export class Lives {
  private ended: EndedLife[] = [];

  /** Keeps what a process held. */
  end(replicas: ReadonlyMap<string, Replica>, told: Iterable<string>) {
    if (replicas.size > 0) this.ended.push({ replicas, told: new Set(told) });
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
