import type { WorldRow } from "../contract/control/worlds.ts";
import { instant } from "../domain/core/draft.ts";
import { keyOfUser } from "../domain/platform/caller-keys.ts";
import type { FaultCounts } from "../http/door/fault-injection.ts";
import { runningAt } from "../runtime/clock.ts";
import type { StoppedWorld } from "../storage/port/held-world.ts";

/** Counts of a world when it left memory: it continues from there. */
export interface KeptCounts {
  /** Requests that have a number. */
  requests: number;
  /** Calls that its fault switches and rate limit counted. */
  faults?: FaultCounts;
  /** Times that it began in this run of the simulator. */
  openings?: number;
}

/** A world that is on storage alone (spec/worlds.md#unloading). */
export class UnloadedWorld {
  readonly counts: KeptCounts;
  /** Resolves when nothing of it is at work any more, and its storage is free. */
  readonly ended: Promise<unknown>;
  private readonly name: string;
  private facts: StoppedWorld | undefined;
  private keys = new Set<string>();

  constructor(
    name: string,
    {
      facts,
      counts = { requests: 0 },
      ended = Promise.resolve(),
    }: { facts: StoppedWorld | undefined; counts?: KeptCounts; ended?: Promise<unknown> },
  ) {
    this.name = name;
    this.counts = counts;
    this.ended = ended;
    this.learn(facts);
  }

  /** Takes the facts of its last stop; none are known after a kill. */
  learn(facts: StoppedWorld | undefined) {
    this.facts = facts;
    this.keys = new Set(facts?.keys);
  }

  /** False after a kill: then only its records tell who calls it. */
  get isKnown() {
    return this.facts !== undefined;
  }

  /** Whether it takes something that a caller shows. */
  takes(key: string) {
    return this.keys.has(key);
  }

  hasClientId(clientId: string) {
    return this.facts?.clientId === clientId;
  }

  /** Keys of the credentials of its own client id. */
  get ownKeys(): string[] {
    const { clientId, keys = [] } = this.facts ?? {};
    return keys.filter((key) => key.startsWith(keyOfUser(clientId ?? "", "")));
  }

  /** Its row in the list of worlds, as far as it is known. */
  row(wallMs: number): WorldRow | undefined {
    if (!this.facts) return undefined;
    const { clientId, records, atMs, clock } = this.facts;
    const now = instant(Math.max(atMs, runningAt(clock, wallMs)));
    return { name: this.name, clientId, records, now, isLoaded: false };
  }
}
