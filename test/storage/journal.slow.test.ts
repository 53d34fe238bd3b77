import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  type Change,
  encodeChange,
  JournalDamage,
  OtherFormat,
  readSegment,
} from "../../src/runtime/change.ts";
import { JournalDirectory } from "../../src/storage/file/journal/journal-directory.ts";
import { recordShortRun, type ShortRun } from "../runtime/setup/short-run.ts";
import { StateDirectory } from "./setup/state-directory.ts";

let run: ShortRun;
let directory: StateDirectory;

beforeAll(async () => {
  run = await recordShortRun();
  directory = new StateDirectory();
});

beforeEach(() => {
  directory.remove();
  new JournalDirectory(directory.journal);
});

afterAll(() => directory.remove());

const CHANGE: Change = { v: 5, seq: 1, at: 0, cause: "req-1-1", by: "getConfig", n: 0 };

const read = (bytes: Buffer): Change[] => {
  const changes: Change[] = [];
  readSegment({ file: "1-1", bytes }, { seq: 1, isLast: true }, (change) => changes.push(change));
  return changes;
};

/** The error of recovering the folder, which must be unchanged afterwards. */
const damageOf = (): JournalDamage => {
  const before = directory.contents();
  try {
    new JournalDirectory(directory.journal).recover(() => {});
  } catch (error) {
    expect(directory.contents()).toEqual(before);
    expect(error).toBeInstanceOf(JournalDamage);
    return error as JournalDamage;
  }
  throw new Error("Expected damage but found a journal that could be read");
};

test("a record is one line: checksum, length in bytes, JSON", () => {
  expect(encodeChange(CHANGE)).toBe(
    '0879af69 63 {"v":5,"seq":1,"at":0,"cause":"req-1-1","by":"getConfig","n":0}\n',
  );
  expect(encodeChange({ ...CHANGE, by: "é" })).toBe(
    'a575f037 56 {"v":5,"seq":1,"at":0,"cause":"req-1-1","by":"é","n":0}\n',
  );
});

test("whatever a record holds is read back as it was written", () => {
  const text = fc.string({ unit: "binary" });
  fc.assert(
    fc.property(text, text, fc.integer({ min: 0, max: 8.64e15 }), (cause, body, at) => {
      const event = {
        id: "Webhook:1",
        type: "TEST",
        lane: cause,
        body,
        deliverable: true,
      } as const;
      const change: Change = {
        ...CHANGE,
        at,
        cause,
        put: [["Event", { id: cause, body }]],
        del: [["Timer", body]],
        post: [["Ledger:funding", "USD", "-9007199254740993"]],
        emit: [event],
      };
      expect(read(Buffer.from(encodeChange(change)))).toEqual([change]);
    }),
  );
});

