// Writes the declarations of the package as one file, dist/simulator.d.cts: the compiler writes one
// per source, and those reach packages that are bundled and so are not installed. rolldown keeps
// what the entry names, however far. Modules get the same names by dist/simulator.d.mts. Types of
// the contract are made from the OpenAPI documents, which the program that was just built prints.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { parseAst } from "rolldown/parseAst";
import { dts } from "rolldown-plugin-dts";
import { contractTypes } from "./contract-types.mjs";

/**
 * Writes one declaration file in place of many; types of a package are refused.
 * @param entry path of the file whose exports stay exports
 * @param folder of the result, which has the name of the entry
 */
export const bundleTypes = async (entry, folder) => {
  const bundle = await rolldown({
    input: entry,
    plugins: dts({ dtsInput: true, tsconfig: false }),
    external: /^[^./]/,
  });
  const { output } = await bundle.write({ dir: folder, cleanDir: true });
  await bundle.close();
  const [{ code, fileName }] = output;
  const packages = parseAst(code, { lang: "dts" }, fileName)
    .body.filter(({ source }) => source)
    .map(({ source }) => source.value);
  if (packages.length > 0)
    throw new Error(`Expected published types of our own but found ${packages.join(", ")}`);
};

const documentOf = (root, ...options) => {
  const program = join(root, "bin", "service-sim.js");
  const command = [program, "openapi", ...options];
  return JSON.parse(execFileSync(process.execPath, command, { maxBuffer: 64 * 1024 * 1024 }));
};

/** Simulators can be disposed of; compilers know that symbol from a library of their own. */
const DISPOSABLE = '/// <reference lib="esnext.disposable" />\n';

const build = async (root) => {
  const folder = mkdtempSync(join(tmpdir(), "service-sim-types-"));
  try {
    const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
    const project = join(root, "bin", "tsconfig.types.json");
    execFileSync(process.execPath, [tsc, "-p", project, "--outDir", folder], { stdio: "inherit" });
    const contract = contractTypes(documentOf(root), documentOf(root, "--control"));
    writeFileSync(join(folder, "library", "contract-types.d.ts"), contract);
    const bundled = join(folder, "bundled");
    await bundleTypes(join(folder, "simulator.d.ts"), bundled);
    const dist = join(root, "dist");
    const types = DISPOSABLE + readFileSync(join(bundled, "simulator.d.ts"), "utf8");
    writeFileSync(join(dist, "simulator.d.cts"), types);
    writeFileSync(join(dist, "simulator.d.mts"), 'export * from "./simulator.cjs";\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
};

if (process.argv[1] === fileURLToPath(import.meta.url))
  await build(fileURLToPath(new URL("..", import.meta.url)));
