import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { encodeChange } from "../../src/runtime/change.ts";
import type { RestorePoints } from "../../src/runtime/past/restore-points.ts";
import { repairState } from "../../src/storage/file/doctor/repair-state.ts";
import { checkState } from "../../src/storage/file/doctor/state-check.ts";
import { JournalDirectory } from "../../src/storage/file/journal/journal-directory.ts";
import { type JournalFiles, machineFiles } from "../../src/storage/file/journal/journal-file.ts";
import { reportOpened, reportRecovery } from "../../src/storage/world/recovery-report.ts";
import type { WorldHandle } from "../../src/storage/world/world-handle.ts";
import { abandon, change, directoryFor, openDisk, stepsOf, turned } from "./setup/disk-world.ts";
import { inFirstLine, inFirstWorld } from "./setup/places.ts";

const notesIn = (journal: string) =>
  readdirSync(journal)
    .filter((name) => !/^[0-9]/.test(name))
    .sort();

/** The segments of a journal that have a record, oldest first. */
const segmentsIn = (journal: string) =>
  readdirSync(journal)
    .filter((name) => /^[0-9]/.test(name) && readFileSync(join(journal, name)).length > 0)
    .sort();

/** Cuts whole records off the end of a file. */
const cutRecords = (file: string, count: number) => {
  const lines = readFileSync(file, "latin1").split(/(?<=\n)/);
  truncateSync(file, lines.slice(0, -count).join("").length);
};

/** A directory that a run has left: its world has a record for its start and some for changes. */
const left = async (end: (world: WorldHandle, directory: string) => Promise<unknown>) => {
  const directory = directoryFor("noted-ends-");
  const world = await openDisk(directory);
  await change(world, stepsOf(5));
  const { seq } = world.engine.state;
  await end(world, directory);
  return { directory, journal: inFirstLine(directory, "journal"), seq };
};

const toldOf = async (directory: string) => {
  const world = await openDisk(directory);
  await world.close();
  return reportRecovery(world.recovery);
};

const stop = (world: WorldHandle) => world.close();

test("a clean stop notes the end of the journal, and the next run takes the note over", async () => {
  const { directory, journal, seq } = await left(stop);
  expect(notesIn(journal)).toEqual(["end"]);
  expect(readFileSync(join(journal, "end"), "utf8")).toContain(`{"segment":"1-1","seq":${seq}}`);
  const again = await openDisk(directory);
  expect(notesIn(journal)).toEqual(["begun"]);
  expect(reportRecovery(again.recovery)).toEqual([]);
  await again.close();
  expect(notesIn(journal)).toEqual(["end"]);
});

test("a run that writes nothing leaves the same note", async () => {
  const { directory, journal } = await left(stop);
  const noted = readFileSync(join(journal, "end"));
  expect(await toldOf(directory)).toEqual([]);
  expect(readFileSync(join(journal, "end"))).toEqual(noted);
});

test("records that a clean stop noted are missed: by name, with their number", async () => {
  const { directory, journal, seq } = await left(stop);
  const file = join(journal, "1-1");
  cutRecords(file, 2);
  const before = readFileSync(file);
  await expect(openDisk(directory)).rejects.toMatchObject({
    name: "StateDamage",
    file,
    missing: 2,
    message:
      `Expected change ${seq}, the last one at the last clean stop, in ${file} but found change ` +
      `${seq - 2} as the last one; 2 changes are missing, service-sim doctor --repair ` +
      "keeps the others, nothing changed",
  });
  expect(readFileSync(file)).toEqual(before);
  expect(notesIn(journal)).toEqual(["end"]);
});

test("an unfinished record at an end that was noted is missed, and stays in its file", async () => {
  const { directory, journal } = await left(stop);
  const file = join(journal, "1-1");
  truncateSync(file, readFileSync(file).length - 1);
  const before = readFileSync(file);
  await expect(openDisk(directory)).rejects.toMatchObject({ file, missing: 1 });
  expect(readFileSync(file)).toEqual(before);
});

