import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { packageFolder } from "../machine/package-folder.ts";

/** Folder of the package with the worlds to start with. */
export const WORLDS = "fixtures/worlds";

/** Anything that is not a path names a bundled fixture. */
export const isPath = (nameOrPath: string) => /[\\/]|\.json$/i.test(nameOrPath);

/** Names of the JSON files in a folder of the package. */
export const namesIn = (folder: string): string[] =>
  readdirSync(packageFolder(folder))
    .filter((name) => name.endsWith(".json"))
    .map((name) => basename(name, ".json"))
    .sort();

/** Names of the worlds that come with the package (spec/scenarios.md#bundled-fixtures). */
export const bundledNames = (): string[] => namesIn(WORLDS);
