// Writes package.json as it is published, without what is of use in a checkout alone, and the pages of
// the package with links that lead out of it. `npm pack` and `npm publish` call it before they pack, and
// afterwards with --restore.
const fs = require("node:fs");
const { join } = require("node:path");

const root = join(__dirname, "..");
/** The files as they are, meanwhile; a pack that was interrupted leaves them here. */
const WHOLE = join(root, ".cache");

const OF_THE_WORKSHOP = ["workspaces", "scripts", "devDependencies", "allowScripts", "overrides"];

const publishedManifest = (manifest) =>
  Object.fromEntries(Object.entries(manifest).filter(([name]) => !OF_THE_WORKSHOP.includes(name)));

/** Files of the package that its pages link to. */
const BESIDE = new Set(["CHANGELOG.md", "LICENSE", "README.md"]);

/** A page whose links to files outside the package lead to the repository, at the version's tag. */
const publishedPage = (text, { homepage, version }) => {
  const repository = homepage.replace(/#.*$/, "");
  return text.replace(/(!?\[[^\]]*\]\()([^)\s]+)(?=\))/g, (link, label, target) => {
    if (/^(\w+:|#)/.test(target) || BESIDE.has(target)) return link;
    const kind = label.startsWith("!") ? "raw" : "blob";
    return `${label}${repository}/${kind}/v${version}/${target}`;
  });
};

const published = {
  "package.json": (text) => `${JSON.stringify(publishedManifest(JSON.parse(text)), null, 2)}\n`,
  "README.md": publishedPage,
  "CHANGELOG.md": publishedPage,
};

const restoreManifest = () => {
  for (const name of Object.keys(published))
    if (fs.existsSync(join(WHOLE, name))) fs.renameSync(join(WHOLE, name), join(root, name));
};

const writePublished = () => {
  restoreManifest();
  fs.mkdirSync(WHOLE, { recursive: true });
  const manifest = JSON.parse(fs.readFileSync(join(root, "package.json"), "utf8"));
  for (const [name, write] of Object.entries(published)) {
    const file = join(root, name);
    if (!fs.existsSync(file)) continue;
    fs.copyFileSync(file, join(WHOLE, name));
    fs.writeFileSync(file, write(fs.readFileSync(file, "utf8"), manifest));
  }
};

if (require.main === module) {
  if (process.argv.includes("--restore")) restoreManifest();
  else writePublished();
}

module.exports = { OF_THE_WORKSHOP, publishedManifest, restoreManifest };
