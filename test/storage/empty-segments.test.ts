import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { directoryEntries } from "../../src/machine/directory-entries.ts";
import { encodeChange } from "../../src/runtime/change.ts";
import { JournalDirectory } from "../../src/storage/file/journal/journal-directory.ts";
import { machineFiles } from "../../src/storage/file/journal/journal-file.ts";

const line = (seq: number) =>
  encodeChange({ v: 5, seq, at: 0, cause: "req-1-1", by: "createCustomer", n: 0 });

test("an unfinished record in front of a segment that was never begun is cut off", () => {
  const directory = mkdtempSync(join(tmpdir(), "service-sim-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const whole = line(1);
  writeFileSync(join(directory, "1-1"), whole + line(2).slice(0, 40));
  writeFileSync(join(directory, "1-2"), "");
  const taken: number[] = [];
  const report = new JournalDirectory(directory).recover(({ seq }) => taken.push(seq));
  expect(taken).toEqual([1]);
  expect(report).toMatchObject({ records: 1, tornBytes: 40 });
  expect(readFileSync(join(directory, "1-1"), "utf8")).toBe(whole);
});

test("a segment stays in its place when the one after it cannot be opened", async () => {
  const directory = mkdtempSync(join(tmpdir(), "service-sim-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const journals = new JournalDirectory(directory);
  const options = { fsync: false, afterSeq: 0, earlierBytes: 0, onFailure: () => {} };
  const written = journals.append(1, options);
  const open = () => {
    throw new Error("EIO");
  };
  expect(() => journals.append(1, { ...options, files: { ...machineFiles, open } })).toThrow("EIO");
  written.bufferLine(1, line(1));
  await written.close();
  expect(readFileSync(join(directory, "1-1"), "utf8")).toBe(line(1));
});

test("a segment in use stays in its place when the folder cannot be synced", async () => {
  const directory = mkdtempSync(join(tmpdir(), "service-sim-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const journals = new JournalDirectory(directory);
  const options = { fsync: true, afterSeq: 0, earlierBytes: 0, onFailure: () => {} };
  const written = journals.append(1, options);
  const keepNow = vi.spyOn(directoryEntries, "keepNow").mockImplementation(() => {
    throw new Error("ENOSPC");
  });
  expect(() => journals.append(1, { ...options, inUse: written.name })).toThrow("ENOSPC");
  keepNow.mockRestore();
  written.bufferLine(1, line(1));
  await written.close();
  expect(readFileSync(join(directory, "1-1"), "utf8")).toBe(line(1));

  const next = journals.append(1, { ...options, afterSeq: 1, inUse: written.name });
  expect(next.name).toBe("1-3");
  expect(journals.names()).toEqual(["1-1", "1-3"]);
});

test("an empty segment goes once the one after it is open", () => {
  const directory = mkdtempSync(join(tmpdir(), "service-sim-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const journals = new JournalDirectory(directory);
  const options = { fsync: false, afterSeq: 0, earlierBytes: 0, onFailure: () => {} };
  journals.append(1, options);
  journals.append(2, options);
  expect(journals.names()).toEqual(["2-1"]);
});

test("an empty segment between two that follow each other is passed over, one that lacks records is not", () => {
  const directory = mkdtempSync(join(tmpdir(), "service-sim-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(join(directory, "1-1"), line(1));
  writeFileSync(join(directory, "1-2"), "");
  writeFileSync(join(directory, "2-1"), line(2));
  const taken: number[] = [];
  new JournalDirectory(directory).recover(({ seq }) => taken.push(seq));
  expect(taken).toEqual([1, 2]);

  writeFileSync(join(directory, "2-1"), line(3));
  expect(() => new JournalDirectory(directory).recover(() => {})).toThrow(
    `${join(directory, "1-2")} empty and change 3 at the beginning of ${join(directory, "2-1")}`,
  );
});

test("with fsync the folder is synced when the empty segments are gone", () => {
  const directory = mkdtempSync(join(tmpdir(), "service-sim-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(join(directory, "1-1"), line(1));
  writeFileSync(join(directory, "1-2"), "");
  const journals = new JournalDirectory(directory);
  const synced: string[][] = [];
  const keepNow = vi.spyOn(directoryEntries, "keepNow").mockImplementation((path) => {
    if (path === join(directory, "2-1")) synced.push(journals.names());
  });
  onTestFinished(() => keepNow.mockRestore());
  journals.append(2, { fsync: true, afterSeq: 1, earlierBytes: 0, onFailure: () => {} });
  expect(synced).toEqual([["1-1", "2-1"]]);
});
