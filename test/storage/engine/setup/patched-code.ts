import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { type Patch, patching } from "../../../simulation/setup/product.ts";
import type { EngineCode } from "./engine-code.ts";

const ENTRY = fileURLToPath(new URL("engine-code.ts", import.meta.url));

/**
 * Bundles the code under test with changes, and loads it.
 * @throws Error when a change does not apply
 */
export const patchedCode = async (patches: readonly Patch[]): Promise<EngineCode> => {
  const applied = new Set<Patch>();
  const bundle = await rolldown({
    input: ENTRY,
    platform: "node",
    logLevel: "silent",
    plugins: [patching(patches, applied)],
  });
  const file = join(tmpdir(), `service-sim-engine-${process.pid}-${randomUUID()}.mjs`);
  try {
    await bundle.write({ file, format: "esm", codeSplitting: false });
    if (applied.size !== patches.length) throw new Error("Expected each file in the bundle");
    const loaded = await import(/* @vite-ignore */ pathToFileURL(file).href);
    return (loaded as { WHOLE_CODE: EngineCode }).WHOLE_CODE;
  } finally {
    await bundle.close();
    rmSync(file, { force: true });
  }
};
