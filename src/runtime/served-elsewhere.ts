import { JournalFailure } from "./ports.ts";

/** A process that serves a world, as far as calls of the world need it. */
export interface ServingProcess {
  id: string;
  /** `host:port` that other processes reach it at; absent where it has no second listener. */
  peer?: string;
  /** Milliseconds until its lease ends, if it does not renew it. */
  leaseLeftMs: number;
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
