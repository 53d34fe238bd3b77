import { QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { NoAnswer } from "../../src/client/send.ts";
import { type Control, Refused } from "../../src/console/control.ts";
import { ask, Reads } from "../../src/console/reads.ts";

/** A world that changes when it is told to. */
const world = () => {
  const listeners = new Set<() => void>();
  let changes = 1;
  return {
    change: () => {
      changes += 1;
      for (const listener of listeners) listener();
    },
    changeCount: () => changes,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};

const opened = () => {
  const store = world();
  const reads = new Reads(store);
  reads.open();
  const read = vi.fn(async (_signal: AbortSignal) => read.mock.calls.length);
  const show = (path: string) =>
    new QueryObserver(reads.client, {
      queryKey: [path],
      queryFn: ({ signal }) => read(signal),
    }).subscribe(() => {});
  return { store, reads, read, show };
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("a path in sight is read again after the world has changed, at most every 700 ms", async () => {
  const { store, reads, read, show } = opened();
  show("/ledger");
  await vi.advanceTimersByTimeAsync(0);
  expect(read).toHaveBeenCalledTimes(1);
  for (let batch = 0; batch < 7; batch += 1) {
    store.change();
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(read).toHaveBeenCalledTimes(3);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(read).toHaveBeenCalledTimes(3);
  reads.close();
});

test("two views of a path read it once, and nothing is read for a view that left", async () => {
  const { store, reads, read, show } = opened();
  const leaves = [show("/ledger"), show("/ledger")];
  await vi.advanceTimersByTimeAsync(0);
  expect(read).toHaveBeenCalledTimes(1);
  for (const leave of leaves) leave();
  store.change();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(read).toHaveBeenCalledTimes(1);
  reads.close();
});

test("a view that leaves aborts its read", async () => {
  const { reads, read, show } = opened();
  const aborted = new Promise<string>((done) => {
    read.mockImplementation(
      (signal) =>
        new Promise(() => {
          signal.addEventListener("abort", () => done("aborted"));
        }),
    );
  });
  const leave = show("/slow");
  await vi.advanceTimersByTimeAsync(0);
  leave();
  expect(await aborted).toBe("aborted");
  reads.close();
});

test("what was read is old from the change on, until it was read again", async () => {
  const { store, reads, read, show } = opened();
  show("/ledger");
  await vi.advanceTimersByTimeAsync(0);
  let answer = (_count: number) => {};
  read.mockImplementation(
    () =>
      new Promise((done) => {
        answer = done;
      }),
  );
  const isOld = () => reads.client.getQueryState(["/ledger"])?.isInvalidated;
  expect(isOld()).toBe(false);
  store.change();
  await vi.advanceTimersByTimeAsync(0);
  expect(isOld()).toBe(true);
  answer(2);
  await vi.advanceTimersByTimeAsync(0);
  expect(isOld()).toBe(false);
  reads.close();
});

const refusing = (error: Error) =>
  ({ get: () => Promise.reject(error) }) as Pick<Control, "get"> as Control;

test("a refusal is an answer; a lost answer is none", async () => {
  const { signal } = new AbortController();
  const refused = new Refused(404, { error: { code: "NOT_FOUND", message: "gone", next: [] } });
  expect(await ask(refusing(refused), "/records/1", signal)).toEqual({ refused });
  const lost = new NoAnswer("GET /_sim/ledger got no answer");
  await expect(ask(refusing(lost), "/ledger", signal)).rejects.toBe(lost);
});
