// Packs dist/console: the page with the names of its files, and each file compressed alone
// (decisions/small-package.md).
const { createHash } = require("node:crypto");
const { readdirSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { brotliCompressSync, constants } = require("node:zlib");

const sources = join(__dirname, "..", "src", "console");
const folder = join(__dirname, "..", "dist", "console");

const packed = (name, text) => {
  const bytes = Buffer.from(text);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params }));
};

/** A sheet without its comments and the spaces between its rules. */
const tight = (css) =>
  css
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,>]) ?/g, "$1")
    .trim();

const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"));
for (const name of scripts) {
  packed(name, readFileSync(join(folder, name), "utf8"));
  rmSync(join(folder, name));
}
const css = tight(
  [
    "theme.css",
    "frame.css",
    "time.css",
    "panes.css",
    "story.css",
    "details.css",
    "controls.css",
    "narrow.css",
    "rows.css",
    "print.css",
  ]
    .map((name) => readFileSync(join(sources, name), "utf8"))
    .join("\n"),
);
const style = `console-${createHash("sha256").update(css).digest("hex").slice(0, 8)}.css`;
packed(style, css);
const script = scripts.find((name) => name.startsWith("main-"));
const page = readFileSync(join(sources, "index.html"), "utf8");
packed("index.html", page.replaceAll("{style}", style).replaceAll("{script}", script));
