import { afterEach, expect, test } from "vitest";
import { ROOM, Room, SharedRoom } from "../../src/webhooks/room.ts";

/** A room of one world that begins quick attempts in lanes of their own, and is woken into a list. */
const worldIn = (shared: SharedRoom, name: string, woken: string[] = []) => {
  const room = new Room({ shared, wake: () => woken.push(name) });
  const hasRoom = () => room.hasRoomFor({ isSlow: false });
  let begun = 0;
  const cut: string[] = [];
  const begin = () => {
    begun += 1;
    const key = `${name} ${begun}`;
    room.begin(key, { name: key, lane: key, isFirst: true, cutOff: () => cut.push(key) });
    return key;
  };
  /** Begins as many as there is room for; how many. */
  const fill = () => {
    const before = begun;
    while (hasRoom()) begin();
    return begun - before;
  };
  const end = (n: number) => room.end(`${name} ${n}`, { wasQuick: true });
  return { room, hasRoom, begin, fill, end, cut };
};

/** Four worlds that have used up the attempts of a process. */
const full = (shared: SharedRoom, woken: string[] = []) =>
  ["a", "b", "c", "d"].map((name) => {
    const world = worldIn(shared, name, woken);
    expect(world.fill()).toBe(64);
    return world;
  }) as [World, World, World, World];

type World = ReturnType<typeof worldIn>;

const usual = { ...ROOM };
afterEach(() => void Object.assign(ROOM, usual));

test("one world begins 64 quick attempts, and leaves the others to other worlds", () => {
  const shared = new SharedRoom();
  const woken: string[] = [];
  const busy = worldIn(shared, "busy", woken);
  expect(busy.fill()).toBe(64);
  expect(worldIn(shared, "other").fill()).toBe(64);
  busy.end(1);
  expect(busy.fill()).toBe(1);
  expect(woken).toEqual([]);
});

test("all worlds together begin 256, then wait in line", () => {
  const shared = new SharedRoom();
  const woken: string[] = [];
  const [a, b] = full(shared);
  const first = worldIn(shared, "first", woken);
  const second = worldIn(shared, "second", woken);
  expect([first.fill(), second.fill()]).toEqual([0, 0]);
  a.end(1);
  expect(woken).toEqual(["first"]);
  b.end(1);
  expect(woken).toEqual(["first", "second"]);
  expect([first.fill(), second.fill()]).toEqual([1, 1]);
});

test("a place that comes free is kept for the first in line, whoever comes before it", () => {
  const shared = new SharedRoom();
  const woken: string[] = [];
  const [a] = full(shared, woken);
  const first = worldIn(shared, "first", woken);
  expect(first.fill()).toBe(0);
  a.end(1);
  expect(woken).toEqual(["first"]);
  expect(a.fill()).toBe(0);
  expect(worldIn(shared, "late", woken).fill()).toBe(0);
  expect(first.fill()).toBe(1);
});

test("worlds that wait take one place each in turn", () => {
  const shared = new SharedRoom();
  const woken: string[] = [];
  const [a, b, c] = full(shared, woken);
  const much = worldIn(shared, "much", woken);
  const little = worldIn(shared, "little", woken);
  expect([much.fill(), little.fill()]).toEqual([0, 0]);
  for (const [at, world] of [a, b, c, a].entries()) {
    world.end(at + 1);
    const next = woken.at(-1) === "much" ? much : little;
    expect(next.fill()).toBe(1);
    next.room.passOn();
  }
  expect(woken).toEqual(["much", "little", "much", "little"]);
});

test("attempts that turn slow make room for other worlds", () => {
  const shared = new SharedRoom();
  const woken: string[] = [];
  const [a] = full(shared);
  const healthy = worldIn(shared, "healthy", woken);
  expect(healthy.hasRoom()).toBe(false);
  a.room.becomeSlow("a 1");
  expect(woken).toEqual(["healthy"]);
  expect(healthy.fill()).toBe(1);
});

test("past the slow attempts of all worlds, the one with the most loses its oldest", () => {
  Object.assign(ROOM, { slowInAll: 4 });
  const shared = new SharedRoom();
  const few = worldIn(shared, "few");
  const many = worldIn(shared, "many");
  few.room.becomeSlow(few.begin());
  for (let at = 0; at < 3; at += 1) many.room.becomeSlow(many.begin());
  expect([few.cut, many.cut]).toEqual([[], []]);
  few.room.becomeSlow(few.begin());
  expect([few.cut, many.cut]).toEqual([[], ["many 1"]]);
});

test("a world that closes gives its room back and leaves the line", () => {
  const shared = new SharedRoom();
  const woken: string[] = [];
  const worlds = full(shared, woken);
  const gone = worldIn(shared, "gone", woken);
  expect(gone.hasRoom()).toBe(false);
  gone.room.close();
  for (const { room } of worlds) room.close();
  expect(woken).toEqual([]);
  full(shared);
});

test("a place that a woken world does not take goes to the next in line", () => {
  const shared = new SharedRoom();
  const woken: string[] = [];
  const [a] = full(shared);
  const first = worldIn(shared, "first", woken);
  const second = worldIn(shared, "second", woken);
  expect([first.fill(), second.fill()]).toEqual([0, 0]);
  a.end(1);
  expect(woken).toEqual(["first"]);
  first.room.passOn();
  expect(woken).toEqual(["first", "second"]);
  expect(second.fill()).toBe(1);
  second.room.passOn();
  expect(woken).toEqual(["first", "second"]);
});

test.each(["clear", "close"] as const)("a woken world hands its place on at its %s", (how) => {
  const shared = new SharedRoom();
  const woken: string[] = [];
  const [a] = full(shared);
  const first = worldIn(shared, "first", woken);
  const second = worldIn(shared, "second", woken);
  expect([first.fill(), second.fill()]).toEqual([0, 0]);
  a.end(1);
  first.room[how]();
  expect(woken).toEqual(["first", "second"]);
});
