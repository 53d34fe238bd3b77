import { callerKeys } from "../../domain/platform/caller-keys.ts";
import type { ClockState } from "../../runtime/clock.ts";
import type { WorldState } from "../../runtime/world-state.ts";
import type { StoppedWorld } from "../port/held-world.ts";

/** Facts about a world that is being closed. */
export const summaryOf = (
  state: WorldState,
  { clientId, clock }: { clientId: string; clock: ClockState },
): StoppedWorld => ({
  clientId,
  records: state.recordCount(),
  atMs: state.atMs,
  clock,
  keys: callerKeys(state),
});
