import { expect, test } from "vitest";
import { Engine } from "../../src/runtime/engine.ts";
import { WorldState } from "../../src/runtime/world-state.ts";
import { CAUSE, leave, openEngine, RecordingJournal, START_MS } from "./setup/test-engine.ts";

/** A world on a machine that has a monotonic clock, too. */
const openBeside = () => {
  const opened = openEngine();
  const wall = Object.assign(opened.wall, { mono: 0, monotonicMs: () => wall.mono });
  const pass = (ms: number) => {
    wall.ms += ms;
    wall.mono += ms;
  };
  return { ...opened, wall, pass };
};

// spec/clock.md#system-clock
test("the offset is journaled once and told, and a restart continues with it", () => {
  const { engine, wall, journal, pass } = openBeside();
  const told: number[] = [];
  engine.listeners.add({ wentBack: (byMs) => told.push(byMs) });
  engine.commit(leave, "one", CAUSE);
  wall.ms -= 3_600_000;
  engine.commit(leave, "two", CAUSE);
  pass(6000);
  engine.commit(leave, "three", CAUSE);
  expect(told).toEqual([3_600_000]);
  const clocks = journal.changes().filter(({ by }) => by === "clock.step");
  expect(clocks).toMatchObject([
    { at: START_MS, clock: { mode: "real", offsetMs: 3_600_000, instantMs: START_MS } },
  ]);

  const state = new WorldState();
  for (const change of journal.changes()) state.apply(change);
  const clock = { mode: "real", offsetMs: 0, instantMs: 0 } as const;
  const next = new Engine({ wall, journal: new RecordingJournal(), clock });
  next.load(state, new RecordingJournal());
  pass(60_000);
  expect(next.clock.now()).toBe(START_MS + 66_000);
});

test("a world whose newest stamp is ahead of the machine continues from it", () => {
  const { engine, wall, journal, pass } = openBeside();
  engine.commit(leave, "one", CAUSE);
  const state = new WorldState();
  for (const change of journal.changes()) state.apply(change);
  wall.ms -= 86_400_000;
  const told: number[] = [];
  engine.listeners.add({ wentBack: (byMs) => told.push(byMs) });
  engine.load(state, journal);
  pass(2000);
  engine.catchUp();
  pass(3000);
  engine.catchUp();
  expect(engine.clock.now()).toBe(START_MS + 3000);
  expect(told).toEqual([86_398_000]);
});

test("an advance under way keeps its step, and its end journals the clock", () => {
  const { engine, wall, journal } = openBeside();
  engine.clock.stepTo(START_MS + 60_000);
  wall.ms -= 3_600_000;
  engine.commit(leave, "one", CAUSE);
  expect(engine.clock.now()).toBe(START_MS + 60_000);
  expect(journal.changes().filter(({ by }) => by === "clock.step")).toEqual([]);
});