test.each([
  { how: "emptied", damage: (file: string) => truncateSync(file, 0) },
  { how: "deleted", damage: (file: string) => rmSync(file) },
])("the only segment is missed when it is $how", async ({ damage }) => {
  const { directory, journal, seq } = await left(stop);
  const file = join(journal, "1-1");
  damage(file);
  await expect(openDisk(directory)).rejects.toMatchObject({ file, records: 0, missing: seq });
});

test("a repair keeps the records that are there, and the start after it has nothing to tell", async () => {
  const { directory, journal, seq } = await left(stop);
  cutRecords(join(journal, "1-1"), 2);
  const { lost, records } = await checkState(directory);
  expect({ part: lost?.part, records }).toEqual({ part: "journal", records: seq - 2 });
  const repaired = await repairState(directory);
  expect(repaired).toMatchObject({ kept: seq - 2, givenUp: 2 });
  expect(repaired?.changes).toEqual(["the last 2 changes are lost"]);
  expect(readdirSync(repaired?.asideIn ?? "")).toEqual(["end"]);
  expect(await repairState(directory)).toBeUndefined();
  expect(await toldOf(directory)).toEqual([]);
});

test("a repair that cuts a journal notes its new end", async () => {
  const { directory, journal, seq } = await left(stop);
  const file = join(journal, "1-1");
  const lines = readFileSync(file, "latin1").split(/(?<=\n)/);
  lines.splice(-3, 1, "no record\n");
  writeFileSync(file, lines.join(""), "latin1");
  expect(await repairState(directory)).toMatchObject({ kept: seq - 3, givenUp: 3 });
  expect(await toldOf(directory)).toEqual([]);
});

test("a kill is told once, with the last record and its instant", async () => {
  const { directory, seq } = await left(abandon);
  const told =
    `the last run did not stop cleanly: the last change read is number ${seq}, of ` +
    "2001-09-09T01:46:40.000Z; " +
    "a kill loses no acknowledged change, a power cut without --fsync may";
  expect((await checkState(directory)).ending).toBe(told);
  expect(await toldOf(directory)).toEqual([told]);
  expect(await toldOf(directory)).toEqual([]);
});

test("while a simulator runs, an inspection tells of no kill", async () => {
  const { directory } = await left(stop);
  const world = await openDisk(directory);
  await change(world, stepsOf(1));
  expect((await checkState(directory)).ending).toBeUndefined();
  await world.close();
});

test("a kill before the first record is not told", async () => {
  const directory = directoryFor("noted-ends-");
  const world = await openDisk(directory);
  const journal = inFirstLine(directory, "journal");
  await abandon(world, directory);
  for (const name of segmentsIn(journal)) truncateSync(join(journal, name), 0);
  expect(await toldOf(directory)).toEqual([]);
});

test("after a kill the records before the last clean stop must be there", async () => {
  const { directory, journal, seq } = await left(stop);
  const second = await openDisk(directory);
  await change(second, stepsOf(2));
  await abandon(second, directory);
  const newest = join(journal, segmentsIn(journal).at(-1) ?? "");
  truncateSync(newest, 0);
  expect((await checkState(directory)).ending).toContain(
    `the last change read is number ${seq}, of `,
  );
  cutRecords(join(journal, "1-1"), 1);
  await expect(openDisk(directory)).rejects.toMatchObject({ missing: 1 });
});

test("a state without a note is taken as it is: earlier versions left none", async () => {
  const { directory, journal } = await left(stop);
  rmSync(join(journal, "end"));
  expect(await toldOf(directory)).toEqual([]);
  expect(notesIn(journal)).toEqual(["end"]);
});

test("records that an earlier version added after the note are taken, and told", async () => {
  const { directory, journal, seq } = await left(stop);
  const noted = readFileSync(join(journal, "end"));
  const later = await openDisk(directory);
  await change(later, stepsOf(2));
  await later.close();
  writeFileSync(join(journal, "end"), noted);
  const again = await openDisk(directory);
  expect(again.engine.state.seq).toBe(seq + 2);
  expect(reportRecovery(again.recovery)).toEqual([
    `the last run did not note where its journal ends: the last change read is number ${seq + 2}, ` +
      "of 2001-09-09T01:46:40.000Z",
  ]);
  await again.close();
});

