import { expect, test } from "vitest";
import { newsIn, opensWorld } from "../../src/rows/news.ts";

const hello = (start: number, seq: number, openings = 0) => ({
  id: undefined,
  event: "hello",
  data: { start, seq, openings },
});
const reset = { id: undefined, event: "reset", data: {} };
const startOver = (why: string) => ({ id: undefined, event: "start-over", data: { why } });
const receivedMs = 5;
const known = { start: 1, seq: 40, openings: 0 };

// spec/console.md#states
test.each([
  {
    what: "a first greeting",
    run: undefined,
    wasLost: true,
    events: [hello(1, 3)],
    kind: undefined,
  },
  {
    what: "a link that broke alone",
    run: known,
    wasLost: true,
    events: [hello(1, 44)],
    kind: undefined,
  },
  { what: "another start", run: known, wasLost: true, events: [hello(2, 44)], kind: "restarted" },
  {
    what: "a new world in memory",
    run: known,
    wasLost: true,
    events: [hello(1, 2)],
    kind: "restarted",
  },
  {
    what: "a greeting after missed events",
    run: known,
    wasLost: false,
    events: [hello(1, 2)],
    kind: undefined,
  },
  {
    what: "a rewind or a restore",
    run: known,
    wasLost: false,
    events: [startOver("the world went back to 2026-01-05T09:00:00.000Z"), hello(1, 30)],
    kind: "opened",
  },
  {
    what: "a reader that was too slow",
    run: known,
    wasLost: false,
    events: [startOver("1000 events were waiting"), hello(1, 44)],
    kind: undefined,
  },
  { what: "a reset", run: known, wasLost: false, events: [reset], kind: "opened" },
  {
    what: "a reset while nothing was heard",
    run: known,
    wasLost: true,
    events: [hello(1, 2, 1)],
    kind: "opened",
  },
  {
    what: "a reset while nothing was heard, and much since",
    run: known,
    wasLost: true,
    events: [hello(1, 90, 1)],
    kind: "opened",
  },
])("$what is news of kind $kind", ({ run, wasLost, events, kind }) => {
  const heard = newsIn({ run, news: undefined, ownOpenings: 0 }, events as never, {
    wasLost,
    receivedMs,
  });
  expect(heard.news?.kind).toBe(kind);
});

test("a reset that the page asked for is no news, one more is", () => {
  const own = { run: known, news: undefined, ownOpenings: 1 };
  const isLive = { wasLost: false, receivedMs };
  const once = newsIn(own, [reset, hello(1, 1, 1)] as never, isLive);
  expect(once).toEqual({
    run: { start: 1, seq: 1, openings: 1 },
    news: undefined,
    ownOpenings: 0,
  });
  const missed = newsIn(own, [hello(1, 1, 2)] as never, { wasLost: true, receivedMs });
  expect(missed.news).toEqual({ kind: "opened", receivedMs, opening: 2 });
  const twice = newsIn(own, [reset, reset] as never, { wasLost: false, receivedMs });
  expect(twice.news).toEqual({ kind: "opened", receivedMs, opening: 2 });
});

test("what undoes an opening comes with its greeting, and goes with the next opening", () => {
  const isLive = { wasLost: false, receivedMs };
  const greeting = (openings: number, undoing?: string) => {
    const { data, ...event } = hello(1, 1, openings);
    return { ...event, data: { ...data, ...(undoing !== undefined && { undoing }) } };
  };
  const told = newsIn(
    { run: known, news: undefined, ownOpenings: 0 },
    [reset, greeting(1, "before-reset")] as never,
    isLive,
  );
  expect(told.news?.undoing).toBe("before-reset");
  const kept = newsIn(told, [greeting(1, "before-reset")] as never, isLive);
  expect(kept.news).toBe(told.news);
  const own = [startOver("the world went back to 09:00"), greeting(2, "before-rewind-1")];
  const gone = newsIn({ ...told, ownOpenings: 1 }, own as never, isLive);
  expect(gone.news).toEqual({ kind: "opened", receivedMs, opening: 1, undoing: undefined });
  const restored = newsIn(
    { run: known, news: undefined, ownOpenings: 0 },
    [startOver("the world went back to 09:00"), greeting(1)] as never,
    isLive,
  );
  expect(restored.news?.undoing).toBeUndefined();
});

test.each([
  { method: "POST", path: "/reset", body: undefined, opens: true },
  { method: "POST", path: "/clock/rewind", body: { by: "1m" }, opens: true },
  { method: "POST", path: "/clock/rewind", body: { by: "1m", dryRun: true }, opens: false },
  { method: "POST", path: "/snapshots/a%20b/restore", body: {}, opens: true },
  { method: "POST", path: "/snapshots/a", body: {}, opens: false },
  { method: "GET", path: "/reset", body: undefined, opens: false },
])("$method $path with $body opens the world: $opens", ({ method, path, body, opens }) => {
  expect(opensWorld(method, path, body)).toBe(opens);
});
