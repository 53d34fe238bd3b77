import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Source files below a folder of `src`, with their text. */
export const sourcesOf = (folder: string): { path: string; text: string }[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name))
    .map((path) => ({ path, text: readFileSync(path, "utf8") }));
