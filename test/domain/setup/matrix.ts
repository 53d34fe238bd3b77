import { expect, test } from "vitest";
import { InvariantViolation } from "../../../src/domain/core/invariant.ts";
import { findMove, type Lifecycle, moveOf } from "../../../src/domain/lifecycles/lifecycle.ts";

/** The move of a trigger from a state, with its event, or a refusal. */
export type Cell<State extends string> = "refused" | readonly [to: State, emits?: string];

/** Every state × every trigger; `tsc` rejects an incomplete matrix. */
export type Matrix<State extends string, Trigger extends string> = Record<
  State,
  Record<Trigger, Cell<State>>
>;

interface Row<State extends string, Trigger extends string> {
  from: State;
  on: Trigger;
  cell: Cell<State>;
  does: string;
}

const rowsOf = <State extends string, Trigger extends string>(matrix: Matrix<State, Trigger>) =>
  Object.entries(matrix).flatMap(([from, triggers]) =>
    Object.entries(triggers as Record<string, Cell<State>>).map(([on, cell]) => ({
      from,
      on,
      cell,
      does: cell === "refused" ? "is refused" : `leads to ${cell[0]}`,
    })),
  ) as Row<State, Trigger>[];

/** Declares one test for each cell of a matrix. */
export const testMatrix = <State extends string, Trigger extends string>(
  table: Lifecycle<State, Trigger>,
  matrix: Matrix<State, Trigger>,
) => {
  test.each(rowsOf(matrix))("$on in $from $does", ({ from, on, cell }) => {
    if (cell === "refused") {
      expect(findMove(table, from, on)).toBeUndefined();
      expect(() => moveOf(table, from, on)).toThrow(InvariantViolation);
      return;
    }
    const [to, emits] = cell;
    const move = moveOf(table, from, on);
    expect(move).toEqual({ from, on, to, ...(emits !== undefined && { emits }) });
    expect(findMove(table, from, on)).toBe(move);
  });
};
