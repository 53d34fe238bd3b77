import type { FaultEffect, FaultMatch } from "../../contract/platform/faults.ts";
import type { Stamped } from "./stamped.ts";

/** A fault switch: the calls it applies to, and its effect (spec/faults.md#switch). */
export interface FaultRecord extends Stamped {
  match: FaultMatch;
  fault: FaultEffect;
}
