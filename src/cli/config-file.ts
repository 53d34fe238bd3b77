import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type CommandError, usageError } from "./command.ts";

/** Names looked for in the working directory; the first one there counts. */
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

const failure = (path: string, found: string): CommandError =>
  usageError(
    `Expected ${path} to give options but found ${found}`,
    "service-sim doctor    shows each option and where it comes from",
  );

const loadTypeScript = async (path: string) => {
  // Node 22.18 and newer take types off by themselves; older ones need a loader.
  if ((process.features as { typescript?: unknown }).typescript)
    return import(pathToFileURL(path).href);
  const { createJiti } = await import("jiti");
  return createJiti(import.meta.url).import(path);
};

const load = async (path: string): Promise<unknown> => {
  if (path.endsWith(".json")) return JSON.parse(readFileSync(path, "utf8"));
  const module = path.endsWith(".ts")
    ? await loadTypeScript(path)
    : await import(pathToFileURL(path).href);
  return (module as { default?: unknown }).default;
};

const isOption = (value: unknown): value is string | number | boolean =>
  ["string", "number", "boolean"].includes(typeof value);

const checked = (path: string, content: unknown, known: readonly string[]): ConfigValues => {
  if (typeof content !== "object" || content === null || Array.isArray(content))
    throw failure(path, "no object");
  const entries = Object.entries(content).map(([name, value]) => {
    if (!known.includes(name)) throw failure(path, `no option named ${name}`);
    if (!isOption(value)) throw failure(path, `${name} that is no text, number or boolean`);
    return [name, typeof value === "number" ? String(value) : value] as const;
  });
  return Object.fromEntries(entries);
};

/**
 * The config file of a directory, if there is one.
 * @param known names of the options it may give
 * @throws CommandError that names the file, when it cannot be read or says something unknown
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
    content = await load(path);
  } catch (error) {
    throw failure(name, `an error: ${(error as Error).message.split("\n")[0]}`);
  }
  return { path, values: checked(name, content, known) };
};
