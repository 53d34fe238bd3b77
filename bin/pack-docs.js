// Writes dist/docs.json.br: the pages of src/docs by their topics, as the package has them
// (decisions/small-package.md).
const { readdirSync, readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { brotliCompressSync, constants } = require("node:zlib");

const root = join(__dirname, "..");
const folder = join(root, "src", "docs");
const ENDING = ".md";

const pages = readdirSync(folder, { recursive: true })
  .filter((name) => name.endsWith(ENDING))
  .sort()
  .map((name) => [
    name.replaceAll("\\", "/").slice(0, -ENDING.length),
    readFileSync(join(folder, name), "utf8"),
  ]);
const text = Buffer.from(JSON.stringify(Object.fromEntries(pages)));
const params = { [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
writeFileSync(join(root, "dist", "docs.json.br"), brotliCompressSync(text, { params }));
