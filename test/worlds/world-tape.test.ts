import { expect, test } from "vitest";
import {
  TAPE,
  type TapedEntry,
  type TapedFork,
  TapeRoom,
  WorldTape,
} from "../../src/worlds/world-tape.ts";

const MIB = 1024 * 1024;

const LONG = Buffer.alloc(5 * MIB);

const tapeOf = (name: string, parent?: WorldTape, base = 1024) =>
  new WorldTape({ name } as TapedFork, {
    starting: undefined,
    parent,
    w: 0,
    webhooks: () => [],
    base,
  });

const call = (at: number, given: object = {}): TapedEntry => ({
  kind: "call",
  ...{ world: "mine", at, done: at, w: 0, e: 0, id: `req-${at}`, method: "GET" },
  url: "http://127.0.0.1/2025-10-13/quotes/Quote:1",
  ...{ headers: [], hasBody: true, facts: [] },
  reply: { status: 200, headers: {} },
  ...given,
});

/** A room with one tape, and what takes entries on it. */
const roomWith = (tape: WorldTape) => {
  const room = new TapeRoom();
  room.add(tape);
  return room;
};

// spec/capsules.md#recordings-of-worlds
test.each<[string, TapedEntry]>([
  ["body of a call", call(1, { body: Buffer.alloc(MIB) })],
  ["reply", call(1, { reply: { status: 200, headers: {}, text: "é".repeat(MIB / 2) } })],
  ["header of a call", call(1, { headers: [["x-long", "x".repeat(MIB)]] })],
  [
    "header of a reply",
    call(1, { reply: { status: 200, headers: { "x-long": "x".repeat(MIB) } } }),
  ],
  ...(["body", "reply", "error"] as const).map((member): [string, TapedEntry] => [
    `${member} of a receiver's answer`,
    {
      kind: "attempt",
      ...{ world: "mine", at: 1, w: 0, body: Buffer.alloc(0) },
      answer: { tookMs: 1, [member]: "x".repeat(MIB) },
    },
  ]),
])("a long %s counts whole", (_what, entry) => {
  const tape = tapeOf("mine");
  const room = roomWith(tape);
  for (let count = 0; count < 3; count += 1) room.keep(tape, entry);
  expect({ isOver: tape.isOver, isCounted: tape.bytes >= 3 * MIB }).toEqual({
    isOver: false,
    isCounted: true,
  });
  room.keep(tape, entry);
  expect({ isOver: tape.isOver, entries: tape.entries }).toEqual({ isOver: true, entries: [] });
});

// spec/capsules.md#recordings-of-worlds
test("a tape that is too long keeps its last refused calls and no state", () => {
  const tape = tapeOf("mine");
  const room = roomWith(tape);
  const refused = { status: 404, headers: {}, text: "{}" };
  room.keep(tape, call(1, { reply: refused }));
  room.keep(tape, call(2, { body: LONG }));
  for (let at = 3; at <= 8; at += 1) room.keep(tape, call(at, { reply: refused }));
  expect(tape.refused.map(({ id }) => id)).toEqual(["req-4", "req-5", "req-6", "req-7", "req-8"]);
  expect({ ...tape, refused: [] }).toMatchObject({
    ...{ calls: 8, entries: [], birth: undefined, starting: undefined },
    bytes: 5 * ("http://127.0.0.1/2025-10-13/quotes/Quote:1".length + 2),
    base: 4096,
  });
});

// spec/capsules.md#recordings-of-worlds
test("removed worlds whose recording was too long are bounded in number", () => {
  const room = new TapeRoom();
  for (let count = 0; count < 20_000; count += 1) {
    const tape = tapeOf(`t-${count}`);
    room.add(tape);
    room.keep(tape, call(1, { body: LONG }));
    tape.end();
  }
  expect(room.get("t-0")).toBeUndefined();
  expect(room.get("t-19999")).toBeDefined();
});

// spec/capsules.md#recordings-of-worlds
test("beginnings that share nothing count for what they keep", () => {
  const room = new TapeRoom();
  for (const name of ["a", "b", "c", "d"]) {
    const tape = tapeOf(name, undefined, TAPE.maxBaseBytes);
    room.add(tape);
    tape.end();
  }
  expect(room.get("a")).toBeDefined();
  room.add(tapeOf("e", undefined, TAPE.maxBaseBytes));
  expect({ a: room.get("a"), isOver: room.get("e")?.isOver }).toEqual({
    a: undefined,
    isOver: false,
  });
});

// spec/capsules.md#recordings-of-worlds
test("a capsule has the newest forks that fit, and none of a fork that is left out", () => {
  const tape = tapeOf("mine");
  const room = roomWith(tape);
  const fork = (name: string, parent: WorldTape) => {
    const made = tapeOf(name, parent);
    room.add(made);
    room.keep(made, call(1, { body: Buffer.alloc(1.5 * MIB) }));
    return made;
  };
  const first = fork("first", tape);
  fork("of-first", first);
  const second = fork("second", tape);
  fork("of-second", second);
  const names = (tapes: readonly WorldTape[]) => tapes.map(({ name }) => name);
  expect(names(room.familyOf(tape))).toEqual(["mine", "first", "of-first", "second", "of-second"]);
  expect(names(room.repeatedOf(tape))).toEqual(["mine", "second", "of-second"]);
  expect(names(room.repeatedOf(first))).toEqual(["first", "of-first"]);
});

// spec/capsules.md#recordings-of-worlds
test("the state of a removed world is read once, at its end", () => {
  let reads = 0;
  const tape = new WorldTape({ name: "mine" } as TapedFork, {
    ...{ starting: undefined, parent: undefined, w: 0, base: 0 },
    webhooks: () => {
      reads += 1;
      return [{ id: `Webhook:${reads}`, type: "TEST", state: "WAITING" }];
    },
  });
  tape.end();
  expect([tape.webhooks(), tape.webhooks(), reads]).toEqual([
    [{ id: "Webhook:1", type: "TEST", state: "WAITING" }],
    [{ id: "Webhook:1", type: "TEST", state: "WAITING" }],
    1,
  ]);
});

test("forks of forks that are forgotten hold nothing of those before them", () => {
  const room = new TapeRoom();
  let parent: WorldTape | undefined;
  for (let count = 0; count < 200; count += 1) {
    const tape: WorldTape = tapeOf(`t-${count}`, parent, MIB);
    room.add(tape);
    tape.end();
    parent = tape;
  }
  let length = 0;
  for (let one = parent; one; one = one.parent) length += 1;
  expect(length).toBe(65);
});
