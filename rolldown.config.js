import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { defineConfig } from "rolldown";
import { chunkGroups } from "./bin/chunk-groups.mjs";
import { bundledLicenses } from "./bin/third-party-notices.mjs";
import { unquoted } from "./bin/unquoted.mjs";

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

/** Packages that users install beside this one. */
const OPTIONAL = ["listhen", "jiti", "vitest", "@playwright/test"];

/** commander starts programs for commands in files of their own, of which there are none. */
const startsNone = (id, importer) =>
  id === "node:child_process" && /[\\/]commander[\\/]/.test(importer ?? "");

const startsNoPrograms = {
  name: "starts-no-programs",
  resolveId: (id, importer) => (startsNone(id, importer) ? "\0no-programs" : undefined),
  load: (id) => (id === "\0no-programs" ? "export default {};" : undefined),
};

/** How long plugins take on a busy machine is no news to those who install. */
const checks = { bundlerTimings: false };

const shared = {
  checks,
  plugins: [rawText],
  platform: "node",
  external: (id, importer) => (isBuiltin(id) && !startsNone(id, importer)) || OPTIONAL.includes(id),
  transform: { define: { __VERSION__: JSON.stringify(version), __BUNDLED__: "true" } },
};

/** Bundled packages take time from where our own sources take it: faked timers do not reach them. */
const hostTime = (name) => [`${import.meta.dirname}/src/machine/host-globals.ts`, name];
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

/** With one character beyond Latin-1 in a file, V8 keeps two bytes for each character of it. */
const oneByte = {
  name: "one-byte",
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === "chunk")
        chunk.code = chunk.code.replace(
          /[^\0-\xff]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
        );
  },
};

const WITHOUT_RESPONSES = "\0h3-without-responses";

/**
 * Of h3 the program has its routes alone. What forms a `Response` takes that class of Node.js at
 * its load, which loads all of `fetch`.
 */
const routesAlone = {
  name: "routes-alone",
  resolveId: (id, importer) =>
    id === "./response.mjs" && /[\\/]h3[\\/]dist[\\/]cache\.mjs$/.test(importer ?? "")
      ? { id: `${WITHOUT_RESPONSES}?${dirname(importer)}`, moduleSideEffects: false }
      : undefined,
  load: (id) => {
    if (!id.startsWith(WITHOUT_RESPONSES)) return undefined;
    const real = JSON.stringify(join(id.slice(WITHOUT_RESPONSES.length + 1), "response.mjs"));
    return `export * from ${real};
      export const toResponse = () => { throw new Error("Expected no response of h3"); };`;
  },
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
      /^(?:\.\.|\.)\/(simulator|test-worlds|matchers|coverage-text|failure-report|shared-start|vitest-tasks)\.ts$/.exec(
        id,
      ) ?? [];
    return name === undefined ? undefined : { id: `./${name}.cjs`, external: true };
  },
};

/** Entries of src/runners, by name. */
const runners = (names) =>
  Object.fromEntries(names.map((name) => [name, `src/runners/${name}.ts`]));

/** Loaded in front of the program, each as one file: what is not needed there takes time from all. */
const inFront = (name, input) => ({
  ...shared,
  plugins: [rawText, oneByte, unquoted],
  // Modules of Node that only other exports need would be loaded all the same.
  treeshake: { moduleSideEffects: false },
  input: { [name]: input },
  output: { dir: "dist", format: "cjs", minify, entryFileNames: "[name].cjs" },
});

const CLASSES = { keepNames: { class: true, function: false } };
/** Classes keep their names: Node.js prints that of an error beside its text. */
const minify = { compress: CLASSES, mangle: CLASSES, codegen: true };

const grouped = chunkGroups();

// Command line and library share one CommonJS program, which Node starts a third faster than
// modules. It is split, so that a client command does not load the server.
export default defineConfig([
  {
    ...shared,
    transform: { ...shared.transform, inject: onHostTime },
    plugins: [
      rawText,
      routesAlone,
      startsNoPrograms,
      screenApart,
      importedToo,
      grouped.plugin,
      oneByte,
      unquoted,
      bundledLicenses(),
    ],
    input: {
      cli: "src/cli/main.ts",
      // Run once by the build, which removes it: bin/write-help.js.
      "help-table": "src/cli/help-table.ts",
      simulator: "src/simulator.ts",
      ...runners([
        "jest",
        "jest-reporter",
        "jest-setup",
        "jest-teardown",
        "playwright",
        "test-worlds",
        "matchers",
        "coverage-text",
        "failure-report",
        "shared-start",
        "vitest-tasks",
      ]),
    },
    output: {
      dir: "dist",
      format: "cjs",
      minify,
      exports: "named",
      entryFileNames: "[name].cjs",
      chunkFileNames: "chunks/[name]-[hash].cjs",
      codeSplitting: { groups: grouped.groups },
      comments: { legal: true, jsdoc: false },
      cleanDir: true,
    },
  },
  inFront("quick-words", "src/cli/frame/quick-words.ts"),
  inFront("quick", "src/cli/quick.ts"),
  inFront("code-cache", "src/cli/frame/code-cache.ts"),
  {
    ...shared,
    plugins: [libraryApart, oneByte, unquoted],
    input: runners(["vitest", "vitest-setup", "coverage-reporter"]),
    output: {
      dir: "dist",
      format: "esm",
      minify,
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
    plugins: [rawText, withoutDevtools, oneByte, unquoted, bundledLicenses()],
    input: { tui: "src/tui/watch.tsx" },
    output: {
      dir: "dist",
      format: "esm",
      minify,
      entryFileNames: "[name].js",
      chunkFileNames: "chunks/tui-[name]-[hash].js",
      comments: { legal: true, jsdoc: false },
    },
  },
]);
