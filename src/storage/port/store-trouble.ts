import { JournalFailure, outcomeOf, type PassingTrouble } from "../../runtime/ports.ts";

/** Another process owns the world now: nothing was written, and what is in memory may be old. */
export class Fenced extends Error {
  override readonly name = "Fenced";

  constructor(world: string, owner?: string) {
    super(
      owner === undefined
        ? `the world ${world} is served by another process`
        : `the world ${world} is served by ${owner}`,
    );
  }
}

/** A world of that name is there already: nothing was written. */
export class NameTaken extends JournalFailure {
  constructor(world: string) {
    super(`there is a world ${world} already`);
  }
}

/**
 * The store could not do something now, and may do it later: it is unreachable, slow, full or takes
 * no writes. Calls that waited for it are answered 503 (spec/store.md#trouble).
 */
export class StoreTrouble extends JournalFailure {
  override readonly trouble: PassingTrouble;
  /** The engine's own code, such as `25006`. */
  readonly code: string | undefined;

  constructor(seen: string, of: { mayBeDone: boolean; code?: string; later?: Promise<unknown> }) {
    const { mayBeDone, code, later } = of;
    super(`${seen}: ${outcomeOf({ mayBeDone })}`);
    this.trouble = { seen, mayBeDone };
    this.code = code;
    this.later = later;
  }

  get mayBeDone() {
    return this.trouble.mayBeDone;
  }
}

/** The store is not fit to keep worlds as it is set, or is not reachable at the start (exit 4). */
export class StoreRefused extends Error {
  override readonly name = "StoreRefused";
}
