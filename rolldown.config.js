import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { defineConfig } from "rolldown";

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));

/** `import text from "./page.css?raw"`: the file's text, as vite has it too. */
const rawText = {
  name: "raw-text",
  load: (id) =>
    id.endsWith("?raw")
      ? {
          code: `export default ${JSON.stringify(readFileSync(id.slice(0, -"?raw".length), "utf8"))}`,
          moduleType: "js",
        }
      : null,
};

const shared = {
  plugins: [rawText],
  platform: "node",
  external: [...builtinModules, /^node:/, "listhen", "jiti"],
  transform: { define: { __VERSION__: JSON.stringify(version) } },
};

// The command line is CommonJS, which Node starts a third faster than modules, and is split, so
// that a client command does not load the server. The library is a module.
export default defineConfig([
  {
    ...shared,
    input: { cli: "src/cli/main.ts" },
    output: {
      dir: "dist",
      format: "cjs",
      entryFileNames: "[name].cjs",
      chunkFileNames: "chunks/[name]-[hash].cjs",
      comments: { legal: true },
      cleanDir: true,
    },
  },
  {
    ...shared,
    input: { simulator: "src/simulator.ts" },
    output: {
      dir: "dist",
      format: "esm",
      entryFileNames: "[name].js",
      chunkFileNames: "chunks/[name]-[hash].js",
      comments: { legal: true },
    },
  },
]);
