import { join } from "node:path";
import type { Scenario } from "../../contract/control/scenarios.ts";
import { packageFolder } from "../../machine/package-folder.ts";
import { isPath, namesIn } from "../seed/bundled-names.ts";
import { readJsonFile, requireBundled, tellingPlaces } from "../seed/fixture-files.ts";
import type { FixtureText } from "../seed/fixture-text.ts";
import { checkScenario } from "./scenario-check.ts";

/** A scenario that was read from a file and can be run. */
export interface ScenarioFile extends Pick<FixtureText, "located" | "lineOf"> {
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
 * @throws FixtureTextError, with line and column where there are any
 */
export const openScenario = async (nameOrPath: string): Promise<ScenarioFile> => {
  if (isPath(nameOrPath)) return readScenario(nameOrPath, nameOrPath);
  requireBundled(nameOrPath, { names: bundledScenarios(), noun: "a scenario" });
  return readScenario(join(packageFolder(SCENARIOS), `${nameOrPath}.json`), `${nameOrPath}.json`);
};
