import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { packageFolder } from "./package-folder.ts";

/** Set by the build. */
declare const __BUNDLED__: true | undefined;

/** The text of each page by its topic: its path below `src/docs` without the ending. */
type Pages = ReadonlyMap<string, string>;

const ENDING = ".md";

/** Pages of a checkout, as they stand. */
const pagesOfSources = (): Pages => {
  const folder = packageFolder("src/docs");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const topics = names
    .filter((name) => name.endsWith(ENDING))
    .map((name) => name.replaceAll("\\", "/").slice(0, -ENDING.length));
  return new Map(
    topics.map((topic) => [topic, readFileSync(join(folder, topic + ENDING), "utf8")]),
  );
};

/** Pages as the build packs them (decisions/small-package.md). */
const pagesOfPackage = (): Pages => {
  const packed = readFileSync(packageFolder("dist/docs.json.br"));
  return new Map(Object.entries(JSON.parse(brotliDecompressSync(packed).toString("utf8"))));
};

let pages: Pages | undefined;

/** All pages, read when somebody first asks for one. */
export const docPages = (): Pages => {
  pages ??= typeof __BUNDLED__ === "undefined" ? pagesOfSources() : pagesOfPackage();
  return pages;
};
