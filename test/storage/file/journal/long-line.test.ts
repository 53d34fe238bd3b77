import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Change, encodeChange, readSegment } from "../../../../src/runtime/change.ts";
import { JournalFile, machineFiles } from "../../../../src/storage/file/journal/journal-file.ts";
import { isLong, LONG_LINES, longLine } from "../../../../src/storage/file/journal/long-line.ts";
import { turn } from "../../../runtime/setup/turns.ts";
import { StateDirectory } from "../../setup/state-directory.ts";

const USUAL = { ...LONG_LINES };
let directory: StateDirectory;
let path: string;

beforeEach(() => {
  directory = new StateDirectory();
  path = directory.file("1-1");
  Object.assign(LONG_LINES, { records: 4, turnCharacters: 120 });
});

afterEach(() => {
  Object.assign(LONG_LINES, USUAL);
  directory.remove();
});

const changeOf = (seq: number, records: number, more: Partial<Change> = {}): Change => ({
  v: 5,
  seq,
  at: 1_767_603_600_000,
  cause: 'a "put":[] in a text',
  by: "uploadCustomersCsv",
  put: Array.from({ length: records }, (_, n) => [
    "BulkErrors",
    { id: `BulkErrors:${n}`, jobId: "Job:ñ€😀\u2028", errors: [] },
  ]),
  ...more,
  n: seq,
});

const lineOf = (change: Change) =>
  Buffer.concat([...longLine(change)].filter((piece) => piece !== undefined)).toString("utf8");

test.each([
  { what: "a change of records alone", change: changeOf(1, 9) },
  { what: "a change of one record", change: changeOf(1, 1) },
  {
    what: "a change with members behind its records",
    change: changeOf(2, 9, {
      del: [["BulkErrors", "BulkErrors:x"]],
      movedBy: "advance 6m",
      upTo: 4,
    }),
  },
])("$what has the same line as in one piece", ({ change }) => {
  expect(lineOf(change)).toBe(encodeChange(change));
});

test("only a change that stores many records is long", () => {
  expect([changeOf(1, 3), changeOf(1, 4)].map(isLong)).toEqual([false, true]);
});

interface Failing {
  afterWrites?: number;
}

const open = ({
  fsync = false,
  afterWrites = Number.POSITIVE_INFINITY,
}: Failing & { fsync?: boolean } = {}) => {
  let writes = 0;
  const failures: string[] = [];
  const journal = new JournalFile({
    path,
    fsync,
    afterSeq: 0,
    onFailure: ({ error }) => failures.push(error.message),
    files: {
      ...machineFiles,
      write: (...given) => {
        writes += 1;
        if (writes > afterWrites) throw new Error("ENOSPC");
        return machineFiles.write(...given);
      },
      sync: (_fd, done) => done(null),
    },
  });
  return { journal, failures };
};

const onDisk = () => readFileSync(path, "utf8");

const turnsUntil = async (isDone: () => boolean) => {
  let turns = 0;
  for (; !isDone() && turns < 200; turns += 1) await turn();
  return turns;
};

const CHANGES = [changeOf(1, 1), changeOf(2, 20), changeOf(3, 1), changeOf(4, 20), changeOf(5, 2)];

test.each([false, true])(
  "changes are written in their order, a long one over several turns (fsync: %s)",
  async (fsync) => {
    const { journal } = open({ fsync });
    for (const change of CHANGES) journal.buffer(change);
    await turn();
    expect(journal.durableSeq()).toBe(1);
    const seen = new Set<number>();
    const turns = await turnsUntil(() => {
      seen.add(journal.durableSeq());
      return journal.durableSeq() === 5;
    });
    expect(turns).toBeGreaterThan(20);
    expect([...seen]).toEqual([1, 3, 5]);
    expect(onDisk()).toBe(CHANGES.map(encodeChange).join(""));
    expect(journal.sizeBytes()).toBe(Buffer.byteLength(onDisk()));
    expect(journal.look()).toBe(true);
    await journal.close();
  },
);

test("a long change counts once its last byte is written, and its file stays its own", async () => {
  const { journal } = open();
  journal.buffer(changeOf(1, 20));
  const whole = encodeChange(changeOf(1, 20));
  for (let at = 0; at < 200 && onDisk() !== whole; at += 1) {
    expect(journal.durableSeq()).toBe(0);
    expect(journal.look()).toBe(true);
    await turn();
  }
  expect(journal.durableSeq()).toBe(1);
  await journal.close();
});

test("a close writes the rest of a long line", async () => {
  const { journal } = open();
  for (const change of CHANGES) journal.buffer(change);
  await turn();
  await journal.close();
  expect(onDisk()).toBe(CHANGES.map(encodeChange).join(""));
});

test("a line that fails halfway is cut off whole", async () => {
  const { journal, failures } = open({ afterWrites: 4 });
  journal.buffer(changeOf(1, 1));
  journal.buffer(changeOf(2, 20));
  const lost = expect(journal.reached(2)).rejects.toThrow("ENOSPC");
  await turnsUntil(() => failures.length > 0);
  await lost;
  expect(failures).toEqual(["ENOSPC"]);
  expect(onDisk()).toBe(encodeChange(changeOf(1, 1)));
});

test("a crash in the middle leaves an unfinished line, which a start leaves out", async () => {
  const { journal } = open();
  journal.buffer(changeOf(1, 1));
  journal.buffer(changeOf(2, 20));
  await turnsUntil(() => onDisk().length > encodeChange(changeOf(1, 1)).length + 200);
  const bytes = readFileSync(path);
  const read: number[] = [];
  const { wholeBytes } = readSegment({ file: path, bytes }, { seq: 1, isLast: true }, ({ seq }) =>
    read.push(seq),
  );
  expect([read, wholeBytes]).toEqual([[1], Buffer.byteLength(encodeChange(changeOf(1, 1)))]);
  await journal.close();
});
