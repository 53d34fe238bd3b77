import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** All sources, by their paths below `src`. */
export const files = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => name.replaceAll("\\", "/"))
  .sort();

export const textOf = (file: string) => readFileSync(join("src", file), "utf8");

/** `runtime` of `runtime/clock.ts`, `simulator` of `simulator.ts`. */
export const layerOf = (file: string) => (file.split("/")[0] as string).replace(/\.ts$/, "");

/** Lines of the files that match a forbidden pattern, as `file:line text`. */
export const linesWith = (pattern: RegExp, inFiles = files) =>
  inFiles.flatMap((file) =>
    textOf(file)
      .split("\n")
      .flatMap((line, at) => (pattern.test(line) ? [`${file}:${at + 1} ${line.trim()}`] : [])),
  );

export const inLayer = (layer: string) => files.filter((file) => layerOf(file) === layer);
