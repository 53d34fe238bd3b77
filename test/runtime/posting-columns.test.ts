import { expect, test } from "vitest";
import { AppendList } from "../../src/runtime/append-list.ts";
import {
  type BookedPosting,
  PostingColumns,
  postingId,
  postingImage,
  postingOf,
} from "../../src/runtime/posting-columns.ts";

const POSTING: BookedPosting = {
  seq: 7,
  position: 2,
  atMs: 1_767_603_600_000,
  cause: "req-1",
  account: "Ledger:funding",
  currency: "USD",
  amountMinor: -1_500n,
};

const AMOUNTS = [0n, -1n, 2n ** 31n, 2n ** 53n - 1n, 2n ** 53n, -(2n ** 53n) - 1n, 10n ** 30n];

test.each(AMOUNTS)("an amount of %s is the same when it is read", (amountMinor) => {
  const columns = new PostingColumns();
  columns.push({ ...POSTING, amountMinor });
  expect(columns.at(0)).toEqual({ ...POSTING, amountMinor });
  expect(columns.slice().at(0)).toEqual({ ...POSTING, amountMinor });
});

test.each([
  { id: "7.2", posting: POSTING },
  { id: "opening.3", posting: { ...POSTING, seq: 0, position: 3, cause: "opening" } },
])("$id is read as it was written", ({ id, posting }) => {
  expect(postingId(posting)).toBe(id);
  expect(postingImage(posting)[0]).toBe(id);
  expect(postingOf(postingImage(posting))).toEqual(posting);
});

test("a list of columns gives what was added, and a fork does not see what comes later", () => {
  const list = new AppendList<BookedPosting>(() => new PostingColumns());
  const added = Array.from({ length: 2_500 }, (_, seq) => ({ ...POSTING, seq, position: seq % 5 }));
  for (const posting of added.slice(0, 2_300)) list.push(posting);
  const fork = list.fork();
  for (const posting of added.slice(2_300)) list.push(posting);
  expect([...list]).toEqual(added);
  expect([...fork]).toEqual(added.slice(0, 2_300));
  expect(fork.slice(1_020, 1_030)).toEqual(added.slice(1_020, 1_030));
  expect([...list.reversed(1_030)].slice(0, 10)).toEqual(added.slice(1_020, 1_030).reverse());
});
