import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import type { Change } from "../../../src/runtime/change.ts";
import { Engine } from "../../../src/runtime/engine.ts";
import { UNDO_POINTS, UndoPoints } from "../../../src/runtime/undo-points.ts";
import type { WorldState } from "../../../src/runtime/world-state.ts";
import { runHistory, stepOf } from "./setup/history.ts";

afterEach(() => {
  vi.restoreAllMocks();
  Object.assign(UNDO_POINTS, { apart: APART });
});

const APART = UNDO_POINTS.apart;

/** Marks close together, so that short histories have many. */
const checkRewinds = (numRuns: number, seed?: number) => {
  Object.assign(UNDO_POINTS, { apart: 8 });
  return fc.assert(
    fc.asyncProperty(fc.array(stepOf, { minLength: 3, maxLength: 14 }), runHistory),
    { numRuns, ...(seed !== undefined && { seed }), endOnFailure: true },
  );
};

test("a rewind gives the world as it was, and no id twice", async () => {
  await checkRewinds(12);
});

const { stateAt } = UndoPoints.prototype;

/** Plants a mistake in the states that a rewind goes to. */
const plantInState = (spoil: (state: WorldState, marks: UndoPoints) => void) =>
  vi.spyOn(UndoPoints.prototype, "stateAt").mockImplementation(function (this: UndoPoints, seq) {
    const state = stateAt.call(this, seq);
    if (state) spoil(state, this);
    return state;
  });

const keeping = (kind: "Replay" | "ApiToken" | "Delivery" | "Session") => () =>
  plantInState((state, marks) => {
    const { engine } = marks as unknown as { engine: { state: WorldState } };
    const put = [...engine.state.each(kind)].map((record) => [kind, record]) as Change["put"];
    const { seq, atMs: at, counter: n } = state;
    if (put) state.apply({ v: 5, seq, at, cause: "planted", by: "planted", put, n });
  });

const PLANTED: readonly { what: string; plant: () => unknown; says?: RegExp }[] = [
  { what: "an idempotency answer that is kept", plant: keeping("Replay") },
  { what: "a token that is kept", plant: keeping("ApiToken") },
  { what: "a session that is kept", plant: keeping("Session") },
  { what: "a webhook that is kept", plant: keeping("Delivery") },
  {
    what: "a rewind into a group",
    plant: () => vi.spyOn(UndoPoints.prototype, "outsideGroup").mockImplementation((seq) => seq),
  },
  {
    what: "a branch that is kept",
    plant: () => {
      const { load } = Engine.prototype;
      vi.spyOn(Engine.prototype, "load").mockImplementation(function (
        this: Engine,
        state,
        journal,
      ) {
        load.call(this, Object.assign(state, { branch: this.state.branch }), journal);
      });
    },
    says: /deeply equal \[\]/,
  },
  {
    what: "a clock that stays",
    plant: () => {
      const { load } = Engine.prototype;
      vi.spyOn(Engine.prototype, "load").mockImplementation(function (
        this: Engine,
        state,
        journal,
      ) {
        load.call(this, state, journal);
        this.clock.notBefore(Date.parse("2027-01-01T00:00:00Z"));
      });
    },
  },
];

test.each(PLANTED)("$what would be noticed", async ({ plant, says = /expected/ }) => {
  plant();
  const failure: Error = await checkRewinds(100, 7).catch((error) => error);
  expect(String(failure.cause)).toMatch(says);
});
