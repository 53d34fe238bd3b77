// Builds the console, each file compressed alone (decisions/small-package.md, console-of-files.md).
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { build } from "vite";
import { bundledLicenses } from "./third-party-notices.mjs";

const root = join(import.meta.dirname, "..", "src", "console");
const folder = join(import.meta.dirname, "..", "dist", "console");

/** The page's script, and one of all views that nobody opens first. */
const partOf = (id, context) => {
  const isFirst = (one, seen) => {
    const info = context.getModuleInfo(one);
    if (info?.isEntry) return true;
    if (seen.has(one)) return false;
    seen.add(one);
    return (info?.importers ?? []).some((importer) => isFirst(importer, seen));
  };
  return isFirst(id, new Set()) ? "main" : "views";
};

export const CONSOLE = {
  root,
  configFile: false,
  base: "/_sim/console/",
  logLevel: "warn",
  // A test that builds has a name of its own here, and React a slower build for it.
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
  oxc: { jsx: { development: false } },
  // Names that people and tests read: `story-step`.
  css: {
    modules: { generateScopedName: (name, file) => `${basename(file, ".module.css")}-${name}` },
  },
  plugins: [bundledLicenses()],
  build: {
    write: false,
    // As it is written: lists of older browsers would triple what colors take.
    target: "esnext",
    assetsDir: "",
    cssCodeSplit: false,
    modulePreload: false,
    rolldownOptions: {
      // React's servers read the directives; a bundle for browsers has none.
      checks: { bundlerTimings: false, moduleLevelDirective: false },
      // Asked for where a browser has none of its own alone.
      external: ["crypto"],
      input: { main: join(root, "index.html") },
      output: {
        codeSplitting: { groups: [{ name: partOf }] },
        comments: { legal: false, jsdoc: false },
      },
    },
  },
};

/** Fonts are compressed by their own form. */
const packed = (name, source) => {
  if (name.endsWith(".woff2")) return [name, source];
  const bytes = Buffer.from(source);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return [`${name}.br`, brotliCompressSync(bytes, { params })];
};

export const packConsole = async () => {
  const { output } = await build(CONSOLE);
  mkdirSync(folder, { recursive: true });
  for (const file of output) {
    const [name, bytes] = packed(file.fileName, file.code ?? file.source);
    writeFileSync(join(folder, name), bytes);
  }
};
