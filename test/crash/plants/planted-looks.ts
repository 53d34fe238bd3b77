import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { notesOf } from "../../../src/storage/file/journal/journal-end.ts";
import { type Look, lookOnly } from "../bits/look.ts";

const SEGMENT = /(^|[/\\])journal[/\\][0-9]+-[0-9]+$/;
const RECORD = /^([0-9a-f]{8}) ([0-9]+) (\{.*\})\n$/s;

const linesOf = (bytes: Buffer) => bytes.toString("latin1").split(/(?<=\n)/);

const sumOf = (json: string) => crc32(Buffer.from(json, "latin1")).toString(16).padStart(8, "0");

const isWhole = (line: string) => {
  const [, sum, length, json = ""] = RECORD.exec(line) ?? [];
  return sum === sumOf(json) && Number(length) === json.length;
};

/** Looks at a state after a segment was changed as a mistaken reader would read it. */
const mistaken =
  (read: (lines: string[]) => string[]): Look =>
  (directory, file) => {
    const path = join(directory, file);
    if (SEGMENT.test(file))
      writeFileSync(path, Buffer.from(read(linesOf(readFileSync(path))).join(""), "latin1"));
    return lookOnly(directory, file);
  };

const resealed = (line: string) => {
  const [, , length, json] = RECORD.exec(line) ?? [];
  return json === undefined ? line : `${sumOf(json)} ${length} ${json}\n`;
};

/** A reader that takes each record as it is. */
export const withoutChecksums = mistaken((lines) => lines.map(resealed));

/** A reader to whom the first damaged record is the end. */
export const endAtDamage = mistaken((lines) => {
  const end = lines.findIndex((line) => !isWhole(line));
  return end < 0 ? lines : lines.slice(0, end);
});

/** A reader that takes the end of a journal for its end, whatever the last stop noted. */
export const withoutNotedEnd: Look = (directory, file) => {
  const kept = notesOf(join(directory, dirname(file))).filter((note) => existsSync(note));
  for (const note of kept) renameSync(note, `${note}.unread`);
  return lookOnly(directory, file).finally(() => {
    for (const note of kept) renameSync(`${note}.unread`, note);
  });
};

/** A reader that tells nothing of a run that did not stop cleanly. */
export const withoutEndings: Look = async (directory, file) => {
  const seen = await lookOnly(directory, file);
  return { ...seen, told: seen.told.filter((one) => !one.includes("did not stop cleanly")) };
};
