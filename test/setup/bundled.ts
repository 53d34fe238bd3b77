import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { rolldown } from "rolldown";
import { afterAll, beforeAll } from "vitest";

/**
 * Bundles a program among the tests' helpers once for a file, so that each process of it starts
 * without compiling the sources.
 * @returns the path of the bundle, when tests run
 */
export const bundledProgram = (path: string): (() => string) => {
  const file = `${basename(path, ".ts")}.mjs`;
  let folder = "";
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "service-sim-bundled-"));
    const bundle = await rolldown({ input: path, platform: "node", logLevel: "silent" });
    await bundle.write({ file: join(folder, file), format: "esm", codeSplitting: false });
    await bundle.close();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return () => join(folder, file);
};
