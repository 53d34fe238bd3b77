import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, test } from "vitest";
import { everyRow } from "../setup/every-row.ts";

const FOLDER = "src/docs";

/** Pages by their path below `src/docs`, in forward slashes. */
const pages = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
  .map((name) => name.replaceAll("\\", "/"))
  .filter((name) => name.endsWith(".md"));

const rules = pages.filter((page) => page.startsWith("spec/"));

/** The text of a page without its code blocks, whose lines may look like headings or links. */
const textOf = (page: string) =>
  readFileSync(join(FOLDER, page), "utf8").replace(/^```[\s\S]*?^```$/gm, "");

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");

const anchorsOf = (page: string) =>
  [...textOf(page).matchAll(/^#{1,4} (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));

const anchors = new Map(pages.map((page) => [page, anchorsOf(page)]));

/**
 * Links inside the documents: to a page, to an anchor of one, or to an anchor of the page itself.
 */
const linksOf = (page: string) =>
  [...textOf(page).matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map(
    ([, to = "", anchor]) => ({
      to: to === "" ? page : posix.join(posix.dirname(page), to),
      anchor,
    }),
  );

/** Whether a link leads to an anchor of a page, or to any other file of the repository. */
const isThere = ({ to, anchor }: { to: string; anchor: string | undefined }) =>
  anchor === undefined ? existsSync(join(FOLDER, to)) : anchors.get(to)?.includes(anchor);

test("every resource of the service has its page", () => {
  expect(rules.length).toBeGreaterThanOrEqual(43);
});

test("every page gives each rule an anchor of its own", () =>
  everyRow(pages, (page) => {
    const own = anchors.get(page) ?? [];
    expect(own.filter((anchor, at) => own.indexOf(anchor) !== at)).toEqual([]);
    expect(own.length).toBeGreaterThan(page.startsWith("spec/") ? 3 : 0);
  }));

test("every page links to what is there", () => {
  const broken = pages.flatMap((page) =>
    linksOf(page)
      .filter((link) => !isThere(link))
      .map((link) => ({ page, ...link })),
  );
  expect(broken).toEqual([]);
});

test("no page cites what a reader of the repository cannot open", () => {
  const hidden = /\bdigest \d|\b[OC]-\d{2}\b|\(decisions,|MECHANISMS/;
  expect(pages.filter((page) => hidden.test(textOf(page)))).toEqual([]);
});
