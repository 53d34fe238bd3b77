import type { MeantDifference } from "../../conform/differences-meant.ts";
import { brandOf } from "../../contract/core/brand-words.ts";
import { looksLikeProduction } from "../../contract/core/production-credentials.ts";
import { exactDuration, parseDuration } from "../../domain/core/durations.ts";
import type { CommandOption } from "../../options/option-row.ts";
import { START_OPTIONS } from "../../options/start-options.ts";
import { openScenario, type ScenarioFile } from "../../scripts/script-files.ts";
import { ScriptTextError } from "../../scripts/script-text.ts";
import { counted } from "../../text/layout.ts";
import { baseUrlIn } from "../frame/base-url.ts";
import { readBrandOption } from "../frame/brand-file.ts";
import { EXIT, type Invocation, ofOption, usageError } from "../frame/command.ts";
import { revisionIn } from "../frame/revision-option.ts";
import { repeated } from "../frame/simulator-options.ts";
import type { CheckedCase } from "../text/junit.ts";
import type { Style, Terminal } from "../text/terminal.ts";
import { type AgainstOptions, compareAgainst } from "./against.ts";
import type { TellCases } from "./ci-report.ts";
import { type ComparedScenario, callsOf, notComparable } from "./compared-scenario.ts";
import { meantIn } from "./conform-files.ts";
import { HostedService } from "./hosted-service.ts";

const HELP = "service-sim conform --help";
const EXAMPLE = "service-sim conform --against https://sandbox.example.test/2025-10-13 payout";
const CLIENT_ID = "SERVICE_SIM_AGAINST_CLIENT_ID";
const CLIENT_SECRET = "SERVICE_SIM_AGAINST_CLIENT_SECRET";
const DEFAULT_RATE = "5";
const DEFAULT_MAX_WAIT = "10m";

/** Options of a comparison with another service. */
export const AGAINST_OPTIONS: readonly CommandOption[] = [
  {
    flags: "--against <url>",
    summary: "play scenarios here and at the API with this base URL, up to the first difference",
    noEnvironment: true,
  },
  {
    flags: "--yes",
    summary: "send the calls of --against instead of printing them",
    noEnvironment: true,
  },
  {
    flags: "--rate <calls>",
    summary: "calls a second at the other service, up to 100",
    default: DEFAULT_RATE,
    noEnvironment: true,
  },
  {
    flags: "--max-wait <span>",
    summary: "longest clock step to wait out at the other service",
    default: DEFAULT_MAX_WAIT,
    noEnvironment: true,
  },
  START_OPTIONS.productionPrefixes,
];

/** Credentials of the other service: never on a command line, never those of production. */
const credentials = (invocation: Invocation) => {
  const further = repeated(invocation, "productionPrefix");
  const { [CLIENT_ID]: clientId = "", [CLIENT_SECRET]: clientSecret = "" } = process.env;
  const missing = [
    ...(clientId === "" ? [CLIENT_ID] : []),
    ...(clientSecret === "" ? [CLIENT_SECRET] : []),
  ];
  if (missing.length > 0)
    throw usageError(
      `Expected the credentials of the other service but found no ${missing.join(" and no ")}`,
      `export ${missing[0]}=…    sets one`,
    );
  if (looksLikeProduction(clientId, further) || looksLikeProduction(clientSecret, further))
    throw usageError(
      `Expected sandbox credentials but found production ones in ${CLIENT_ID} and ${CLIENT_SECRET}`,
      "use sandbox credentials: scenarios move money",
    );
  return { clientId, clientSecret };
};

const rateOf = (text: string) => {
  const rate = Number(text);
  if (rate > 0 && rate <= 100) return rate;
  throw usageError(`Expected --rate above 0 and up to 100 but found "${text}"`, HELP);
};

const spanOf = (text: string) => {
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  throw usageError(`Expected --max-wait to be a span like 10m but found "${text}"`, HELP);
};

const textOf = (option: string | boolean | undefined, or = "") =>
  typeof option === "string" ? option : or;

const opened = async (names: readonly string[]): Promise<ScenarioFile[]> => {
  const files: ScenarioFile[] = [];
  for (const name of names)
    try {
      files.push(await openScenario(name));
    } catch (error) {
      throw error instanceof ScriptTextError ? usageError(error.message, HELP) : error;
    }
  return files;
};

/** Refuses scenarios that another service cannot play, before anything is sent. */
const requireComparable = (files: readonly ScenarioFile[], maxWaitMs: number) => {
  for (const file of files) {
    const why = notComparable(file, { maxWaitMs });
    if (why !== undefined) throw usageError(`${file.file} cannot be compared: ${why}`, HELP);
  }
};

