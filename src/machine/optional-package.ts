import { createRequire } from "node:module";
import { join } from "node:path";
import { workingFolder } from "./working-folder.ts";

/** Raised when something needs a package that users install themselves, and it is missing. */
export class MissingPackage extends Error {
  override readonly name = "MissingPackage";
  readonly packageName: string;
  /** The option or the file that needs the package. */
  readonly neededBy: string;
  /** The command that installs the package. */
  readonly install: string;

  constructor(packageName: string, neededBy: string) {
    const install = `npm install --save-dev ${packageName}`;
    super(`${sentenceOf({ packageName, neededBy })}: ${install}`);
    this.packageName = packageName;
    this.neededBy = neededBy;
    this.install = install;
  }
}

/** The problem alone, for readers that get the command on a line of its own. */
export const sentenceOf = ({
  packageName,
  neededBy,
}: Pick<MissingPackage, "packageName" | "neededBy">) =>
  `${neededBy} needs the package ${packageName}, which is not installed`;

/** Beside this program, then in the working directory: a global program has no project of its own. */
const places = () => {
  const folder = workingFolder();
  return [import.meta.url, ...(folder === undefined ? [] : [join(folder, "package.json")])];
};

const foundAt = (place: string, packageName: string) => {
  try {
    return createRequire(place).resolve(packageName);
  } catch {
    return undefined;
  }
};

/**
 * Loads a package that few need, so that it is not installed with this one
 * (decisions/dependencies.md). It is loaded by `require`, which test runners serve without flags.
 * @param neededBy the option or the file that needs it, for the error
 * @throws MissingPackage with the command that installs it
 */
export const optionalPackage = <T>(packageName: string, neededBy: string): T => {
  for (const place of places()) {
    const file = foundAt(place, packageName);
    if (file !== undefined) return createRequire(place)(file) as T;
  }
  throw new MissingPackage(packageName, neededBy);
};
