import type { FaultEffect, FaultMatch } from "../../contract/platform/faults.ts";
import type { Stamped } from "./stamped.ts";

/** A fault switch: which calls it strikes, and what happens to them. */
export interface FaultRecord extends Stamped {
  match: FaultMatch;
  fault: FaultEffect;
}
