import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { defineConfig } from "rolldown";

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));

// Splitting keeps a client command from loading the server: start-up time is a promise of the README.
export default defineConfig({
  input: { cli: "src/cli/main.ts", simulator: "src/simulator.ts" },
  platform: "node",
  external: [...builtinModules, /^node:/, "listhen", "jiti"],
  transform: { define: { __VERSION__: JSON.stringify(version) } },
  output: {
    dir: "dist",
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    comments: { legal: true },
    cleanDir: true,
  },
});
