import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Scenario } from "../contract/control/scenarios.ts";
import { closestTo } from "../contract/core/closest.ts";
import type { Fixture } from "../contract/platform/fixtures.ts";
import { sentencesOf } from "../domain/core/refusal.ts";
import { packageFolder } from "../machine/package-folder.ts";
import { isUserText, userTextOf } from "../machine/user-text.ts";
import { bundledNames, isPath, namesIn, WORLDS } from "./bundled-names.ts";
import { checkFixture } from "./fixture-check.ts";
import { checkScenario } from "./scenario-check.ts";
import { ScriptProblem } from "./script-problem.ts";
import { readScriptText, type ScriptText, ScriptTextError } from "./script-text.ts";

/** A fixture that was read from a file and can be put in. */
export interface FixtureFile extends Pick<ScriptText, "located"> {
  fixture: Fixture;
}

const READING_FAILURES: Readonly<Record<string, string>> = {
  ENOENT: "no file",
  EISDIR: "a folder",
  EACCES: "a file that may not be read",
};

const textOf = async (path: string, noun: string) => {
  try {
    return await readFile(resolve(path));
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    throw new ScriptTextError(
      `Expected ${noun} at ${path} but found ${READING_FAILURES[code] ?? message}`,
    );
  }
};

/** Runs a check; a problem that it finds is told by its place. */
export const tellingPlaces = <Checked>(
  check: () => Checked,
  located: ScriptText["located"],
): Checked => {
  try {
    return check();
  } catch (error) {
    throw error instanceof ScriptProblem ? located(error) : error;
  }
};

/** A JSON file to read. */
export interface WantedFile {
  path: string;
  /** The name people know it by. */
  name: string;
  /** `a fixture`. */
  noun: string;
}

/**
 * Reads a JSON file, keeping where everything stands.
 * @throws ScriptTextError
 */
export const readJsonFile = async ({ path, name, noun }: WantedFile): Promise<ScriptText> => {
  const bytes = await textOf(path, noun);
  if (!isUserText(bytes))
    throw new ScriptTextError(`Expected UTF-8 in ${name} but found other bytes`);
  return readScriptText({ text: userTextOf(bytes), name });
};

const readFixtureFile = async (path: string, name: string): Promise<FixtureFile> => {
  const { document, located } = await readJsonFile({ path, name, noun: "a fixture" });
  return { fixture: tellingPlaces(() => checkFixture(document), located), located };
};

/**
 * Refuses a name that no file of the package has.
 * @throws ScriptTextError that lists them, and names the closest
 */
export const requireBundled = (
  name: string,
  { names, noun }: { names: readonly string[]; noun: string },
) => {
  if (names.includes(name)) return;
  const closest = closestTo(name, names);
  const hint = closest === undefined ? "" : `; the closest one is ${closest}`;
  throw new ScriptTextError(
    `Expected ${noun} bundled with the package (${names.join(", ")}) but found "${name}"${hint}`,
  );
};

/**
 * A world of the package.
 * @throws ScriptTextError that lists them, when there is none of that name
 */
export const openBundled = async (name: string): Promise<FixtureFile> => {
  requireBundled(name, { names: bundledNames(), noun: "a world" });
  return readFixtureFile(join(packageFolder(WORLDS), `${name}.json`), `${name}.json`);
};

/**
 * A fixture by the name of a world of the package, or by its path.
 * @throws ScriptTextError, with line and column where there are any
 */
export const openFixture = (nameOrPath: string): Promise<FixtureFile> =>
  isPath(nameOrPath) ? readFixtureFile(nameOrPath, nameOrPath) : openBundled(nameOrPath);

/**
 * Opens the fixture that a program names: by name, by path, or as the document itself.
 * @throws ScriptTextError
 */
export const fixtureOf = async (fixture: string | object): Promise<FixtureFile> => {
  if (typeof fixture === "string") return openFixture(fixture);
  const located = (problem: ScriptProblem) => new ScriptTextError(sentencesOf(problem).says);
  return { fixture: tellingPlaces(() => checkFixture(fixture), located), located };
};

/** A scenario that was read from a file and can be run. */
export interface ScenarioFile extends Pick<ScriptText, "located" | "lineOf"> {
  /** The name people know the file by. */
  file: string;
  scenario: Scenario;
}

const SCENARIOS = "fixtures/scenarios";

/** Names of the scenarios that come with the package. */
export const bundledScenarios = (): string[] => namesIn(SCENARIOS);

const readScenario = async (path: string, file: string): Promise<ScenarioFile> => {
  const text = await readJsonFile({ path, name: file, noun: "a scenario" });
  const { document, located, lineOf } = text;
  return { file, scenario: tellingPlaces(() => checkScenario(document), located), located, lineOf };
};

/**
 * A scenario by the name of one of the package, or by its path.
 * @throws ScriptTextError, with line and column where there are any
 */
export const openScenario = async (nameOrPath: string): Promise<ScenarioFile> => {
  if (isPath(nameOrPath)) return readScenario(nameOrPath, nameOrPath);
  requireBundled(nameOrPath, { names: bundledScenarios(), noun: "a scenario" });
  return readScenario(join(packageFolder(SCENARIOS), `${nameOrPath}.json`), `${nameOrPath}.json`);
};
