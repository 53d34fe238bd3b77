import type { FaultInput } from "../contract/platform/faults.ts";
import type { AdvanceBody } from "../rows/advance-goal.ts";
import type { View } from "./view.ts";

/** Requests of a key to the simulator or the terminal. */
export type Effect =
  | { do: "make-payout" }
  | { do: "approve"; id: string }
  | { do: "reject"; id: string; reason: string }
  | { do: "resend"; id: string }
  | { do: "send-test" }
  | { do: "endpoint"; url: string; isNew: boolean }
  | { do: "fault"; body: FaultInput }
  | { do: "take-back"; ids: readonly string[] }
  | { do: "advance"; body: AdvanceBody; called: string }
  | { do: "undoable" }
  | { do: "step-back"; before: string }
  | { do: "worlds" }
  | { do: "fork"; from: string; name: string }
  | { do: "remove-world"; name: string }
  | { do: "switch"; name: string; isStarting: boolean }
  | { do: "clock"; mode: "manual" | "real" }
  | { do: "read"; path: string }
  | { do: "copy"; text: string }
  | { do: "retry" }
  | { do: "leave" }
  | { do: "lines" };

/** Result of a key. */
export interface KeyResult {
  view: View;
  effect?: Effect;
}
