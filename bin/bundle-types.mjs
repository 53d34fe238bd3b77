// Writes the declarations of the package as one file, dist/simulator.d.cts: the compiler writes one
// per source, and those reach packages that are bundled and so are not installed. rolldown keeps
// what the entry names, however far. Modules get the same names by dist/simulator.d.mts.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { parseAst } from "rolldown/parseAst";
import { dts } from "rolldown-plugin-dts";

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

const build = async (root) => {
  const folder = mkdtempSync(join(tmpdir(), "service-sim-types-"));
  try {
    const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
    const project = join(root, "bin", "tsconfig.types.json");
    execFileSync(process.execPath, [tsc, "-p", project, "--outDir", folder], { stdio: "inherit" });
    const bundled = join(folder, "bundled");
    await bundleTypes(join(folder, "simulator.d.ts"), bundled);
    const dist = join(root, "dist");
    copyFileSync(join(bundled, "simulator.d.ts"), join(dist, "simulator.d.cts"));
    writeFileSync(join(dist, "simulator.d.mts"), 'export * from "./simulator.cjs";\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
};

if (process.argv[1] === fileURLToPath(import.meta.url))
  await build(fileURLToPath(new URL("..", import.meta.url)));
