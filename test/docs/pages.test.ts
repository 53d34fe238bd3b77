import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PAGES, textOfPage } from "./setup/doc-blocks.ts";

const ALL = [...PAGES, "src/README.md", "src/docs/reference.md"];

const proseOf = (page: string) => textOfPage(page).replace(/^```[\s\S]*?^```$/gm, "");

/** The anchor that a heading gets where Markdown is rendered. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

const anchorsOf = (page: string) =>
  [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(`${heading}`));

const linksOf = (page: string) =>
  [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => `${target}`)
    .filter((target) => !/^\w+:/.test(target));

const leadsNowhere = (page: string, link: string) => {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : join(page, "..", path).replace(/\/$/, "");
  if (!existsSync(target)) return true;
  return anchor !== undefined && (statSync(target).isDirectory() || !hasAnchor(target, anchor));
};

const hasAnchor = (page: string, anchor: string) => anchorsOf(page).includes(anchor);

describe.each(ALL)("%s", (page) => {
  test("every link leads to a page, and to a heading of it", () => {
    expect(linksOf(page).filter((link) => leadsNowhere(page, link))).toEqual([]);
  });

  test("it has one title, and a blank line before each heading", () => {
    const prose = proseOf(page);
    expect(prose.match(/^# .+$/gm)).toHaveLength(1);
    expect(prose.match(/^(?!$).+\n#+ .*$/gm) ?? []).toEqual([]);
  });
});

test("README is at most 200 lines long", () => {
  expect(textOfPage("README.md").split("\n").length - 1).toBeLessThanOrEqual(200);
});

test("README leads to every page of the guide", () => {
  const links = linksOf("README.md");
  expect(PAGES.filter((page) => page !== "README.md" && !links.includes(page))).toEqual([]);
});
