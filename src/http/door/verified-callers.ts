import type { ApiTokenRecord } from "../../domain/records/platform-records.ts";
import type { WorldState } from "../../runtime/world-state.ts";

/** Callers remembered at most; past that the one that was added first is forgotten. */
export const MAX_CALLERS = 4096;

/** A world, as far as checking a credential again needs it. */
export interface HoldingWorld {
  engine: { state: WorldState };
}

/** A checked credential, and the world and record that it was checked against. */
export interface VerifiedCaller {
  world: HoldingWorld;
  token: ApiTokenRecord;
}

/**
 * Credentials that were checked, by the headers that carried them. Checking one costs a digest and
 * a search through the worlds, so each is checked once.
 */
export class VerifiedCallers {
  /** Beginnings of credentials that are refused as production's, beside the usual ones. */
  readonly productionPrefixes: readonly string[];
  private readonly byHeaders = new Map<string, VerifiedCaller>();

  constructor(productionPrefixes: readonly string[] = []) {
    this.productionPrefixes = productionPrefixes;
  }

  /**
   * The caller behind the headers. It stays valid while the token's record is the same object,
   * since records are replaced when they change.
   */
  find(headers: string): VerifiedCaller | undefined {
    const known = this.byHeaders.get(headers);
    if (!known) return undefined;
    const { world, token } = known;
    if (world.engine.state.get("ApiToken", token.id) === token) return known;
    this.byHeaders.delete(headers);
    return undefined;
  }

  add(headers: string, caller: VerifiedCaller) {
    this.byHeaders.set(headers, caller);
    const [oldest] = this.byHeaders.keys();
    if (this.byHeaders.size > MAX_CALLERS && oldest !== undefined) this.byHeaders.delete(oldest);
  }

  /** Forgets everyone who called a world: it is gone. */
  forget(world: HoldingWorld) {
    for (const [headers, caller] of this.byHeaders)
      if (caller.world === world) this.byHeaders.delete(headers);
  }
}
