import { hash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";

/** Ends a line 0 that its world has left, as the program of format 4 wrote it. */
const LEFT = '{"v":1000000,"seq":1,"at":0,"cause":"line","by":"line","n":0}';

/** A record of a journal. */
export const recordOf = (json: string) =>
  `${crc32(json).toString(16).padStart(8, "0")} ${Buffer.byteLength(json)} ${json}\n`;

const imageOf = (kind: string, json: string) => {
  const length = Buffer.byteLength(json);
  const sum = hash("sha256", `4 ${kind} ${length}\n${json}`, "hex");
  return `service-sim image 4 ${kind} ${length} ${sum}\n${json}`;
};

/** Bytes of a file of this format as format 4 has them. */
const before = (text: string): string => {
  const [, kind] = /^service-sim image 5 ([a-z]+) /.exec(text) ?? [];
  if (kind !== undefined) {
    const json = text.slice(text.indexOf("\n") + 1);
    return imageOf(kind, json.replace('"format":5', '"format":4'));
  }
  return text.replace(/^[0-9a-f]{8} [0-9]+ \{"v":5,(.*)\n/gm, (_, rest) =>
    recordOf(`{"v":4,${rest}`),
  );
};

export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();

/** Gives the linked files of a line their sums again. */
const sumAgain = (file: string) => {
  const text = readFileSync(file, "utf8");
  const image = JSON.parse(text.slice(text.indexOf("\n") + 1));
  for (const linked of image.files) {
    const bytes = readFileSync(join(dirname(file), "origin", linked.path));
    Object.assign(linked, { size: bytes.length, crc: crc32(bytes) });
  }
  writeFileSync(file, imageOf("line", JSON.stringify(image)));
};

/** Makes a state directory what the program of format 4 would have left there. */
export const asFormat4 = (root: string) => {
  const worlds = join(root, "worlds");
  const files = filesBelow(worlds);
  for (const file of files) writeFileSync(file, before(readFileSync(file, "utf8")));
  for (const file of files.filter((one) => one.endsWith("line.json"))) sumAgain(file);
  const first = join(worlds, "sandbox");
  for (const name of ["world.json", "summary.json"]) rmSync(join(first, name), { force: true });
  const home = join(first, "line-0");
  const names = readdirSync(first);
  if (names.includes("line-0")) {
    rmSync(join(home, "line.json"));
    for (const name of readdirSync(home))
      if (name !== "origin") renameSync(join(home, name), join(root, name));
    rmSync(home, { recursive: true });
  } else {
    mkdirSync(join(root, "journal"));
    writeFileSync(join(root, "journal", "1-9"), recordOf(LEFT));
  }
  for (const name of readdirSync(first)) renameSync(join(first, name), join(root, name));
  rmSync(first, { recursive: true });
  if (readdirSync(worlds).length === 0) rmSync(worlds, { recursive: true });
};
