import { isPath } from "../../scripts/bundled-names.ts";
import { type FixtureFile, openFixture } from "../../scripts/script-files.ts";
import { type ProblemKind, ScriptProblem } from "../../scripts/script-problem.ts";
import { ScriptTextError } from "../../scripts/script-text.ts";
import { CommandError, EXIT, usageError } from "../frame/command.ts";

const NEXT = [
  "service-sim seed --schema              prints the JSON Schema of fixtures",
  "service-sim seed payouts-demo          loads a bundled fixture",
] as const;

const PATH_HINT = "service-sim seed ./payouts.json        a path has a slash or ends in .json";

/**
 * Reads and checks a fixture file here, where its lines are known. Returns undefined for a name.
 */
export const localFixture = async (operand: string): Promise<FixtureFile | undefined> => {
  if (!isPath(operand)) return undefined;
  try {
    return await openFixture(operand);
  } catch (error) {
    throw error instanceof ScriptTextError ? usageError(error.message, ...NEXT) : error;
  }
};

/** A problem with a fixture as the simulator reports it. */
interface ProblemDetails {
  kind: ProblemKind;
  at: (string | number)[];
  onName: boolean;
  expected: string;
  found: string;
}

const problemIn = ({ details }: CommandError): ProblemDetails | undefined => {
  const given = details as Partial<ProblemDetails> | undefined;
  return Array.isArray(given?.at) && given.expected !== undefined
    ? (given as ProblemDetails)
    : undefined;
};

const NEXT_AFTER = ["service-sim status                     nothing was changed"];

/** Adds the lines of the sent file to a refused seed. */
export const seedFailure = (error: unknown, local: FixtureFile | undefined): unknown => {
  if (!(error instanceof CommandError)) return error;
  if (error.details?.field === "name") return usageError(error.message, ...NEXT, PATH_HINT);
  const details = problemIn(error);
  if (!details) return error;
  const { kind, at, onName, expected, found } = details;
  const problem = new ScriptProblem(kind, { path: at, onName, expected, found });
  const exitCode = kind === "invalid" ? EXIT.usage : EXIT.notDone;
  const message = local ? local.located(problem).message : error.message;
  const failure = { code: error.code, exitCode, details: { ...details } };
  return new CommandError(failure, message, NEXT_AFTER);
};
