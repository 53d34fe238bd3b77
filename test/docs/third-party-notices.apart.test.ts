import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { type OutputOptions, type RolldownOptions, rolldown } from "rolldown";
import { build, type InlineConfig, type Rolldown } from "vite";
import { expect, test } from "vitest";

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
  const { CONSOLE } = (await import(pathToFileURL("bin/pack-console.mjs").href)) as {
    CONSOLE: InlineConfig;
  };
  const console = { ...CONSOLE, build: { ...CONSOLE.build, minify: false } };
  const { output } = (await build(console)) as Rolldown.RolldownOutput;
  for (const one of output) if (one.type === "chunk") texts.push(one.code);
  return texts;
};

test("the notices name each package whose code is in a bundle", async () => {
  const notices = readFileSync("dist/THIRD_PARTY_NOTICES.txt", "utf8").split("\n");
  const names = new Set(notices.map((line) => line.split(" ")[0]));
  const inside = new Set((await commentedBundles()).flatMap(packagesIn));
  expect(inside).toContain("react-dom");
  expect(inside.size).toBeGreaterThan(50);
  expect([...inside].filter((name) => !names.has(name))).toEqual([]);
});
