import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";

/** The text of a file that an earlier version of the program wrote, which the tests keep. */
export const recordedText = (folder: string, name: string): string =>
  brotliDecompressSync(readFileSync(join(folder, name))).toString("utf8");

/** The versions that a folder has recordings of, from names like `format-4.json.br`. */
export const recordedVersions = (folder: string, form: RegExp): number[] =>
  readdirSync(folder)
    .flatMap((name) => form.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((one, other) => one - other);
