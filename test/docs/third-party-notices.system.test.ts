import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";

interface Bundled {
  name: string;
  version: string;
  license: string;
  licenseText?: string | null;
}

const { ALLOWED_LICENSES, RULE, noticesOf } = (await import(
  pathToFileURL("bin/third-party-notices.mjs").href
)) as {
  ALLOWED_LICENSES: Record<string, string>;
  RULE: string;
  noticesOf(packages: readonly Bundled[]): string;
};

/** The sections of the notices: name, version, license and text of each package. */
const sectionsOf = (notices: string) =>
  notices
    .split(`\n\n${RULE}\n\n`)
    .slice(1)
    .map((section) => {
      const [title = "", license = "", ...text] = section.trim().split("\n\n");
      const [name = "", version = ""] = title.split(" ");
      return { name, version, license: license.replace("License: ", ""), text: text.join("\n\n") };
    });

describe("the notices of the package", () => {
  const sections = sectionsOf(readFileSync("dist/THIRD_PARTY_NOTICES.txt", "utf8"));

  test("name each of them once, with an allowed license and its text", () => {
    const titles = sections.map(({ name, version }) => `${name} ${version}`);
    expect(new Set(titles).size).toBe(titles.length);
    const names = sections.map(({ name }) => name);
    for (const name of [
      "zod",
      "h3",
      "jose",
      "ink",
      "react",
      "rolldown",
      "@fontsource-variable/figtree",
    ])
      expect(names).toContain(name);
    for (const name of ["listhen", "jiti", "vitest"]) expect(names).not.toContain(name);
    expect(Object.keys(ALLOWED_LICENSES).sort()).toEqual([
      "0BSD",
      "Apache-2.0",
      "BSD-2-Clause",
      "BSD-3-Clause",
      "ISC",
      "MIT",
      "OFL-1.1",
      "Unlicense",
    ]);
    for (const { name, license, text } of sections) {
      expect(Object.keys(ALLOWED_LICENSES), name).toContain(license);
      // What is in the public domain asks for nothing.
      expect(text.length, name).toBeGreaterThan(license === "Unlicense" ? 40 : 500);
    }
  });
});

describe("a build ends with why when a package", () => {
  test.each([
    {
      says: "has a license that is not allowed",
      found: { name: "copied", version: "1.0.0", license: "GPL-3.0", licenseText: "…" },
      why: "Expected copied to have an allowed license but found GPL-3.0",
    },
    {
      says: "comes without the text of its license",
      found: { name: "bare", version: "1.0.0", license: "MIT", licenseText: null },
      why: "Expected a license text of bare but found none",
    },
  ])("$says", ({ found, why }) => {
    expect(() => noticesOf([found])).toThrow(why);
  });
});
