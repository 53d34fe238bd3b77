import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { DescribedApi, NoOpenApi } from "../../conform/described-api.ts";
import { BrokenIgnore, type MeantDifference, readMeant } from "../../conform/differences-meant.ts";
import { BrokenTraffic, type Exchange, readTraffic } from "../../conform/traffic.ts";
import { readUserText } from "../../runtime/user-text.ts";
import { CommandError, EXIT, usageError } from "../frame/command.ts";

const HELP = "service-sim conform --help";

const textIn = (file: string, what: string) => {
  try {
    return readUserText(file);
  } catch (error) {
    throw usageError(
      `Expected ${what} in ${file} but found ${(error as NodeJS.ErrnoException).code}`,
      HELP,
    );
  }
};

/** The parser of YAML that the project has, if it has one: many do, and few need it here. */
const parserOfYaml = (): ((text: string) => unknown) | undefined => {
  try {
    return createRequire(join(process.cwd(), "package.json"))("yaml").parse;
  } catch {
    return undefined;
  }
};

const parsed = (text: string, file: string): unknown => {
  const broken = (found: string, ...next: string[]) =>
    usageError(`Expected an OpenAPI document in ${file} but found ${found}`, ...next, HELP);
  if (/^\s*\{/.test(text))
    try {
      return JSON.parse(text);
    } catch {
      throw broken("JSON that does not parse");
    }
  const parse = parserOfYaml();
  if (!parse) throw broken("no JSON", "npm install --save-dev yaml    has YAML read too");
  try {
    return parse(text);
  } catch {
    throw broken("YAML that does not parse");
  }
};

/** The API that a file describes: JSON, or YAML where the project has a parser of it. */
export const describedIn = (file: string): DescribedApi => {
  const document = parsed(textIn(file, "an OpenAPI document"), file);
  try {
    return new DescribedApi(document);
  } catch (error) {
    if (error instanceof NoOpenApi) throw usageError(`${file}: ${error.message}`, HELP);
    throw error;
  }
};

const refused = (file: string, message: string) =>
  new CommandError({ code: "TRAFFIC_BROKEN", exitCode: EXIT.notDone }, `${file}: ${message}`, [
    HELP,
  ]);

/** The exchanges of a file. */
export const trafficIn = (file: string): Exchange[] => {
  try {
    return readTraffic(textIn(file, "traffic"));
  } catch (error) {
    if (error instanceof BrokenTraffic) throw refused(file, error.message);
    throw error;
  }
};

/** Differences that are meant: of a file that is named, or of the one beside the document. */
export const meantIn = (file: string | undefined, document: string): MeantDifference[] => {
  const beside = join(dirname(document), ".conformignore");
  const from = file ?? (existsSync(beside) ? beside : undefined);
  if (from === undefined) return [];
  try {
    return readMeant(textIn(from, "differences that are meant"));
  } catch (error) {
    if (error instanceof BrokenIgnore) throw usageError(`${from}: ${error.message}`, HELP);
    throw error;
  }
};
