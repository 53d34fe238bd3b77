import { expect, test } from "vitest";
import { Clock } from "../../src/runtime/clock.ts";
import { Engine } from "../../src/runtime/engine.ts";
import { NoJournal } from "../../src/runtime/journal.ts";
import { machineWall } from "../../src/runtime/ports.ts";
import { act } from "./setup/random-world.ts";

const CAUSE = { cause: "test", by: "test" };
const STEP = { slot: 1, act: "put", waits: 0 } as const;

const engineAt = (facts: { seq?: number; counter?: number }) => {
  const clock = { mode: "manual", offsetMs: 0, instantMs: 1_000_000 } as const;
  const engine = new Engine({ wall: machineWall, journal: new NoJournal(), clock });
  engine.open(() => {}, { world: "w", seed: "s", branch: 1 }, clock);
  Object.assign(engine.state, facts);
  return engine;
};

// spec/snapshots.md#invariants
test.each([
  { facts: { seq: 4_293_918_719 }, most: "4293918720 changes" },
  { facts: { counter: 281_474_975_662_079 }, most: "281474975662080 ids" },
])("a world with $most takes no more, and keeps what it has", ({ facts, most }) => {
  const engine = engineAt(facts);
  engine.commit(act, STEP, CAUSE);
  if ("counter" in facts) Object.assign(engine.state, { counter: 281_474_975_662_080 });
  const { seq, counter } = engine.state;
  const why = `it has made ${most}, and no world makes more; another world can continue`;
  const refused = expect.objectContaining({ word: "UNAVAILABLE", details: { why } });
  expect(() => engine.commit(act, STEP, CAUSE)).toThrow(refused);
  expect(() => engine.keepClock(engine.clock.stateFromNow(), CAUSE)).toThrow(refused);
  expect(engine.isWritable).toBe(false);
  expect(engine.state).toMatchObject({ seq, counter });
  engine.close();
});

// spec/clock.md#modes
test.each([undefined, 1000])("a real clock of speed %s stops before the year 9999", (speed) => {
  let wallMs = 1_000_000;
  const instantMs = Date.parse("9998-12-31T23:59:57Z");
  const state = { mode: "real" as const, offsetMs: instantMs - wallMs, instantMs };
  const wall = { nowMs: () => wallMs, monotonicMs: () => wallMs } as never;
  const clock = new Clock(wall, { ...state, ...(speed && { speed }) }, 0);
  expect(clock.now()).toBe(instantMs);
  for (let read = 0; read < 5; read += 1) {
    wallMs += 10_000;
    expect(clock.now()).toBe(Date.parse("9999-01-01T00:00:00Z"));
  }
  expect(clock.wentBackMs).toBe(0);
});
