import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { defineConfig } from "rolldown";
import { bundledLicenses } from "./bin/third-party-notices.mjs";

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
  external: [...builtinModules, /^node:/, "listhen", "jiti", "vitest", "@playwright/test"],
  transform: { define: { __VERSION__: JSON.stringify(version) } },
};

/** Bundled packages take time from where our own sources take it: faked timers do not reach them. */
const hostTime = (name) => [`${import.meta.dirname}/src/runtime/host-globals.ts`, name];
const TIMERS = ["setTimeout", "setInterval", "setImmediate"];
const CLEARS = ["clearTimeout", "clearInterval", "clearImmediate"];
const onHostTime = {
  Date: hostTime("HostDate"),
  "process.nextTick": hostTime("nextTick"),
  ...Object.fromEntries([...TIMERS, ...CLEARS].map((name) => [name, hostTime(name)])),
  ...Object.fromEntries(
    [...TIMERS, ...CLEARS].map((name) => [`globalThis.${name}`, hostTime(name)]),
  ),
};

/** Ink loads these with DEV=true alone, and what they connect to is not installed. */
const withoutDevtools = {
  name: "without-devtools",
  resolveId: (id, importer) =>
    id === "./devtools.js" && importer?.includes("/node_modules/ink/") ? "\0devtools" : undefined,
  load: (id) => (id === "\0devtools" ? "export default {};" : undefined),
};

/** Ink awaits at its top level, which CommonJS cannot: the screen is a module of its own. */
const screenApart = {
  name: "screen-apart",
  resolveId: (id) =>
    id.endsWith("/tui/watch.tsx") ? { id: "../tui.js", external: true } : undefined,
};

/** Entries that are also imported. */
const IMPORTED_TOO = ["simulator", "playwright"];

/** What `import` loads: the names of the CommonJS entry, so that both ways give the same ones. */
const importedToo = {
  name: "imported-too",
  generateBundle(_options, bundle) {
    for (const name of IMPORTED_TOO) {
      const { exports } = bundle[`${name}.cjs`];
      const source = `export { ${exports.join(", ")} } from "./${name}.cjs";\n`;
      this.emitFile({ type: "asset", fileName: `${name}.mjs`, source });
    }
  },
};

/** vitest has modules alone. What they import of ours is the CommonJS library, which is one. */
const libraryApart = {
  name: "library-apart",
  resolveId: (id) => {
    const [, name] =
      /^(?:\.\.|\.)\/(simulator|test-worlds|matchers|coverage-text)\.ts$/.exec(id) ?? [];
    return name === undefined ? undefined : { id: `./${name}.cjs`, external: true };
  },
};

/** Entries of src/runners, by name. */
const runners = (names) =>
  Object.fromEntries(names.map((name) => [name, `src/runners/${name}.ts`]));

/** Loaded in front of the program, each as one file: what is not needed there takes time from all. */
const inFront = (name, input) => ({
  ...shared,
  // Modules of Node that only other exports need would be loaded all the same.
  treeshake: { moduleSideEffects: false },
  input: { [name]: input },
  output: { dir: "dist", format: "cjs", entryFileNames: "[name].cjs" },
});

// Command line and library share one CommonJS program, which Node starts a third faster than
// modules. It is split, so that a client command does not load the server.
export default defineConfig([
  {
    ...shared,
    transform: { ...shared.transform, inject: onHostTime },
    plugins: [rawText, screenApart, importedToo, bundledLicenses()],
    input: {
      cli: "src/cli/main.ts",
      // Run once by the build, which removes it: bin/write-help.js.
      "help-table": "src/cli/help-table.ts",
      simulator: "src/simulator.ts",
      ...runners([
        "jest",
        "jest-setup",
        "jest-teardown",
        "playwright",
        "test-worlds",
        "matchers",
        "coverage-text",
      ]),
    },
    output: {
      dir: "dist",
      format: "cjs",
      exports: "named",
      entryFileNames: "[name].cjs",
      chunkFileNames: "chunks/[name]-[hash].cjs",
      comments: { legal: true, jsdoc: false },
      cleanDir: true,
    },
  },
  inFront("quick", "src/cli/quick.ts"),
  inFront("code-cache", "src/cli/frame/code-cache.ts"),
  {
    ...shared,
    plugins: [libraryApart],
    input: runners(["vitest", "vitest-setup", "coverage-reporter"]),
    output: {
      dir: "dist",
      format: "esm",
      entryFileNames: "[name].mjs",
      chunkFileNames: "chunks/vitest-[name]-[hash].mjs",
    },
  },
  {
    ...shared,
    // React's faster build.
    transform: {
      define: { ...shared.transform.define, "process.env.NODE_ENV": JSON.stringify("production") },
    },
    plugins: [rawText, withoutDevtools, bundledLicenses()],
    input: { tui: "src/tui/watch.tsx" },
    output: {
      dir: "dist",
      format: "esm",
      entryFileNames: "[name].js",
      chunkFileNames: "chunks/tui-[name]-[hash].js",
      comments: { legal: true, jsdoc: false },
    },
  },
]);
