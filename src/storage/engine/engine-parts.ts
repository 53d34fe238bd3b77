import type { EngineReader } from "./engine-reader.ts";
import type { Flusher } from "./flusher.ts";
import type { Lease } from "./lease.ts";
import type { StoreEngine } from "./store-engine.ts";

/** Parts that all worlds of a process in an engine share. */
export interface EngineParts {
  engine: StoreEngine;
  reader: EngineReader;
  flusher: Flusher;
  lease: Lease;
  /** Id of this process. */
  process: string;
  /** Notes that a world is in memory, in place of an earlier copy of it. */
  held(name: string, world: object): void;
  /**
   * Notes that a world is no longer in memory.
   * @returns false where a later copy is: what is in the engine is that one's
   */
  released(name: string, world: object): boolean;
}
