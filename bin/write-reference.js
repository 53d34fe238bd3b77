// Writes the reference of the README anew from the built program: `npm run reference`.
const { execFileSync } = require("node:child_process");
const { readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

/** The lines between which the README holds what `service-sim reference` prints. */
const BEGIN = "<!-- npm run reference writes what follows -->";
const END = "<!-- end of the reference -->";

const root = join(__dirname, "..");
const readme = join(root, "README.md");

/** @returns the reference in a README's text, without the lines around it */
const referenceIn = (text) => {
  const [begin, end] = [text.indexOf(`${BEGIN}\n`), text.indexOf(`\n${END}`)];
  if (begin < 0 || end < begin) throw new Error(`Expected "${BEGIN}" and "${END}" in README.md`);
  return text.slice(begin + BEGIN.length + 1, end);
};

const write = () => {
  const program = join(root, "bin", "service-sim.js");
  const printed = execFileSync(process.execPath, [program, "reference"], { encoding: "utf8" });
  const text = readFileSync(readme, "utf8");
  const before = text.slice(0, text.indexOf(`${BEGIN}\n`) + BEGIN.length + 1);
  const after = text.slice(before.length + referenceIn(text).length);
  writeFileSync(readme, `${before}${printed}${after}`);
};

module.exports = { referenceIn };

if (require.main === module) write();
