import type { FaultEffect, FaultMatch } from "../../contract/platform/faults.ts";
import type { Timestamps } from "./timestamps.ts";

/** A fault switch: the calls it applies to, and its effect (spec/faults.md#switch). */
export interface FaultRecord extends Timestamps {
  match: FaultMatch;
  fault: FaultEffect;
}
