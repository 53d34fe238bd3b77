// Writes the bill of materials (CycloneDX) of the package: each package whose code is in dist/, as
// the notices name them. `npm sbom` tells version, license and hash of each from package-lock.json.
// With `--all` it prints those of the development too.
const { spawnSync } = require("node:child_process");
const { readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const root = join(__dirname, "..");
const FILE = join(root, "dist", "sbom.cdx.json");

/** Everything in package-lock.json, as npm tells it. */
const toldByNpm = () => {
  const words = ["sbom", "--package-lock-only", "--sbom-format", "cyclonedx"];
  const { status, stdout, stderr } = spawnSync("npm", words, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error(`Expected npm sbom to end well but found ${stderr}`);
  return JSON.parse(stdout);
};

/** Names and versions in the notices: `zod 4.6.7`. */
const bundled = () => {
  const notices = readFileSync(join(root, "dist", "THIRD_PARTY_NOTICES.txt"), "utf8");
  const sections = notices.split(/^-{96}$/m).slice(1);
  return new Set(sections.map((section) => section.trim().split("\n")[0]));
};

const nameOf = ({ name, version }) => `${name} ${version}`;

const component = ({ name, version, purl, licenses, hashes }) => ({
  type: "library",
  "bom-ref": purl,
  name,
  version,
  purl,
  licenses,
  hashes,
});

/**
 * The document of what npm told: the same for the same lock file, so without an instant, a number
 * of its own and the folder's name.
 */
const documentOf = ({ bomFormat, specVersion, components }, names) => {
  const { name, version, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const purl = `pkg:npm/${name}@${version}`;
  const own = { type: "application", "bom-ref": purl, name, version, purl };
  const told = new Map(components.map((one) => [nameOf(one), component(one)]));
  const missing = [...names].filter((one) => !told.has(one));
  if (missing.length > 0)
    throw new Error(`Expected npm sbom to tell ${missing.join(", ")} but found none of that name`);
  return {
    bomFormat,
    specVersion,
    version: 1,
    metadata: { component: { ...own, licenses: [{ license: { id: license } }] } },
    components: [...names].sort().map((one) => told.get(one)),
    dependencies: [{ ref: purl, dependsOn: [...names].sort().map((one) => told.get(one).purl) }],
  };
};

const isWhole = process.argv.includes("--all");
const told = toldByNpm();
const names = isWhole
  ? new Set(told.components.filter(({ hashes }) => hashes !== undefined).map(nameOf))
  : bundled();
const text = `${JSON.stringify(documentOf(told, names))}\n`;
if (isWhole) process.stdout.write(text);
else writeFileSync(FILE, text);
