import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { checkpointKeys } from "../../../src/runtime/storage/checkpoint-manifest.ts";
import { JournalDirectory } from "../../../src/runtime/storage/journal-directory.ts";
import { openKeyValue, pathOfKey } from "../../../src/runtime/storage/storage.ts";

const asVersion2 = (line: string) => {
  const json = line.slice(line.indexOf("{")).replace(/^\{"v":[34]/, '{"v":2');
  const checksum = crc32(json).toString(16).padStart(8, "0");
  return `${checksum} ${Buffer.byteLength(json)} ${json}`;
};

/** Removes the header of an image, which leaves plain JSON as in version 2. */
export const withoutHeader = (file: string) => {
  const text = readFileSync(file, "utf8");
  const body = JSON.parse(text.slice(text.indexOf("\n") + 1));
  const old = "format" in body ? { ...body, format: 2 } : body;
  writeFileSync(file, JSON.stringify(old));
};

/** Files of a state directory that are images. */
export const imageFiles = async (directory: string) => {
  const storage = openKeyValue({ kind: "file", directory });
  const manifests = (await checkpointKeys(storage)).filter((key) => key.endsWith(":manifest"));
  const others = (await storage.getKeys()).filter((key) => ["identity", "fixture"].includes(key));
  return [...manifests, ...others].sort().map((key) => pathOfKey(directory, key));
};

/** Turns a state into one of version 2: no checksums, and no record of version 3. */
export const makeOld = async (directory: string) => {
  const journals = new JournalDirectory(join(directory, "journal"));
  for (const name of journals.names()) {
    const lines = journals.bytesOf(name).toString("utf8").split("\n");
    const old = lines.map((line) => (line === "" ? "" : asVersion2(line)));
    writeFileSync(join(journals.path, name), old.join("\n"));
  }
  for (const file of await imageFiles(directory)) withoutHeader(file);
};
