import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const DOCS = "src/docs";

/** The anchor that GitHub gives a heading. */
export const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");

/** Pages below a folder, by their path in it. */
export const pagesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".md"))
    .sort();

/** Anchors of a page, in its order; the first is the title's. */
export const anchorsOf = (page: string): string[] =>
  [...readFileSync(join(DOCS, page), "utf8").matchAll(/^#{1,4} (.+)$/gm)].map(([, heading = ""]) =>
    anchorOf(heading),
  );

/** Anchors of the specification that code and tests can cite: all but the titles of pages. */
export const ruleAnchors = (): string[] =>
  pagesBelow(join(DOCS, "spec")).flatMap((name) =>
    anchorsOf(`spec/${name}`)
      .slice(1)
      .map((anchor) => `spec/${name}#${anchor}`),
  );

export interface Citation {
  file: string;
  line: number;
  /** `spec/quotes.md#expiry`, `decisions/journal.md`. */
  to: string;
}

const CITATION = /\b((?:spec|decisions|guide)\/[a-z0-9-]+\.md(?:#[\w-]+)?)/g;

/** Patterns of citations that a reader of the repository cannot open. */
export const FOREIGN =
  /\b(?:payments|wallets?|platform|agents|cards) digests?\b|\bdigests?,? \d|\b[OC]-\d{1,3}\b|\b(?:payments|wallets|platform|agents|cards) \d{1,2}\.\d|\(decisions, |\bdecisions,\s|contract decisions|MECHANISMS|ARCHITECTURE,|TERMINAL\.md|STYLE\.md|STACK\.md/;

const linesOf = (file: string) => readFileSync(file, "utf8").split("\n");

/** The pages that a source file cites. */
export const citationsIn = (file: string): Citation[] =>
  linesOf(file).flatMap((text, at) =>
    [...text.matchAll(CITATION)].map(([, to = ""]) => ({ file, line: at + 1, to })),
  );

/** Lines of a source file that cite documents outside the repository. */
export const foreignIn = (file: string): string[] =>
  linesOf(file).flatMap((text, at) =>
    FOREIGN.test(text) ? [`${file}:${at + 1} ${text.trim()}`] : [],
  );

/** Sources and tests below a folder or a file of the repository. */
export const sourcesBelow = (folder: string): string[] =>
  /\.tsx?$/.test(folder)
    ? [folder]
    : readdirSync(folder, { recursive: true, encoding: "utf8" })
        .map((name) => join(folder, name).replaceAll("\\", "/"))
        .filter((name) => /\.tsx?$/.test(name) && !name.includes("node_modules"))
        .sort();

/** The checks of citations hold patterns of what they look for. */
export const CHECKS: readonly string[] = [
  "test/docs/setup/citations.ts",
  "test/docs/setup/prose.ts",
  "test/docs/spec-links.test.ts",
  "test/docs/citations.test.ts",
];
