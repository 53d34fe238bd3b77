import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { YAMLParseError } from "yaml";
import { DescribedApi, NoOpenApi } from "../../conform/described-api.ts";
import { BrokenIgnore, type MeantDifference, readMeant } from "../../conform/differences-meant.ts";
import { BrokenTraffic, type Exchange, readTraffic } from "../../conform/traffic.ts";
import { fileFault } from "../../machine/file-fault.ts";
import { packageFolder } from "../../machine/package-folder.ts";
import { readUserText } from "../../machine/user-text.ts";
import { CommandError, EXIT, usageError } from "../frame/command.ts";

const HELP = "service-sim conform --help";

const textIn = (file: string, what: string) => {
  try {
    return readUserText(file);
  } catch (error) {
    throw usageError(`Expected ${what} in ${file} but found ${fileFault(error)}`, HELP);
  }
};

/** The place of the first mistake of a YAML text. */
const placeOf = ({ linePos }: YAMLParseError) => {
  const [start] = linePos ?? [];
  return start ? ` in line ${start.line}, column ${start.col}` : "";
};

/** Uses of one anchor that are followed: texts that grow without bound are refused. */
const MAX_ALIASES = 10_000;

const yamlIn = async (text: string, broken: (found: string) => CommandError): Promise<unknown> => {
  const { parseDocument } = await import("yaml");
  try {
    const document = parseDocument(text, { merge: true, logLevel: "error" });
    const [mistake] = document.errors;
    if (mistake) throw broken(`YAML that does not parse${placeOf(mistake)}`);
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    if (error instanceof CommandError) throw error;
    // Anchors without end, or nesting that is too deep for the parser.
    throw broken("YAML that does not parse: it is nested too deeply, or refers to itself");
  }
};

const parsed = (text: string, file: string): Promise<unknown> | unknown => {
  const broken = (found: string) =>
    usageError(`Expected an OpenAPI document in ${file} but found ${found}`, HELP);
  if (text.trim() === "") throw broken("an empty file");
  if (!/^\s*\{/.test(text)) return yamlIn(text, broken);
  try {
    return JSON.parse(text);
  } catch {
    // Objects of YAML may begin as JSON does.
    return yamlIn(text, () => broken("JSON that does not parse"));
  }
};

/** The API that a file describes, in JSON or YAML. */
export const describedIn = async (file: string): Promise<DescribedApi> => {
  const document = await parsed(textIn(file, "an OpenAPI document"), file);
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

/**
 * Name of the differences from the hosted service's document that come with the package
 * (spec/conform.md#hosted).
 */
const HOSTED = "hosted";

const hostedMeant = () =>
  readMeant(readUserText(join(packageFolder("fixtures/conform"), "hosted.conformignore")));

/** Differences that are meant: of a file that is named, or of the one beside the document. */
export const meantIn = (file: string | undefined, document: string): MeantDifference[] => {
  if (file === HOSTED) return hostedMeant();
  const beside = join(dirname(document), ".conformignore");
  const from = file ?? (existsSync(beside) ? beside : undefined);
  if (from === undefined) return [];
  try {
    return readMeant(textIn(from, "expected differences"));
  } catch (error) {
    if (error instanceof BrokenIgnore) throw usageError(`${from}: ${error.message}`, HELP);
    throw error;
  }
};
