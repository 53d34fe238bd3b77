// Packs dist/console: the page with the names of its files, and each file compressed alone
// (decisions/small-package.md).
const { createHash } = require("node:crypto");
const { readdirSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const { basename, join } = require("node:path");
const { brotliCompressSync, constants } = require("node:zlib");

const sources = join(__dirname, "..", "src", "console");
const folder = join(__dirname, "..", "dist", "console");

const packed = (name, text) => {
  const bytes = Buffer.from(text);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params }));
};

const hashed = (name, ending, bytes) =>
  `${name}-${createHash("sha256").update(bytes).digest("hex").slice(0, 8)}.${ending}`;

/** Names of font files by those of their packages. They are compressed already, so they stay as they are. */
const fonts = new Map();

/** A sheet whose fonts are files of the console. */
const withFonts = (css) =>
  css.replace(/url\("(@[^"]+\.woff2)"\)/g, (_, file) => {
    const name = basename(file, ".woff2");
    const bytes = readFileSync(require.resolve(file));
    const own = hashed(name, "woff2", bytes);
    fonts.set(name, own);
    writeFileSync(join(folder, own), bytes);
    return `url(${own})`;
  });

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
const css = withFonts(
  tight(
    [
      "fonts.css",
      "theme.css",
      "frame.css",
      "time.css",
      "panes.css",
      "story.css",
      "details.css",
      "controls.css",
      "reference/prose.css",
      "narrow.css",
      "rows.css",
      "print.css",
    ]
      .map((name) => readFileSync(join(sources, name), "utf8"))
      .join("\n"),
  ),
);
const style = hashed("console", "css", css);
packed(style, css);
const script = scripts.find((name) => name.startsWith("main-"));
const names = new Map([...fonts, ["style", style], ["script", script]]);
const page = readFileSync(join(sources, "index.html"), "utf8");
packed(
  "index.html",
  page.replace(/\{([\w-]+)\}/g, (_, name) => names.get(name)),
);
