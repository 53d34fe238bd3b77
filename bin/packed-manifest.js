// Writes package.json as it is published: without what is of use in a checkout alone. `npm pack` and
// `npm publish` call it before they pack, and afterwards with --restore.
const fs = require("node:fs");
const { dirname, join } = require("node:path");

const root = join(__dirname, "..");
const MANIFEST = join(root, "package.json");
/** The whole file, meanwhile; a pack that was interrupted leaves it here. */
const WHOLE = join(root, ".cache", "package.json");

const OF_THE_WORKSHOP = ["workspaces", "scripts", "devDependencies", "allowScripts", "overrides"];

const publishedManifest = (manifest) =>
  Object.fromEntries(Object.entries(manifest).filter(([name]) => !OF_THE_WORKSHOP.includes(name)));

const restoreManifest = () => {
  if (fs.existsSync(WHOLE)) fs.renameSync(WHOLE, MANIFEST);
};

const writePublished = () => {
  restoreManifest();
  const manifest = JSON.parse(fs.readFileSync(MANIFEST, "utf8"));
  fs.mkdirSync(dirname(WHOLE), { recursive: true });
  fs.copyFileSync(MANIFEST, WHOLE);
  fs.writeFileSync(MANIFEST, `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`);
};

if (require.main === module) {
  if (process.argv.includes("--restore")) restoreManifest();
  else writePublished();
}

module.exports = { OF_THE_WORKSHOP, publishedManifest, restoreManifest };
