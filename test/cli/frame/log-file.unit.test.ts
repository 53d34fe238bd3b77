import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LogFile, turnLog } from "../../../src/cli/frame/log-file.ts";

/** A file with room for a number of bytes, like one on a disk that fills up. */
const fileWith = (roomBytes: number) => {
  const file = { text: "", room: roomBytes };
  const log = new LogFile((bytes) => {
    if (file.room === 0) throw new Error("ENOSPC: no space left on device, write");
    const fitting = bytes.subarray(0, file.room);
    file.room -= fitting.length;
    file.text += fitting.toString("utf8");
    return fitting.length;
  });
  return { file, log };
};

test("a log with room has every line", () => {
  const { file, log } = fileWith(1000);
  log.write("one\n");
  log.write("two\nthree\n");
  expect(file.text).toBe("one\ntwo\nthree\n");
});

test("lines without room are left out, and counted where the log continues", () => {
  const { file, log } = fileWith(4);
  log.write("one\n");
  log.write("two\n");
  log.write("three\nfour\n");
  expect(file.text).toBe("one\n");
  file.room = 1000;
  log.write("five\n");
  log.write("six\n");
  expect(file.text).toBe("one\nnote   3 lines are missing here: the disk was full\nfive\nsix\n");
});

test("a line that was cut ends before the log continues", () => {
  const { file, log } = fileWith(6);
  log.write("one\n");
  log.write("two\n");
  expect(file.text).toBe("one\ntw");
  file.room = 1000;
  log.write("three\n");
  expect(file.text).toBe("one\ntw\nnote   1 line is missing here: the disk was full\nthree\n");
});

describe("a log with a bound", () => {
  let folder: string;
  let path: string;
  let fd: number;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "log-file-"));
    path = join(folder, "service-sim.log");
    fd = openSync(path, "a");
  });

  afterEach(() => {
    closeSync(fd);
    rmSync(folder, { recursive: true });
  });

  const written = (name = "service-sim.log") => readFileSync(join(folder, name), "utf8");

  const log = () =>
    new LogFile(
      (bytes) => writeSync(fd, bytes),
      () => turnLog(fd, path, 10),
    );

  test("begins again, and its lines stay beside it", () => {
    const bounded = log();
    for (const line of ["first\n", "second\n", "third\n"]) bounded.write(line);
    expect(written()).toBe(`note   earlier lines are in ${path}.old\nthird\n`);
    expect(written("service-sim.log.old")).toBe("first\nsecond\n");
  });

  test("never has more than two parts, whatever is written", () => {
    const bounded = log();
    for (let line = 0; line < 300; line += 1) bounded.write(`line ${line}\n`);
    expect(readdirSync(folder).sort()).toEqual(["service-sim.log", "service-sim.log.old"]);
    expect(written().length).toBeLessThan(200);
    expect(written("service-sim.log.old").length).toBeLessThan(200);
    expect(written()).toContain("line 299\n");
  });

  test("is bounded too where its older part cannot be kept", () => {
    mkdirSync(`${path}.old`);
    const bounded = log();
    for (const line of ["first\n", "second\n", "third\n"]) bounded.write(line);
    expect(written()).toMatch(/^note .*\nthird\n$/);
  });

  test("leaves a file alone that somebody has put in its place", () => {
    renameSync(path, join(folder, "moved"));
    writeFileSync(path, "theirs\n");
    const bounded = log();
    for (const line of ["first\n", "second\n", "third\n"]) bounded.write(line);
    expect(written()).toBe("theirs\n");
    expect(readdirSync(folder).sort()).toEqual(["moved", "service-sim.log"]);
  });
});
