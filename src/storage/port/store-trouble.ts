import { JournalFailure, outcomeOf, type PassingTrouble } from "../../runtime/ports.ts";
import type { ProcessRow } from "./shared-store.ts";

/** A process, as far as calls of its worlds need it. */
export type ServingProcess = Pick<ProcessRow, "id" | "peer" | "leaseLeftMs">;

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

/** A live process serves the world: it cannot be taken now. */
export class ServedElsewhere extends JournalFailure {
  readonly world: string;
  /** Id of the process that serves it. */
  readonly owner: string;
  /** `host:port` that other processes reach it at; absent where it has no second listener. */
  readonly peer: string | undefined;
  /** Milliseconds until its lease ends, if it does not renew it. */
  readonly leaseLeftMs: number;

  constructor(place: string, world: string, { id, peer, leaseLeftMs }: ServingProcess) {
    const process = peer === undefined ? id : `${id} (${peer})`;
    super(`the world ${world} of ${place} is served by another simulator, ${process}`);
    this.world = world;
    this.owner = id;
    this.peer = peer;
    this.leaseLeftMs = leaseLeftMs;
  }
}

/** A world of that name is there already: nothing was written. */
export class NameTaken extends Error {
  override readonly name = "NameTaken";

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
