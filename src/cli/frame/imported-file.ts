import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { optionalPackage } from "../../machine/optional-package.ts";

const importTypeScript = async (path: string) => {
  // Node 22.18 and newer strip types themselves; older versions need a loader.
  if ((process.features as { typescript?: unknown }).typescript)
    return import(pathToFileURL(path).href);
  const name = basename(path);
  const { createJiti } = optionalPackage<typeof import("jiti")>("jiti", name);
  return createJiti(import.meta.url).import(path);
};

/**
 * Imports a file of the user.
 * @throws MissingPackage for TypeScript on a Node.js that needs a loader for it
 */
export const importFile = async (path: string): Promise<unknown> =>
  path.endsWith(".ts") ? importTypeScript(path) : import(pathToFileURL(path).href);
