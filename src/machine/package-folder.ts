import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * A folder that is shipped with the package, such as `fixtures/worlds`: its absolute path, seen from
 * the sources as from every bundled file.
 */
export const packageFolder = (path: string): string => {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json")) || !existsSync(join(folder, path))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`Expected the package to hold ${path}`);
    folder = parent;
  }
  return join(folder, path);
};