test("a damaged note is told, and replaced by the next stop", async () => {
  const { directory, journal } = await left(stop);
  const file = join(journal, "end");
  writeFileSync(file, "");
  const [told] = await toldOf(directory);
  expect(told).toMatch(
    /^the note of the last stop is damaged \(an empty file in .*\/journal\/end\):/,
  );
  expect(await toldOf(directory)).toEqual([]);
});

test("the segment whose last records are gone is named, not the one after it", async () => {
  const directory = directoryFor("noted-ends-");
  const line = (seq: number) =>
    encodeChange({ v: 5, seq, at: 0, cause: "req-1-1", by: "createCustomer", n: 0 });
  writeFileSync(join(directory, "1-1"), line(1));
  writeFileSync(join(directory, "2-1"), line(3));
  const read = () => new JournalDirectory(directory).recover(() => {});
  const expected = { name: "JournalDamage", file: join(directory, "1-1"), wholeRecords: 1 };
  const later = `change 3 at the beginning of ${join(directory, "2-1")}`;
  expect(read).toThrow(
    expect.objectContaining({ ...expected, found: `the end of the file and ${later}` }),
  );
  writeFileSync(join(directory, "1-2"), "");
  const empty = `${join(directory, "1-2")} empty`;
  expect(read).toThrow(
    expect.objectContaining({ ...expected, found: `the end of the file, ${empty} and ${later}` }),
  );
});

test("each line of a world has a note of its own, and a line that was left is gone", async () => {
  const { directory, journal } = await left(async (world) => {
    const points = world.points as RestorePoints;
    await points.switchTo(turned(world, world.engine.state.fork()));
    await change(world, stepsOf(2));
    await world.close();
  });
  expect(existsSync(journal)).toBe(false);
  const line = inFirstWorld(directory, "line-1", "journal");
  expect(notesIn(line)).toEqual(["end"]);
  cutRecords(join(line, segmentsIn(line).at(-1) ?? ""), 1);
  await expect(openDisk(directory)).rejects.toMatchObject({ missing: 1 });
});

test("a note counts the records of a checkpoint whose segments are gone", async () => {
  const directory = directoryFor("noted-ends-");
  const world = await openDisk(directory, { checkpointAfterBytes: 1 });
  for (let round = 0; round < 3; round += 1) {
    await change(world, stepsOf(4));
    await (
      world as unknown as { points: { world: { checkpoint(): Promise<void> } } }
    ).points.world.checkpoint();
  }
  await world.close();
  expect(readdirSync(inFirstLine(directory, "journal"))).not.toContain("1-1");
  expect(await toldOf(directory)).toEqual([]);
});

/** A fork that has changed, beside the default world. */
const withFork = async (end: (fork: WorldHandle) => unknown) => {
  const directory = directoryFor("noted-ends-");
  const world = await openDisk(directory);
  await change(world, stepsOf(4));
  const fork = await world.fork({ name: "side", clientId: "side" });
  await end(fork);
  await world.close();
  return { directory, journal: join(directory, "worlds", "side", "line-0", "journal") };
};

const openSide = async (directory: string) => {
  const world = await openDisk(directory);
  try {
    const side = await world.others?.open("side");
    await side?.close();
    return side;
  } finally {
    await world.close();
  }
};

test("a fork that was closed is taken as it is, with and without records of its own", async () => {
  const bare = await withFork((fork) => fork.close());
  expect(notesIn(bare.journal)).toEqual(["end"]);
  expect(reportRecovery((await openSide(bare.directory))?.recovery as never)).toEqual([]);
  const changed = await withFork((fork) => change(fork, stepsOf(2)).then(() => fork.close()));
  expect(reportRecovery((await openSide(changed.directory))?.recovery as never)).toEqual([]);
});

