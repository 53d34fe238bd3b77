import { existsSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { folderFault } from "../../machine/file-fault.ts";
import type { CommandOption } from "../../options/option-row.ts";
import { CommandError, type Invocation, usageError } from "../frame/command.ts";
import { annotationLines } from "../text/annotations.ts";
import { type CheckedCase, junitText } from "../text/junit.ts";
import type { Terminal } from "../text/terminal.ts";

/** The option of every command whose outcome CI may show. */
export const JUNIT_OPTION: CommandOption = {
  flags: "--junit <file>",
  summary: "also write the result as JUnit XML",
  noEnvironment: true,
};

/** Takes what was checked. A case that is told as failed is annotated, unless it says otherwise. */
export type TellCases = (cases: readonly CheckedCase[], told?: { annotate?: boolean }) => void;

const UNFINISHED = "it was ended before it had an outcome";

const write = (file: string, suite: string, cases: readonly CheckedCase[]) => {
  try {
    writeFileSync(file, junitText(suite, cases));
  } catch (error) {
    throw usageError(
      `--junit: cannot write ${file}: ${folderFault(error)}`,
      `service-sim ${suite} --junit junit.xml`,
    );
  }
};

/** The variable that names a file: a command inside `exec` makes it when it has annotated. */
const TOLD_VARIABLE = "SERVICE_SIM_ANNOTATED";

/** Knows whether a command that `exec` runs has annotated its failure already. */
export const annotationsBelow = () => {
  const file = join(tmpdir(), `service-sim-${process.pid}.annotated`);
  return {
    variables: { [TOLD_VARIABLE]: file },
    end: (): boolean => {
      const isTold = existsSync(file);
      rmSync(file, { force: true });
      return isTold;
    },
  };
};

const annotate = (suite: string, cases: readonly CheckedCase[], terminal: Terminal) => {
  const { GITHUB_ACTIONS, GITHUB_WORKSPACE = ".", [TOLD_VARIABLE]: told } = process.env;
  if (GITHUB_ACTIONS !== "true" || terminal.json) return;
  const lines = annotationLines(suite, cases, GITHUB_WORKSPACE);
  if (lines.length === 0) return;
  terminal.workflowCommands(lines);
  if (told !== undefined && told !== "") writeFileSync(told, "");
};

/**
 * Runs a command whose outcome CI may show: in the file of `--junit`, and beside a run of GitHub's
 * (spec/reports.md#the-file). A file of an earlier run never stands for this one.
 * @param work tells its cases once; a failure that it throws is a case too
 */
export const reported = async (
  suite: string,
  { invocation, terminal }: { invocation: Invocation; terminal: Terminal },
  work: (tell: TellCases) => Promise<number>,
): Promise<number> => {
  const { junit } = invocation.options;
  const file = typeof junit === "string" ? junit : undefined;
  const failed = (says: string): CheckedCase => ({
    name: [suite, ...invocation.args].join(" "),
    group: suite,
    outcome: "failed",
    says,
  });
  const keep = (cases: readonly CheckedCase[]) => {
    if (file !== undefined) write(file, suite, cases);
  };
  keep([failed(UNFINISHED)]);
  let isTold = false;
  const tell: TellCases = (cases, { annotate: isAnnotated = true } = {}) => {
    isTold = true;
    keep(cases);
    if (isAnnotated) annotate(suite, cases, terminal);
  };
  try {
    const code = await work(tell);
    if (!isTold) tell([]);
    return code;
  } catch (error) {
    if (error instanceof CommandError && !isTold)
      tell([{ ...failed(error.message), lines: error.next }]);
    throw error;
  }
};