/** Words and settings of the other service's brand. */
const brandFor = ({
  options: { brand: wordOrFile },
}: Invocation): Pick<AgainstOptions, "brand" | "settings"> => {
  if (typeof wordOrFile !== "string") return {};
  const { brand, settings } = readBrandOption(wordOrFile);
  return { ...(brand && { brand: brandOf(brand.word) }), settings };
};

/** The outcome of one scenario as lines. */
export const formatCompared = (one: ComparedScenario, { mark, color }: Style): string[] => {
  const { scenario, ok, compared, notCompared, meant, difference } = one;
  const asides = [
    ...(notCompared > 0 ? [`${counted(notCompared, "step")} only a simulator has`] : []),
    ...new Set(meant.map((reason) => `meant: ${reason}`)),
  ];
  const head = `${mark(ok ? "done" : "failed")} ${scenario}  ${counted(compared, "call")} compared`;
  const lines = [[head, ...asides].join(", ")];
  if (!difference) return lines;
  const { step, line, did, path, ours, theirs } = difference;
  return [
    ...lines,
    `  ${color.bold("first difference")}  step ${step} (line ${line}), ${did}`,
    `  at      ${path || "the body"}`,
    `  ours    ${ours}`,
    `  theirs  ${theirs}`,
  ];
};

/** The outcome of one scenario as CI shows it. */
const caseOf = ({ scenario, file, ok, compared, difference }: ComparedScenario): CheckedCase => ({
  name: scenario,
  group: "conform --against",
  outcome: ok ? "passed" : "failed",
  lines: [`${counted(compared, "call")} compared`],
  ...(difference && {
    says: `step ${difference.step}, ${difference.did}: ${difference.path || "the body"} differs`,
    lines: [`ours    ${difference.ours}`, `theirs  ${difference.theirs}`],
    at: { file, line: difference.line },
  }),
});

/** Prints the calls that would be sent. */
const tellCalls = (files: readonly ScenarioFile[], against: string, terminal: Terminal) => {
  const scenarios = files.map((file) => ({ scenario: file.scenario.name, calls: callsOf(file) }));
  terminal.document({ against, sent: false, scenarios });
  for (const { scenario, calls } of scenarios) {
    terminal.print(`${scenario} would send to ${against}`);
    for (const call of calls) terminal.print(`  ${call}`);
  }
  terminal.note("nothing was sent; --yes sends them");
  return EXIT.done;
};

/** Differences that are meant: of a file that is named, or of the one in this folder. */
const meantFor = ({ options: { ignore } }: Invocation): MeantDifference[] =>
  meantIn(typeof ignore === "string" ? ignore : undefined, "scenario.json");

/** Plays scenarios on both sides and tells the first difference of each (spec/conform.md#against). */
export const runAgainst = async (
  invocation: Invocation,
  { terminal, tell }: { terminal: Terminal; tell: TellCases },
): Promise<number> => {
  const { args, options } = invocation;
  for (const other of ["traffic", "sweep", "min"])
    if (options[other] !== undefined && options[other] !== false)
      throw usageError(`--against cannot be used with --${other}`, HELP);
  const base = ofOption("--against", () => baseUrlIn(textOf(options.against), EXAMPLE));
  const against = base.href.replace(/\/+$/, "");
  const callsPerSecond = rateOf(textOf(options.rate, DEFAULT_RATE));
  const files = await opened(args);
  requireComparable(files, spanOf(textOf(options.maxWait, DEFAULT_MAX_WAIT)));
  const { brand, settings } = brandFor(invocation);
  const meant = meantFor(invocation);
  if (options.yes !== true) return tellCalls(files, against, terminal);
  const onWait = (ms: number) =>
    terminal.note(`waits ${exactDuration(ms)} at the other service, as a clock step says`);
  const hosted = new HostedService({
    apiUrl: against,
    ...credentials(invocation),
    callsPerSecond,
    brand,
    onWait,
  });
  const scenarios = await compareAgainst(files, hosted, {
    meant,
    ...(settings && { settings }),
    ...revisionIn(options),
    now: new Date().toISOString(),
    onScenario: (scenario) => {
      if (!terminal.json)
        for (const line of formatCompared(scenario, terminal.style)) terminal.print(line);
    },
  });
  terminal.document({ against, scenarios });
  tell(scenarios.map(caseOf));
  return scenarios.every(({ ok }) => ok) ? EXIT.done : EXIT.notDone;
};
