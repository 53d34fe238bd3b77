import { campaignOptions } from "../setup/campaign-options.ts";

campaignOptions({
  script: "fuzz:patterns",
  does: "Looks for texts that make a regular expression of the sources or documents slow. It takes minutes.",
  options: [],
  examples: [],
});

// Sources that a build would fill in.
Object.assign(globalThis, { __VERSION__: "fuzz" });
const { allPatterns } = await import("./patterns.ts");
const { slowPattern } = await import("./pattern-check.ts");

const patterns = allPatterns();
let slow = 0;
for (const [index, pattern] of patterns.entries()) {
  process.stderr.write(`\r${index + 1} of ${patterns.length} patterns `);
  const found = await slowPattern(pattern);
  if (!found) continue;
  slow += 1;
  const { at, source, flags, complexity, attack } = found;
  console.error(`\n${at}: /${source}/${flags} is ${complexity}, e.g. for ${attack}`);
}
process.stderr.write("\n");
console.log(`${patterns.length} patterns, ${slow} that a caller could make slow`);
process.exit(slow > 0 ? 1 : 0);
