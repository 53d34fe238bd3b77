import { expect, test } from "vitest";
import { guardedWrite } from "../../../src/storage/engine/guarded-write.ts";
import type { Writing } from "../../../src/storage/engine/store-engine.ts";
import type { Fault } from "./engine-faults.ts";
import { TestTime } from "./setup/test-time.ts";
import { SimulatedData } from "./simulated-data.ts";
import { SimulatedEngine } from "./simulated-engine.ts";

const KEEP: Writing = {
  items: [{ holder: "world:a", name: "identity", bytes: Buffer.from("me") }],
};
const RELEASE: Writing = { ...KEEP, release: { summary: "{}", dueAtMs: null } };
const REMOVE: Writing = { remove: true };
const FORK: Writing = {
  fork: { facts: { name: "a" }, timeline: 1, seq: 0, callers: [], keep: [], dueAtMs: null },
};

/** Trouble that the engine answers at once. */
const readOnly: Fault = { kind: "readOnly", forActs: 1 };
const lost = (isDone: boolean): Fault => ({ kind: "lost", isDone });
const late = (afterActs: number): Fault => ({ kind: "late", afterActs });

const NO_WRITES = "simulated://engine takes no writes: this call was not made";

const ROWS: readonly {
  what: string;
  writing?: Writing;
  faults?: readonly (Fault | undefined)[];
  /** Done by others once the first act was asked for. */
  meanwhile?: (data: SimulatedData) => void;
  acts: string;
  /** Fence that the holder knows afterwards; it was 1. */
  fence: number;
  fails?: string;
  mayBeDone?: boolean;
  owner?: string | undefined;
  isThere?: boolean;
}[] = [
  { what: "without a fault", acts: "write", fence: 2 },
  { what: "whose answer is lost", faults: [lost(true)], acts: "write find take items", fence: 3 },
  {
    what: "that did not arrive",
    faults: [lost(false)],
    acts: "write find take items write",
    fence: 3,
  },
  {
    what: "that arrives late, before the world is taken again",
    faults: [late(1)],
    acts: "write find take items",
    fence: 3,
  },
  {
    what: "that arrives late, after the world was taken again",
    faults: [late(2)],
    acts: "write find take items write",
    fence: 3,
  },
  {
    what: "that is refused for now",
    faults: [readOnly],
    acts: "write",
    fence: 1,
    fails: NO_WRITES,
    mayBeDone: false,
    isThere: false,
  },
  {
    what: "about which each question is asked twice",
    faults: [lost(true), lost(false), undefined, lost(true), undefined, lost(false)],
    acts: "write find find take take items items",
    fence: 4,
  },
  {
    what: "while the engine takes no writes, so that no take is made either",
    faults: [lost(false), undefined, readOnly],
    acts: "write find take take items write",
    fence: 3,
  },
  {
    what: "that was not done, where a take has no answer",
    faults: [lost(false), undefined, lost(true)],
    acts: "write find take take items write",
    fence: 4,
  },
  {
    what: "of a world that another process took",
    faults: [lost(false)],
    meanwhile: (data) => Object.assign(data.worlds.get("a") ?? {}, { owner: "sim-2", fence: 2 }),
    acts: "write find",
    fence: 1,
    fails: "the world a is served by sim-2",
    owner: "sim-2",
    isThere: false,
  },
  {
    what: "of a world that is gone",
    faults: [lost(false)],
    meanwhile: (data) => data.worlds.delete("a"),
    acts: "write find",
    fence: 1,
    fails: "the world a is served by another process",
    owner: undefined,
    isThere: false,
  },
  {
    what: "that frees the world, whose answer is lost",
    writing: RELEASE,
    faults: [lost(true)],
    acts: "write find",
    fence: 2,
    owner: undefined,
  },
  {
    what: "that frees the world late, which the take undoes",
    writing: RELEASE,
    faults: [late(1)],
    acts: "write find take write",
    fence: 4,
    owner: undefined,
  },
  {
    what: "that deletes the world, whose answer is lost",
    writing: REMOVE,
    faults: [lost(true)],
    acts: "write find",
    fence: 2,
    owner: undefined,
    isThere: false,
  },
  {
    what: "that deletes the world late",
    writing: REMOVE,
    faults: [late(1)],
    acts: "write find take",
    fence: 2,
    owner: undefined,
    isThere: false,
  },
  {
    what: "of a fork whose name is taken, at the second try",
    writing: FORK,
    faults: [lost(false)],
    acts: "write find take items write",
    fence: 2,
    fails: "there is a world a already",
    isThere: false,
  },
];

test.each(ROWS)("a write $what", async (row) => {
  const { writing = KEEP, faults = [], meanwhile, acts, fence, fails, mayBeDone } = row;
  const data = new SimulatedData();
  const clean = new SimulatedEngine(data);
  await clean.join({ id: "sim-1", knows: 5, version: "1.0.0", loaded: 0 }, 60_000);
  const world = { facts: { name: "a" }, owner: "sim-1", timeline: 1, seq: 4 };
  await clean.create({ ...world, callers: [], keep: [], dueAtMs: null });
  const asked: string[] = [];
  const engine = new SimulatedEngine(data, {
    faults: (act) => {
      if (asked.push(act) === 2) meanwhile?.(data);
      return faults[asked.length - 1];
    },
  });
  const time = new TestTime();
  const holding = { name: "a", owner: "sim-1", fence: 1, timeline: 1, seq: 4 };
  let is = "waiting";
  let error: { mayBeDone?: boolean } = {};
  guardedWrite({ engine, time: time.host }, holding, writing).then(
    () => {
      is = "done";
    },
    (thrown) => {
      is = thrown.message;
      error = thrown;
    },
  );
  await time.pass(1_000);
  expect({ is, acts: asked.join(" ") }).toEqual({ is: fails ?? "done", acts });
  expect(error.mayBeDone).toBe(mayBeDone);
  // Nothing that is under way may change it any more.
  data.settle();
  expect(data.holders.get("world:a")?.items.has("identity") ?? false).toBe(row.isThere ?? true);
  expect(data.worlds.get("a")?.owner).toBe("owner" in row ? row.owner : "sim-1");
  if (writing !== REMOVE) expect(holding.fence).toBe(fence);
  const isKnown = fails === undefined || mayBeDone === false;
  if (isKnown && data.worlds.has("a")) expect(data.worlds.get("a")?.fence).toBe(fence);
});

test("a write that never is answered is asked about after 10 s", async () => {
  const data = new SimulatedData();
  const asked: string[] = [];
  const engine = new SimulatedEngine(data, {
    schedule: (act) => {
      asked.push(act);
      return new Promise(() => {});
    },
  });
  const time = new TestTime();
  const holding = { name: "a", owner: "sim-1", fence: 1, timeline: 1, seq: 4 };
  void guardedWrite({ engine, time: time.host }, holding, KEEP);
  await time.pass(9_999);
  expect(asked).toEqual(["write"]);
  await time.pass(1);
  expect(asked).toEqual(["write", "find"]);
});
