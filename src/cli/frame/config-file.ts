import { existsSync } from "node:fs";
import { join } from "node:path";
import { NotJson, userJson } from "../../http/body/user-json.ts";
import { MissingPackage, sentenceOf } from "../../machine/optional-package.ts";
import { readUserText } from "../../machine/user-text.ts";
import { type CommandError, usageError } from "./command.ts";

/** File names in the working directory, in order of precedence. */
export const CONFIG_FILES = [
  "service-sim.config.json",
  "service-sim.config.js",
  "service-sim.config.ts",
] as const;

/** Options of a config file: each key is an option's name in camel case. */
export type ConfigValues = Readonly<Record<string, string | boolean>>;

export interface ConfigFile {
  path: string;
  values: ConfigValues;
}

const LONGEST_READ_MS = 10_000;

const failure = (path: string, found: string, next = `correct or remove ${path}`): CommandError =>
  usageError(`cannot use ${path}: ${found}`, next);

/** Waits for a module, which may wait itself. A timer keeps the process alive meanwhile. */
const within = async (loading: Promise<unknown>) => {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise((_, reject) => {
    const says = `no result within ${LONGEST_READ_MS / 1000}s`;
    timer = setTimeout(() => reject(new Error(says)), LONGEST_READ_MS);
  });
  try {
    return await Promise.race([loading, tooLong]);
  } finally {
    clearTimeout(timer);
  }
};

/** The first line of a thrown value of any type. */
const firstLineOf = (thrown: unknown) =>
  String(thrown instanceof Error ? thrown.message : thrown).split("\n")[0];

const load = async (path: string): Promise<unknown> => {
  if (path.endsWith(".json")) return userJson(readUserText(path));
  // Its own file of the bundle: compiled code cannot be kept of one that imports modules.
  const { importFile } = await import("./imported-file.ts");
  const module = await importFile(path);
  return (module as { default?: unknown }).default;
};

const isOption = (value: unknown): value is string | number | boolean =>
  ["string", "number", "boolean"].includes(typeof value);

const checked = (path: string, content: unknown, known: readonly string[]): ConfigValues => {
  if (typeof content !== "object" || content === null || Array.isArray(content))
    throw failure(path, "it is not an object of options");
  const entries = Object.entries(content).map(([name, value]) => {
    if (!known.includes(name))
      throw failure(
        path,
        `unknown option ${name}`,
        "service-sim start --help    lists the options",
      );
    if (!isOption(value)) throw failure(path, `${name} is not text, a number or a boolean`);
    return [name, typeof value === "number" ? String(value) : value] as const;
  });
  return Object.fromEntries(entries);
};

/**
 * Reads the config file of a directory, if there is one.
 * @param known names of the options it may set
 * @throws CommandError that names the file, when it is unreadable or sets an unknown option
 */
export const readConfigFile = async (
  directory: string,
  known: readonly string[],
): Promise<ConfigFile | undefined> => {
  const name = CONFIG_FILES.find((one) => existsSync(join(directory, one)));
  if (name === undefined) return undefined;
  const path = join(directory, name);
  let content: unknown;
  try {
    content = await within(load(path));
  } catch (error) {
    if (error instanceof MissingPackage) throw usageError(sentenceOf(error), error.install);
    if (error instanceof NotJson) throw failure(name, error.message);
    throw failure(name, `an error: ${firstLineOf(error)}`);
  }
  return { path, values: checked(name, content, known) };
};
