import { EngineJournal } from "../../../../src/storage/engine/engine-journal.ts";
import { Flusher } from "../../../../src/storage/engine/flusher.ts";
import { Lease } from "../../../../src/storage/engine/lease.ts";
import { StoreTrouble } from "../../../../src/storage/port/store-trouble.ts";

/** The code under test, which may have a planted bug. */
export interface EngineCode {
  EngineJournal: typeof EngineJournal;
  Flusher: typeof Flusher;
  Lease: typeof Lease;
  StoreTrouble: typeof StoreTrouble;
}

/** The code as it is. */
export const WHOLE_CODE: EngineCode = { EngineJournal, Flusher, Lease, StoreTrouble };
