import { afterEach, expect, test } from "vitest";
import {
  ATTEMPT_LIMITS,
  AttemptLimiter,
  ProcessLimiter,
} from "../../src/webhooks/attempt-limiter.ts";

/** A limiter of one world that begins quick attempts in lanes of their own, and is woken into a list. */
const worldIn = (shared: ProcessLimiter, name: string, woken: string[] = []) => {
  const limiter = new AttemptLimiter({ shared, wake: () => woken.push(name) });
  const mayBegin = () => limiter.mayBegin({ isSlow: false });
  let begun = 0;
  const cut: string[] = [];
  const begin = () => {
    begun += 1;
    const key = `${name} ${begun}`;
    limiter.begin(key, { name: key, lane: key, isFirst: true, cutOff: () => cut.push(key) });
    return key;
  };
  /** Begins as many as the limits let; how many. */
  const fill = () => {
    const before = begun;
    while (mayBegin()) begin();
    return begun - before;
  };
  const end = (n: number) => limiter.end(`${name} ${n}`, { wasQuick: true });
  return { limiter, mayBegin, begin, fill, end, cut };
};

/** Four worlds that have used up the attempts of a process. */
const full = (shared: ProcessLimiter, woken: string[] = []) =>
  ["a", "b", "c", "d"].map((name) => {
    const world = worldIn(shared, name, woken);
    expect(world.fill()).toBe(64);
    return world;
  }) as [World, World, World, World];

type World = ReturnType<typeof worldIn>;

const usual = { ...ATTEMPT_LIMITS };
afterEach(() => void Object.assign(ATTEMPT_LIMITS, usual));

test("one world begins 64 quick attempts, and leaves the others to other worlds", () => {
  const shared = new ProcessLimiter();
  const woken: string[] = [];
  const busy = worldIn(shared, "busy", woken);
  expect(busy.fill()).toBe(64);
  expect(worldIn(shared, "other").fill()).toBe(64);
  busy.end(1);
  expect(busy.fill()).toBe(1);
  expect(woken).toEqual([]);
});

test("all worlds together begin 256, then wait in line", () => {
  const shared = new ProcessLimiter();
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
  const shared = new ProcessLimiter();
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
  const shared = new ProcessLimiter();
  const woken: string[] = [];
  const [a, b, c] = full(shared, woken);
  const much = worldIn(shared, "much", woken);
  const little = worldIn(shared, "little", woken);
  expect([much.fill(), little.fill()]).toEqual([0, 0]);
  for (const [at, world] of [a, b, c, a].entries()) {
    world.end(at + 1);
    const next = woken.at(-1) === "much" ? much : little;
    expect(next.fill()).toBe(1);
    next.limiter.release();
  }
  expect(woken).toEqual(["much", "little", "much", "little"]);
});

test("attempts that turn slow free places for other worlds", () => {
  const shared = new ProcessLimiter();
  const woken: string[] = [];
  const [a] = full(shared);
  const healthy = worldIn(shared, "healthy", woken);
  expect(healthy.mayBegin()).toBe(false);
  a.limiter.becomeSlow("a 1");
  expect(woken).toEqual(["healthy"]);
  expect(healthy.fill()).toBe(1);
});

test("past the slow attempts of all worlds, the one with the most loses its oldest", () => {
  Object.assign(ATTEMPT_LIMITS, { slowInAll: 4 });
  const shared = new ProcessLimiter();
  const few = worldIn(shared, "few");
  const many = worldIn(shared, "many");
  few.limiter.becomeSlow(few.begin());
  for (let at = 0; at < 3; at += 1) many.limiter.becomeSlow(many.begin());
  expect([few.cut, many.cut]).toEqual([[], []]);
  few.limiter.becomeSlow(few.begin());
  expect([few.cut, many.cut]).toEqual([[], ["many 1"]]);
});

test("a world that closes gives its places back and leaves the queue", () => {
  const shared = new ProcessLimiter();
  const woken: string[] = [];
  const worlds = full(shared, woken);
  const gone = worldIn(shared, "gone", woken);
  expect(gone.mayBegin()).toBe(false);
  gone.limiter.close();
  for (const { limiter } of worlds) limiter.close();
  expect(woken).toEqual([]);
  full(shared);
});

test("a place that a woken world does not take goes to the next in line", () => {
  const shared = new ProcessLimiter();
  const woken: string[] = [];
  const [a] = full(shared);
  const first = worldIn(shared, "first", woken);
  const second = worldIn(shared, "second", woken);
  expect([first.fill(), second.fill()]).toEqual([0, 0]);
  a.end(1);
  expect(woken).toEqual(["first"]);
  first.limiter.release();
  expect(woken).toEqual(["first", "second"]);
  expect(second.fill()).toBe(1);
  second.limiter.release();
  expect(woken).toEqual(["first", "second"]);
});

test.each(["clear", "close"] as const)("a woken world hands its place on at its %s", (how) => {
  const shared = new ProcessLimiter();
  const woken: string[] = [];
  const [a] = full(shared);
  const first = worldIn(shared, "first", woken);
  const second = worldIn(shared, "second", woken);
  expect([first.fill(), second.fill()]).toEqual([0, 0]);
  a.end(1);
  first.limiter[how]();
  expect(woken).toEqual(["first", "second"]);
});
