import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** A folder of this run for what its workers make once and share. */
    sharedFolder: string;
  }
}

/** Makes the folder that workers of a run share, and removes it at the end of the run. */
export const setup = ({ provide }: TestProject) => {
  const folder = mkdtempSync(join(tmpdir(), "service-sim-shared-"));
  provide("sharedFolder", folder);
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
};
