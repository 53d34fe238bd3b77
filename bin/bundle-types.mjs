// Writes the declarations of the package as one file, dist/simulator.d.cts: the compiler writes one
// per source, and those reach packages that are bundled and so are not installed. rolldown keeps
// what the entry names, however far. Modules get the same names by dist/simulator.d.mts. Types of
// the contract are made from the OpenAPI documents, which the program that was just built prints.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { parseAst } from "rolldown/parseAst";
import { dts } from "rolldown-plugin-dts";
import { contractTypes } from "./contract-types.mjs";

/** The library as its users import it: types of a runner name it, so that they are the same. */
const LIBRARY = "./simulator.cjs";

/**
 * Writes one declaration file in place of many; types of other packages than those named are
 * refused.
 * @param entry path of the file whose exports stay exports
 * @param folder of the result, which has the name of the entry
 * @param packages whose types stay imports
 */
export const bundleTypes = async (entry, folder, packages = []) => {
  const bundle = await rolldown({
    input: entry,
    checks: { bundlerTimings: false },
    plugins: dts({ dtsInput: true, tsconfig: false }),
    external: [/^[^./]/, LIBRARY],
  });
  const { output } = await bundle.write({ dir: folder, cleanDir: true });
  await bundle.close();
  const [{ code, fileName }] = output;
  const others = parseAst(code, { lang: "dts" }, fileName)
    .body.filter(({ source }) => source)
    .map(({ source }) => source.value)
    .filter((name) => !packages.includes(name));
  if (others.length > 0)
    throw new Error(`Expected published types of our own but found ${others.join(", ")}`);
};

const documentOf = (root, ...options) => {
  const program = join(root, "bin", "service-sim.js");
  const command = [program, "openapi", ...options];
  return JSON.parse(execFileSync(process.execPath, command, { maxBuffer: 64 * 1024 * 1024 }));
};

/** Simulators can be disposed of; compilers know that symbol from a library of their own. */
const DISPOSABLE = '/// <reference lib="esnext.disposable" />\n';

/** Declarations of what test runners load, by entry of src/runners; each takes its runner's types. */
const RUNNERS = [
  { name: "coverage-reporter", to: "coverage-reporter.d.mts", of: "vitest" },
  { name: "jest", to: "jest.d.cts", of: "jest" },
  { name: "jest-reporter", to: "jest-reporter.d.cts", of: "jest" },
  { name: "jest-setup", to: "jest-setup.d.cts", of: "jest" },
  { name: "jest-teardown", to: "jest-teardown.d.cts", of: "jest" },
  { name: "playwright", to: "playwright.d.cts", of: "@playwright/test" },
  { name: "vitest", to: "vitest.d.mts", of: "vitest" },
  { name: "vitest-setup", to: "vitest-setup.d.mts", of: "vitest" },
];

/** Entries that are also imported as modules, with the same names. */
const IMPORTED_TOO = ["simulator", "playwright"];

const LIBRARY_FILES = /"\.\.\/(?:simulator|library\/(?:simulator|contract-types))\.(?:ts|js)"/g;

/** Has the declarations of runners import the library in place of its files. */
const importLibrary = (folder) => {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(LIBRARY_FILES, `"${LIBRARY}"`));
  }
};

/** A declaration file without the comments that name the files it was made of. */
const withoutPlaces = (file) => readFileSync(file, "utf8").replaceAll(/^\/\/ \..*\.d\.ts\n/gm, "");

const bundleRunners = async (folder, dist) => {
  importLibrary(join(folder, "runners"));
  for (const { name, to, of } of RUNNERS) {
    const bundled = join(folder, `bundled-${name}`);
    await bundleTypes(join(folder, "runners", `${name}.d.ts`), bundled, [LIBRARY, of]);
    writeFileSync(join(dist, to), withoutPlaces(join(bundled, `${name}.d.ts`)));
  }
};

/** The revision whose types stand beside those of the first. */
const LATER = "2026-08";

const build = async (root) => {
  const folder = mkdtempSync(join(tmpdir(), "service-sim-types-"));
  try {
    const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
    const project = join(root, "bin", "tsconfig.types.json");
    execFileSync(process.execPath, [tsc, "-p", project, "--outDir", folder], { stdio: "inherit" });
    const contract = contractTypes(documentOf(root), documentOf(root, "--control"), {
      [LATER]: documentOf(root, "--revision", LATER),
    });
    writeFileSync(join(folder, "library", "contract-types.d.ts"), contract);
    const bundled = join(folder, "bundled");
    await bundleTypes(join(folder, "simulator.d.ts"), bundled);
    const dist = join(root, "dist");
    const types = DISPOSABLE + readFileSync(join(bundled, "simulator.d.ts"), "utf8");
    writeFileSync(join(dist, "simulator.d.cts"), types);
    await bundleRunners(folder, dist);
    for (const name of IMPORTED_TOO)
      writeFileSync(join(dist, `${name}.d.mts`), `export * from "./${name}.cjs";\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

if (process.argv[1] === fileURLToPath(import.meta.url))
  await build(fileURLToPath(new URL("..", import.meta.url)));
