import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { JournalFailure } from "../../../../src/runtime/ports.ts";
import { JournalFile, machineFiles } from "../../../../src/storage/file/journal/journal-file.ts";
import { turn } from "../../../runtime/setup/turns.ts";
import { StateDirectory } from "../../setup/state-directory.ts";

let directory: StateDirectory;
let path: string;
let writes: string[];
let syncs: ((error: Error | null) => void)[];
let failures: { error: Error; cut: boolean }[];

beforeEach(() => {
  directory = new StateDirectory();
  path = directory.file("1-1");
  writes = [];
  syncs = [];
  failures = [];
});

afterEach(() => directory.remove());

const open = (fsync: boolean, files = {}) =>
  new JournalFile({
    path,
    fsync,
    afterSeq: 0,
    onFailure: (failure) => failures.push(failure),
    files: {
      ...machineFiles,
      write: (fd, bytes, at) => {
        writes.push(bytes.toString("utf8", at.from));
        return machineFiles.write(fd, bytes, at);
      },
      sync: (_fd, done) => syncs.push(done),
      ...files,
    },
  });

const onDisk = () => readFileSync(path, "utf8");

/** The result of waiting for a `seq`: nothing yet, reached, or lost. */
const watch = (journal: JournalFile, seq: number) => {
  const watched = { is: "waiting" };
  const gate = journal.reached(seq);
  if (!gate) watched.is = "reached";
  gate?.then(
    () => {
      watched.is = "reached";
    },
    (error) => {
      watched.is = error instanceof JournalFailure ? "lost" : "broken";
    },
  );
  return watched;
};

const noSpace = () => {
  throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
};

test("everything of one turn is written with one call, and waited for until then", async () => {
  const journal = open(false);
  for (const seq of [1, 2, 3]) journal.bufferLine(seq, `record ${seq}\n`);
  expect(writes).toEqual([]);
  expect(journal.durableSeq()).toBe(0);
  const gate = watch(journal, 3);
  await turn();
  expect(writes).toEqual(["record 1\nrecord 2\nrecord 3\n"]);
  expect(gate.is).toBe("reached");
  expect(journal.reached(3)).toBeUndefined();
  expect(journal.sizeBytes()).toBe(27);
  await journal.close();
});

test("a short write is carried on with from where it ended", async () => {
  const journal = open(false, {
    write: (fd: number, bytes: Buffer, { from, position }: { from: number; position: number }) => {
      const end = Math.min(bytes.length, from + 4);
      return machineFiles.write(fd, bytes.subarray(0, end), { from, position });
    },
  });
  journal.bufferLine(1, "record 1\n");
  await journal.reached(1);
  expect(onDisk()).toBe("record 1\n");
  await journal.close();
});

test("with fsync one sync runs at a time and later turns join the next one", async () => {
  const journal = open(true);
  journal.bufferLine(1, "record 1\n");
  const first = watch(journal, 1);
  await turn();
  journal.bufferLine(2, "record 2\n");
  await turn();
  journal.bufferLine(3, "record 3\n");
  const third = watch(journal, 3);
  await turn();
  expect(syncs).toHaveLength(1);
  expect(journal.durableSeq()).toBe(0);

  syncs[0]?.(null);
  await turn();
  expect([first.is, third.is, journal.durableSeq()]).toEqual(["reached", "waiting", 1]);
  expect(syncs).toHaveLength(2);

  syncs[1]?.(null);
  await turn();
  expect([third.is, journal.durableSeq()]).toEqual(["reached", 3]);
  await journal.close();
});

test("a failed sync cuts back to what was synced, later writes included", async () => {
  const journal = open(true);
  journal.bufferLine(1, "record 1\n");
  await turn();
  syncs[0]?.(null);
  journal.bufferLine(2, "record 2\n");
  await turn();
  journal.bufferLine(3, "record 3\n");
  await turn();
  const [first, second, third] = [1, 2, 3].map((seq) => watch(journal, seq));
  expect(onDisk()).toBe("record 1\nrecord 2\nrecord 3\n");
  syncs[1]?.(new Error("EIO: i/o error"));
  await turn();
  expect(onDisk()).toBe("record 1\n");
  expect([first?.is, second?.is, third?.is]).toEqual(["reached", "lost", "lost"]);
  expect(failures).toMatchObject([{ cut: true, error: { message: "EIO: i/o error" } }]);
});

const failedWrites = [
  { name: "throws", write: noSpace },
  {
    name: "is short and then throws",
    write: (fd: number, bytes: Buffer, at: { from: number; position: number }) =>
      at.from > 0 ? noSpace() : machineFiles.write(fd, bytes.subarray(0, 5), at),
  },
];

test.each(failedWrites)("a write that $name leaves what was written before", async ({ write }) => {
  let isBroken = false;
  const journal = open(false, {
    write: (...call: Parameters<typeof machineFiles.write>) =>
      isBroken ? write(...call) : machineFiles.write(...call),
  });
  journal.bufferLine(1, "record 1\n");
  await journal.reached(1);
  isBroken = true;
  journal.bufferLine(2, "record 2\n");
  const gate = watch(journal, 2);
  await turn();
  expect(gate.is).toBe("lost");
  expect(onDisk()).toBe("record 1\n");
  expect(failures).toMatchObject([{ cut: true }]);
  expect(journal.reached(1)).toBeUndefined();
  await expect(journal.reached(3)).rejects.toThrow(JournalFailure);
});

test("a file that cannot be cut back is reported", async () => {
  const journal = open(false, { write: noSpace, truncate: noSpace });
  journal.bufferLine(1, "record 1\n");
  const gate = watch(journal, 1);
  await turn();
  expect(gate.is).toBe("lost");
  expect(failures).toMatchObject([{ cut: false }]);
});

test("closing writes what is buffered", async () => {
  const journal = open(false);
  journal.bufferLine(1, "record 1\n");
  await journal.close();
  expect(onDisk()).toBe("record 1\n");
});

test("closing with fsync waits for the last sync", async () => {
  const journal = open(true);
  journal.bufferLine(1, "record 1\n");
  let isClosed = false;
  const closing = journal.close().then(() => {
    isClosed = true;
  });
  await turn();
  expect(isClosed).toBe(false);
  syncs[0]?.(null);
  await closing;
  expect(isClosed).toBe(true);
});

test("a closed journal writes and acknowledges nothing", async () => {
  const journal = open(false);
  journal.bufferLine(1, "record 1\n");
  await journal.close();
  const other = open(false); // gets the number of the file that was closed
  journal.bufferLine(2, "record 2\n");
  const gate = watch(journal, 2);
  await turn();
  expect(gate.is).toBe("lost");
  expect(onDisk()).toBe("record 1\n");
  await journal.close();
  await other.close();
});
