import { afterEach, expect, test, vi } from "vitest";
import type { Change } from "../../src/runtime/change.ts";
import { Engine } from "../../src/runtime/engine.ts";
import { NoJournal } from "../../src/runtime/journal.ts";
import { machineWall } from "../../src/runtime/ports.ts";
import { UndoPoints } from "../../src/runtime/undo-points.ts";
import { act, imageOf } from "./setup/random-world.ts";

const CLOCK = { mode: "manual", offsetMs: 0, instantMs: 1_000_000 } as const;
const CAUSE = { cause: "test", by: "test" };

afterEach(() => vi.restoreAllMocks());

const marked = () => {
  const engine = new Engine({ wall: machineWall, journal: new NoJournal(), clock: CLOCK });
  const marks = new UndoPoints(engine);
  engine.open(() => {}, { world: "w", seed: "s", branch: 1 }, CLOCK);
  engine.rest();
  return { engine, marks };
};

const put = (engine: Engine, count: number) => {
  for (let slot = 0; slot < count; slot += 1)
    engine.commit(act, { slot: slot % 40, act: "put", waits: 0 }, CAUSE);
};

/** A group that another world made. */
const group = (count: number): { change: Change }[] => {
  const { engine } = marked();
  const entries: { change: Change }[] = [];
  engine.listeners.add({ changed: (change) => entries.push({ change }) });
  put(engine, count);
  return entries;
};

test("any change since the earliest mark can be gone back to", () => {
  const { engine, marks } = marked();
  const images = new Map<number, unknown>();
  for (let times = 0; times < 30; times += 1) {
    images.set(engine.state.seq, imageOf(engine.state));
    put(engine, 37);
  }
  for (const [seq, image] of images) {
    const state = marks.stateAt(seq);
    expect(state && imageOf(state)).toEqual(image);
  }
});

test("10,000 changes are kept, with a mark every 1,024 of them", () => {
  const { engine, marks } = marked();
  put(engine, 25_000);
  const { seq } = engine.state;
  const reach = seq - marks.earliest().seq;
  expect(reach).toBeLessThanOrEqual(10_000);
  expect(reach).toBeGreaterThan(8_000);
  const at = marks.at();
  const gaps = at.slice(1).map((one, index) => one - (at[index] as number));
  expect(new Set(gaps)).toEqual(new Set([1_024]));
});

test("32 MiB of changes are kept at most", () => {
  const { engine, marks } = marked();
  const big = "x".repeat(1024 * 1024);
  for (let count = 0; count < 600; count += 1)
    engine.commit(
      (draft) => draft.put("Event", { id: `Event:${count}`, body: big }),
      undefined,
      CAUSE,
    );
  expect(engine.state.seq - marks.earliest().seq).toBeLessThanOrEqual(36);
});

test("a loaded world keeps nothing before its first change, and then its loaded state", () => {
  const { engine } = marked();
  put(engine, 10);
  const later = new Engine({ wall: machineWall, journal: new NoJournal(), clock: CLOCK });
  const marks = new UndoPoints(later);
  later.load(engine.state.fork(), new NoJournal());
  expect(marks.at()).toEqual([]);
  expect(marks.earliest().seq).toBe(11);
  put(later, 5);
  expect(marks.at()).toEqual([11]);
  expect(marks.stateAt(11)?.seq).toBe(11);
  expect(marks.stateAt(10)).toBeUndefined();
});

const groupIsWhole = () => {
  const { engine, marks } = marked();
  put(engine, 100);
  engine.adopt(engine.origin(), group(600));
  put(engine, 10);
  expect(marks.at().filter((seq) => seq > 101 && seq < 701)).toEqual([]);
  for (const seq of [102, 400, 700]) expect(marks.outsideGroup(seq)).toBe(101);
  for (const seq of [101, 701, 705]) expect(marks.outsideGroup(seq)).toBe(seq);
};

test("no mark is inside a group", groupIsWhole);

test("a mark inside a group would be noticed", () => {
  const ends = vi.spyOn(UndoPoints.prototype as unknown as { endsGroup(): boolean }, "endsGroup");
  ends.mockReturnValue(true);
  expect(groupIsWhole).toThrow();
});
