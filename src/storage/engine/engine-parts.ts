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
  /** Notes that a world is in memory. */
  held(name: string): void;
  /** Notes that a world is no longer in memory. */
  released(name: string): void;
}
