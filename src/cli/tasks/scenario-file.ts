import { existsSync, renameSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import type { Scenario } from "../../contract/control/scenarios.ts";
import { folderFault } from "../../machine/file-fault.ts";
import { removeQuietly } from "../../machine/remove-quietly.ts";
import { CommandError, EXIT } from "../frame/command.ts";
import { quoted } from "../text/called-as.ts";

/** The name of a scenario for a file: its base name, in the characters that names have. */
export const scenarioNameOf = (file: string) =>
  basename(file)
    .replace(/\.json$/i, "")
    .replace(/[^A-Za-z0-9._-]/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 64) || "recorded";

/**
 * Refuses a file that exists, unless it may be written over.
 * @param command the words of the command that writes it, for the hint
 */
export const requireWritable = (
  file: string,
  { isForced, command }: { isForced: boolean; command: string },
) => {
  if (existsSync(file) && !isForced)
    throw new CommandError(
      { code: "FILE_EXISTS", exitCode: EXIT.notDone },
      `${file} already exists`,
      [`service-sim ${command} --force    writes over it`],
    );
};

/** Writes a scenario at once, so that nothing ever reads half of it. */
export const writeScenario = (file: string, scenario: Scenario) => {
  const whole = `${file}.part`;
  try {
    writeFileSync(whole, `${JSON.stringify(scenario, null, 2)}\n`);
    renameSync(whole, file);
  } catch (error) {
    removeQuietly(whole);
    const failure = { code: "FILE_NOT_WRITTEN", exitCode: EXIT.notDone };
    throw new CommandError(failure, `cannot write ${file}: ${folderFault(error)}`, [
      `check that the folder of ${quoted(file)} exists and can be written to`,
    ]);
  }
};
