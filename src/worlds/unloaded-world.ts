import type { WorldRow } from "../contract/control/worlds.ts";
import { instant } from "../domain/core/draft.ts";
import { runningAt } from "../runtime/clock.ts";
import type { StoppedWorld } from "../runtime/storage/opened-world.ts";

/** A world that is on storage alone (spec/worlds.md#unloading). */
export class UnloadedWorld {
  /** Requests of it that this process has numbered: later ones go on from there. */
  readonly requests: number;
  /** Resolves when nothing of it is at work any more, and its storage is free. */
  readonly ended: Promise<unknown>;
  private readonly name: string;
  private facts: StoppedWorld | undefined;
  private keys = new Set<string>();

  constructor(
    name: string,
    {
      facts,
      requests = 0,
      ended = Promise.resolve(),
    }: { facts: StoppedWorld | undefined; requests?: number; ended?: Promise<unknown> },
  ) {
    this.name = name;
    this.requests = requests;
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

  /** Its row in the list of worlds, as far as it is known. */
  row(wallMs: number): WorldRow | undefined {
    if (!this.facts) return undefined;
    const { clientId, records, atMs, clock } = this.facts;
    const now = instant(Math.max(atMs, runningAt(clock, wallMs)));
    return { name: this.name, clientId, records, now, isLoaded: false };
  }
}
