import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isUserText, userTextOf, withoutMark } from "../../src/machine/user-text.ts";
import { files } from "../setup/source-files.ts";

const TEXT = '{"name":"Zoë €"}';

test.each([
  { what: "UTF-8", bytes: Buffer.from(TEXT) },
  { what: "UTF-8 behind a mark", bytes: Buffer.from(`\uFEFF${TEXT}`) },
  { what: "UTF-16 with the low byte first", bytes: Buffer.from(`\uFEFF${TEXT}`, "utf16le") },
  {
    what: "UTF-16 with the high byte first",
    bytes: Buffer.from(`\uFEFF${TEXT}`, "utf16le").swap16(),
  },
])("text in $what is read", ({ bytes }) => {
  expect(isUserText(bytes)).toBe(true);
  expect(userTextOf(bytes)).toBe(TEXT);
});

test("only the first mark is dropped, and a text without one is as it was", () => {
  expect(withoutMark(`\uFEFF\uFEFFa\uFEFF`)).toBe("\uFEFFa\uFEFF");
  expect(withoutMark("")).toBe("");
  expect(isUserText(Buffer.from([0x61, 0xe9, 0x62]))).toBe(false);
});

/** Files that read texts of the program's own, which have no mark. */
const OWN = [
  "cli/frame/detach.ts",
  "cli/frame/instance-file.ts",
  "cli/frame/quick-answer.ts",
  "cli/tasks/started-processes.ts",
  "cli/text/called-as.ts",
  "machine/doc-files.ts",
  "machine/process-probe.ts",
  "storage/file/lock/lock-owner.ts",
  "storage/file/state/key-files.ts",
];

test("every text of a user is read by the one reader of such files", () => {
  const others = files
    .filter((file) => file !== "machine/user-text.ts")
    .filter((file) =>
      /readFile(Sync)?\([^;]*?"utf-?8"|toString\("utf-?8"\)[^;]*JSON\.parse/.test(
        readFileSync(`src/${file}`, "utf8"),
      ),
    );
  expect(others.sort()).toEqual(OWN);
});