test("a fork that was not closed is told when it is opened and by an inspection", async () => {
  const { directory } = await withFork(async (fork) => {
    await change(fork, stepsOf(2));
    fork.engine.close();
  });
  const [, seen = "", then] =
    /^(the run that last used it did not stop cleanly: .* number \d+, of \S+;) (.*)$/.exec(
      (await checkState(directory)).toldFolders[0]?.warnings[0] ?? "",
    ) ?? [];
  expect(then).toBe("the first call to it clears this");
  const first = await openDisk(directory);
  await first.close();
  expect(await checkState(directory)).toMatchObject({
    toldFolders: [{ what: "world side", warnings: [`${seen} ${then}`] }],
  });
  const opened = await openSide(directory);
  expect(reportOpened(opened as never, { isFork: true })).toEqual([
    `${seen} a kill loses no acknowledged change, a power cut without --fsync may`,
  ]);
  expect((await checkState(directory)).toldFolders).toEqual([]);
});

test("missing records of a fork are refused by name, and a repair keeps the others", async () => {
  const { directory, journal } = await withFork(async (fork) => {
    await change(fork, stepsOf(3));
    await fork.close();
  });
  const file = join(journal, segmentsIn(journal).at(-1) ?? "");
  cutRecords(file, 1);
  await expect(openSide(directory)).rejects.toMatchObject({ file, missing: 1 });
  const { damagedFolders } = await checkState(directory);
  expect(damagedFolders).toMatchObject([{ what: "world side" }]);
  const repaired = await repairState(directory);
  expect(repaired).toMatchObject({ givenUp: 1 });
  expect(repaired?.changes).toEqual(["the last change of the world side is lost"]);
  expect(existsSync(join(directory, "worlds", "side"))).toBe(true);
  expect(reportRecovery((await openSide(directory))?.recovery as never)).toEqual([]);
});

/** The machine's calls on a journal, noted in their order. */
const notedCalls = () => {
  const calls: string[] = [];
  const files: JournalFiles = {
    ...machineFiles,
    open: (path) => {
      calls.push("open");
      return machineFiles.open(path);
    },
    sync: (fd, done) =>
      machineFiles.sync(fd, (error) => {
        calls.push("synced");
        done(error);
      }),
    writeNote: (path, bytes, durability) => {
      calls.push(`write ${path.split("/").at(-1)} ${JSON.stringify(durability)}`);
      machineFiles.writeNote(path, bytes, durability);
    },
    renameNote: (from, to) => {
      const isDone = machineFiles.renameNote(from, to);
      if (isDone) calls.push("rename");
      return isDone;
    },
    removeNote: (path) => {
      calls.push(`remove ${path.split("/").at(-1)}`);
      machineFiles.removeNote(path);
    },
  };
  return { calls, files };
};

test("with fsync an end is noted once its records are on disk, and taken over before the next", async () => {
  const { directory } = await left(stop);
  const { calls, files } = notedCalls();
  const world = await openDisk(directory, { fsync: true, files });
  await change(world, stepsOf(1));
  await world.close();
  expect(calls).toEqual(["rename", "open", "synced", 'write end {"fsync":true}', "remove begun"]);
});

test("a run whose note cannot be renamed continues, and the start after it says so", async () => {
  const { directory, journal } = await left(stop);
  const renameNote = () => {
    throw new Error("EIO");
  };
  const world = await openDisk(directory, { files: { ...machineFiles, renameNote } });
  await change(world, stepsOf(1));
  await abandon(world, directory);
  expect(notesIn(journal)).toEqual(["end"]);
  expect(await toldOf(directory)).toEqual([
    expect.stringMatching(/^the last run did not note where its journal ends: /),
  ]);
});

test("a stop whose note cannot be written continues, and says so", async () => {
  const { directory } = await left(stop);
  const writeNote = () => {
    throw new Error("ENOSPC");
  };
  const world = await openDisk(directory, { files: { ...machineFiles, writeNote } });
  const alarms: string[] = [];
  world.engine.listeners.add({ alarm: (message) => alarms.push(message) });
  await world.close();
  expect(alarms).toEqual(["the stop was not noted: Error: ENOSPC"]);
  expect(await toldOf(directory)).toEqual([
    expect.stringMatching(/^the last run did not stop cleanly: /),
  ]);
});
