/** A breach of what an engine and its owners promise, found by a history. */
export class HistoryBreach extends Error {
  override readonly name = "HistoryBreach";
}

const breach = (what: string): never => {
  throw new HistoryBreach(what);
};

/** Changes of one world, as callers were told of them. */
interface ToldWorld {
  /** Changes whose callers were told that they are in. */
  acknowledged: Set<string>;
  /** Changes whose callers were told that they are not in. */
  refused: Set<string>;
  /** Changes before a rewind that may be, or was, done: they need not be there. */
  mayBeCut: Set<string>;
  /** Changes behind a rewind whose caller was told that it was done: they must not come back. */
  cut: Set<string>;
  /** Values that its restore point may have. */
  points: Set<string | undefined>;
  /** The last write of the point whose caller was told, by timeline and fence, which both rise. */
  pointAt: { timeline: number; fence: number };
}

/** Changes of a world that are in for certain, and others that are not. */
export interface KnownChanges {
  promised: readonly string[];
  absent: ReadonlySet<string>;
  points: ReadonlySet<string | undefined>;
}

/** Everything that callers of a history were told, which the engine's data must agree with. */
export class HistoryTruth {
  readonly #worlds = new Map<string, ToldWorld>();
  readonly counts = { acknowledged: 0, refused: 0, unknown: 0, taken: 0, fenced: 0, written: 0 };

  of(name: string): ToldWorld {
    const known = this.#worlds.get(name);
    if (known) return known;
    const made: ToldWorld = {
      acknowledged: new Set(),
      refused: new Set(),
      mayBeCut: new Set(),
      cut: new Set(),
      points: new Set([undefined]),
      pointAt: { timeline: 0, fence: 0 },
    };
    this.#worlds.set(name, made);
    return made;
  }

  /** Everything that callers know of a world now, which each later reading has to agree with. */
  known(name: string): KnownChanges {
    const { acknowledged, mayBeCut, refused, cut, points } = this.of(name);
    return {
      points: new Set(points),
      promised: [...acknowledged].filter((id) => !mayBeCut.has(id)),
      absent: new Set([...refused, ...cut]),
    };
  }

  /** Compares what was read of a world with what callers knew when the reading began. */
  check(name: string, log: readonly string[], { promised, absent }: KnownChanges): void {
    const { mayBeCut } = this.of(name);
    const there = new Set(log);
    if (there.size !== log.length) breach(`a change of ${name} is there twice: ${log.join(" ")}`);
    for (const id of promised)
      if (!there.has(id) && !mayBeCut.has(id)) breach(`the acknowledged ${id} of ${name} is lost`);
    for (const id of log)
      if (absent.has(id)) breach(`${id} of ${name} is in: it was refused or cut`);
  }

  /** Notes a point that was written; an answer may arrive after those of later writes. */
  setPoint(
    name: string,
    value: string | undefined,
    { timeline, fence }: { timeline: number; fence: number },
  ): void {
    const told = this.of(name);
    const last = told.pointAt;
    if (timeline < last.timeline || (timeline === last.timeline && fence < last.fence)) return;
    told.pointAt = { timeline, fence };
    told.points = new Set([value]);
  }

  /** Compares a restore point with its values when the reading began, and since then. */
  checkPoint(name: string, value: string | undefined, known: KnownChanges): void {
    const values = new Set([...known.points, ...this.of(name).points]);
    if (!values.has(value))
      breach(`the point of ${name} is ${value} but callers know of ${[...values].join(" or ")}`);
  }
}
