import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { type OutputOptions, type RolldownOptions, rolldown } from "rolldown";
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

/** Packages that the comments of a bundle name: `// node_modules/@noble/hashes/esm/utils.js`. */
const packagesIn = (text: string) =>
  [...text.matchAll(/^\s*\/\/ .*node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//gm)].map(
    ([, name = ""]) => name,
  );

/** The texts of all bundles with their comments, which those in the package have no more. */
const commentedBundles = async (): Promise<string[]> => {
  const { default: configs } = (await import(pathToFileURL("rolldown.config.js").href)) as {
    default: RolldownOptions[];
  };
  const texts: string[] = [];
  for (const { output, ...input } of configs) {
    const bundle = await rolldown(input);
    const made = await bundle.generate({ ...(output as OutputOptions), minify: false });
    for (const one of made.output) if (one.type === "chunk") texts.push(one.code);
    await bundle.close();
  }
  return texts;
};

describe("the notices of the package", () => {
  const sections = sectionsOf(readFileSync("dist/THIRD_PARTY_NOTICES.txt", "utf8"));
  const names = new Set(sections.map(({ name }) => name));

  test("name each package whose code is in a bundle", async () => {
    const inside = new Set((await commentedBundles()).flatMap(packagesIn));
    expect(inside.size).toBeGreaterThan(50);
    expect([...inside].filter((name) => !names.has(name))).toEqual([]);
    for (const name of ["zod", "h3", "jose", "ink", "react", "rolldown"])
      expect(names).toContain(name);
    for (const name of ["listhen", "jiti", "vitest"]) expect(names).not.toContain(name);
  });

  test("name each of them once, with an allowed license and its text", () => {
    const titles = sections.map(({ name, version }) => `${name} ${version}`);
    expect(new Set(titles).size).toBe(titles.length);
    expect(Object.keys(ALLOWED_LICENSES).sort()).toEqual([
      "0BSD",
      "Apache-2.0",
      "BSD-2-Clause",
      "BSD-3-Clause",
      "ISC",
      "MIT",
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
