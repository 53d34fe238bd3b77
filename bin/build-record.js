// Tells whether dist/ is built from the sources as they are, by contents. `npm run build` writes
// the record; tests build again only when it no longer fits.
const { createHash } = require("node:crypto");
const fs = require("node:fs");
const { dirname, join } = require("node:path");

const root = join(__dirname, "..");

const BUILT = [
  "dist/cli.cjs",
  "dist/code-cache.cjs",
  "dist/console/index.html.br",
  "dist/coverage-reporter.d.mts",
  "dist/coverage-reporter.mjs",
  "dist/docs.json.br",
  "dist/help.json",
  "dist/jest-reporter.cjs",
  "dist/jest-reporter.d.cts",
  "dist/jest-setup.cjs",
  "dist/jest-setup.d.cts",
  "dist/jest-teardown.cjs",
  "dist/jest-teardown.d.cts",
  "dist/jest.cjs",
  "dist/jest.d.cts",
  "dist/playwright.cjs",
  "dist/playwright.d.cts",
  "dist/playwright.d.mts",
  "dist/playwright.mjs",
  "dist/quick-words.cjs",
  "dist/quick.cjs",
  "dist/sbom.cdx.json",
  "dist/simulator.cjs",
  "dist/simulator.d.cts",
  "dist/simulator.d.mts",
  "dist/simulator.mjs",
  "dist/THIRD_PARTY_NOTICES.txt",
  "dist/tui.js",
  "dist/vitest-setup.d.mts",
  "dist/vitest-setup.mjs",
  "dist/vitest.d.mts",
  "dist/vitest.mjs",
];
/** The lock file stands for the packages that are bundled. */
const SOURCES = ["package.json", "package-lock.json", "rolldown.config.js", "tsconfig.json"];
const SOURCE_FOLDERS = ["bin", "src"];
/** Outside dist/, which is packed whole. */
const RECORD = join(root, ".cache", "build.sha256");

const filesBelow = (folder) =>
  fs
    .readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(folder, name))
    .filter((file) => fs.statSync(join(root, file)).isFile())
    .sort();

/** Hash of names and contents: a checkout that only touches files changes nothing. */
const hashOf = (files) => {
  const hash = createHash("sha256");
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(fs.readFileSync(join(root, file)))
      .update("\0");
  return hash.digest("hex");
};

const buildHash = () => hashOf([...SOURCES, ...SOURCE_FOLDERS.flatMap(filesBelow), ...BUILT]);

/** Whether the build that was recorded last is there, made of these sources. */
const isBuilt = () =>
  [RECORD, ...BUILT.map((file) => join(root, file))].every(fs.existsSync) &&
  fs.readFileSync(RECORD, "utf8").trim() === buildHash();

const recordBuild = () => {
  fs.mkdirSync(dirname(RECORD), { recursive: true });
  fs.writeFileSync(RECORD, `${buildHash()}\n`);
};

module.exports = { isBuilt };

if (require.main === module) recordBuild();