test("a real run is read whole, its records numbered from 1 without a gap", () => {
  expect(run.bytes.length).toBeLessThan(20_000);
  const changes = read(run.bytes);
  expect(changes.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(changes.map(encodeChange).join("")).toBe(run.bytes.toString("utf8"));
});

const damages: { name: string; bytes: () => string; record: number; found: RegExp }[] = [
  {
    name: "a record is missing",
    bytes: () => run.lines.toSpliced(3, 1).join(""),
    record: 3,
    found: /change 5 instead of 4/,
  },
  {
    name: "a record is there twice",
    bytes: () => run.lines.toSpliced(3, 0, run.lines[2]!).join(""),
    record: 3,
    found: /change 3 instead of 4/,
  },
  {
    name: "garbage before a valid record",
    bytes: () => run.lines.toSpliced(2, 0, "garbage\n").join(""),
    record: 2,
    found: /unreadable text/,
  },
  {
    name: "an empty line before a valid record",
    bytes: () => run.lines.toSpliced(2, 0, "\n").join(""),
    record: 2,
    found: /unreadable text/,
  },
  {
    name: "a record with a valid checksum that is not JSON",
    bytes: () => run.lines.with(7, "8c736521 3 foo\n").join(""),
    record: 7,
    found: /no JSON/,
  },
  {
    name: "the file ends in what never began as a record",
    bytes: () => `${run.lines.join("")}garbage`,
    record: 8,
    found: /unreadable text/,
  },
  {
    name: "the file ends in more bytes than the last header announces",
    bytes: () => `${run.lines.join("")}8c736521 3 food`,
    record: 8,
    found: /a wrong length/,
  },
  {
    name: "the last line end is something else",
    bytes: () => `${run.lines.join("").slice(0, -1)}\v`,
    record: 7,
    found: /a wrong length/,
  },
];

test.each(damages)("damage, nothing changed: $name", ({ bytes, record, found }) => {
  directory.write("1-1", bytes());
  const damage = damageOf();
  const offset = record === 0 ? 0 : run.ends[record - 1];
  expect(damage).toMatchObject({ file: directory.segment("1-1"), offset, wholeRecords: record });
  expect(damage.message).toMatch(found);
  expect(damage.message).toContain(`byte ${offset} of ${directory.segment("1-1")}`);
});

test.each([4, 6])("a record of format %i is refused by name, nothing changed", (v) => {
  directory.write("1-1", run.lines.with(7, encodeChange({ ...CHANGE, v, seq: 8 })).join(""));
  const before = directory.contents();
  const recover = () => new JournalDirectory(directory.journal).recover(() => {});
  expect(recover).toThrow(OtherFormat);
  expect(recover).toThrow(directory.segment("1-1"));
  expect(directory.contents()).toEqual(before);
});

test("a flipped byte anywhere is damage at the record it is in", () => {
  const bytes = Buffer.from(run.bytes);
  for (let at = 0; at < bytes.length; at += 1) {
    const original = bytes[at]!;
    bytes[at] = original ^ (1 << (at % 8));
    const record = run.ends.findIndex((end) => at < end);
    const offset = run.ends[record - 1] ?? 0;
    let damage: unknown;
    try {
      read(bytes);
    } catch (error) {
      damage = error;
    }
    if (!(damage instanceof JournalDamage) || damage.offset !== offset)
      throw new Error(`Expected damage at ${offset} for byte ${at} but found ${damage}`);
    bytes[at] = original;
  }
});

test("a flipped byte in the middle leaves the file as it is", () => {
  const bytes = Buffer.from(run.bytes);
  const inFifth = run.ends[3]! + 100;
  bytes[inFifth] = bytes[inFifth]! ^ 1;
  directory.write("1-1", bytes);
  expect(damageOf()).toMatchObject({ offset: run.ends[3], wholeRecords: 4 });
});

test("a torn segment that others follow is damage, not a torn tail", () => {
  const [a, b, c] = run.lines as [string, string, string];
  directory.write("1-1", a + b.slice(0, 100));
  directory.write("2-1", b + c);
  expect(damageOf()).toMatchObject({
    file: directory.segment("1-1"),
    offset: run.ends[0],
    wholeRecords: 1,
  });
});

test("segments are read by lock number and count, not by name", () => {
  const [a, b, c, d] = run.lines as [string, string, string, string];
  directory.write("2-1", a);
  directory.write("2-10", c);
  directory.write("2-9", b);
  directory.write("10-1", d);
  directory.write("10-2", "");
  const seqs: number[] = [];
  const report = new JournalDirectory(directory.journal).recover(({ seq }) => seqs.push(seq));
  expect(seqs).toEqual([1, 2, 3, 4]);
  expect(report).toMatchObject({ records: 4, tornBytes: 0 });
});

describe("a group of records counts when its last one is there", () => {
  const record = (seq: number, upTo?: number) =>
    encodeChange({ ...CHANGE, seq, ...(upTo && { upTo }) });
  const before = record(1);
  const group = [record(2, 4), record(3, 4), record(4)];
  const all = Buffer.from([before, ...group, record(5)].join(""));
  const groupEnd = all.length - record(5).length;

  test("wherever the file ends", () => {
    const records = (kept: number) => ({ 0: 0, [before.length]: 1, [groupEnd]: 4 })[kept] ?? 5;
    for (let length = 0; length <= all.length; length += 1) {
      const kept = [all.length, groupEnd, before.length, 0].find((end) => end <= length) ?? 0;
      directory.write("1-1", all.subarray(0, length));
      const seqs: number[] = [];
      const report = new JournalDirectory(directory.journal).recover(({ seq }) => seqs.push(seq));
      expect(seqs).toEqual([1, 2, 3, 4, 5].slice(0, records(kept)));
      expect(report).toMatchObject({ records: records(kept), tornBytes: length - kept });
      expect(directory.contents()).toEqual([["1-1", all.toString("latin1", 0, kept)]]);
    }
  });

  test("one that others follow without its last is damage, from its first record on", () => {
    directory.write("1-1", before + group[0] + group[1]);
    directory.write("2-1", record(4));
    expect(damageOf()).toMatchObject({
      file: directory.segment("1-1"),
      offset: before.length,
      wholeRecords: 1,
    });
  });

  test("one with a damaged record is damage at that record, and none of it counts", () => {
    directory.write("1-1", before + group[0] + group[1]?.replace("req", "rex") + group[2]);
    const offset = before.length + (group[0]?.length ?? 0);
    expect(damageOf()).toMatchObject({ offset, wholeRecords: 1 });
  });
});
