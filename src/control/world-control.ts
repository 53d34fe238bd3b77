import type { SigningKey } from "../crypto/ecdsa.ts";
import type { Advance } from "../runtime/advance.ts";
import type { Engine } from "../runtime/engine.ts";

/** What the control surface works on: one world and the things around it. */
export interface WorldControl {
  engine: Engine;
  advance: Advance;
  key: SigningKey;
  version: string;
  storage: { url: string; fsync: boolean };
  urls(): { apiUrl: string; controlUrl: string };
  isReady(): boolean;
  /** Back to the start; what was dropped is counted. */
  reset(): void;
  openApi(): unknown;
}
