import { expect, test } from "vitest";
import { LogFile } from "../../../src/cli/frame/log-file.ts";

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

test("lines without room are left out, and counted where the log goes on", () => {
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

test("a line that was cut ends before the log goes on", () => {
  const { file, log } = fileWith(6);
  log.write("one\n");
  log.write("two\n");
  expect(file.text).toBe("one\ntw");
  file.room = 1000;
  log.write("three\n");
  expect(file.text).toBe("one\ntw\nnote   1 line is missing here: the disk was full\nthree\n");
});
