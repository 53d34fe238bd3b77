// Rewrites src/docs/reference.md from the built program: `npm run reference`.
const { execFileSync } = require("node:child_process");
const { writeFileSync } = require("node:fs");
const { join } = require("node:path");

const HEAD = `# Reference

Every command, option, variable, exit code and control call, as \`service-sim reference\` prints
them. \`npm run reference\` writes this page again after \`npm run build\`.

`;

/** @returns the page for what the program prints, with headings one level below the page's own */
const pageOf = (printed) => HEAD + printed.replace(/^### /gm, "## ");

const write = () => {
  const root = join(__dirname, "..");
  const program = join(root, "bin", "service-sim.js");
  const printed = execFileSync(process.execPath, [program, "reference"], { encoding: "utf8" });
  writeFileSync(join(root, "src", "docs", "reference.md"), pageOf(printed));
};

module.exports = { pageOf };

if (require.main === module) write();
