import type { EventType } from "../../contract/webhooks/events.ts";
import { assertInvariant } from "../core/invariant.ts";

/** One allowed move; it sends `emits` exactly once. */
export interface Move<State extends string, Trigger extends string> {
  from: State;
  on: Trigger;
  to: State;
  emits?: EventType;
}

/** A state machine as a table. A move that is not listed is refused. */
export interface Lifecycle<State extends string, Trigger extends string> {
  starts: State;
  /** Event of the record's creation. */
  startEmits?: EventType;
  /** Final states. */
  ends: readonly State[];
  moves: readonly Move<State, Trigger>[];
}

export const lifecycle = <State extends string, Trigger extends string>(
  table: Lifecycle<State, Trigger>,
) => table;

/** The move of a trigger from a state; `undefined` if the lifecycle has none. */
export const findMove = <State extends string, Trigger extends string>(
  { moves }: Lifecycle<State, Trigger>,
  from: State,
  on: Trigger,
) => moves.find((move) => move.from === from && move.on === on);

/** The state that a trigger leads to, from whichever state it is allowed. */
export const targetOf = <State extends string, Trigger extends string>(
  { moves }: Lifecycle<State, Trigger>,
  on: Trigger,
): State => {
  const move = moves.find((one) => one.on === on);
  assertInvariant(move !== undefined, "a listed trigger", { on });
  return move.to;
};

/**
 * The move of a trigger from a state, for callers that have checked it; a missing one is our bug.
 */
export const moveOf = <State extends string, Trigger extends string>(
  table: Lifecycle<State, Trigger>,
  from: State,
  on: Trigger,
) => {
  const move = findMove(table, from, on);
  assertInvariant(move !== undefined, "a listed move", { from, on });
  return move;
};
