import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { type Patch, patching } from "../../../simulation/setup/product.ts";
import type { EngineCode } from "./engine-code.ts";

/**
 * Bundles a module with changes of the sources below it, and loads it.
 * @throws Error when a change does not apply
 */
export const loadPatched = async <Loaded>(
  entry: URL,
  patches: readonly Patch[],
): Promise<Loaded> => {
  const applied = new Set<Patch>();
  const bundle = await rolldown({
    input: fileURLToPath(entry),
    platform: "node",
    logLevel: "silent",
    plugins: [patching(patches, applied)],
  });
  const file = join(tmpdir(), `service-sim-patched-${process.pid}-${randomUUID()}.mjs`);
  try {
    await bundle.write({ file, format: "esm", codeSplitting: false });
    if (applied.size !== patches.length) throw new Error("Expected each file in the bundle");
    return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Loaded;
  } finally {
    await bundle.close();
    rmSync(file, { force: true });
  }
};

const ENTRY = new URL("engine-code.ts", import.meta.url);

/** Loads the code of engines with changes. */
export const patchedCode = async (patches: readonly Patch[]): Promise<EngineCode> => {
  const { WHOLE_CODE } = await loadPatched<{ WHOLE_CODE: EngineCode }>(ENTRY, patches);
  return WHOLE_CODE;
};
