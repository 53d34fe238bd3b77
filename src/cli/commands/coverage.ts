import { writeFile } from "node:fs/promises";
import type { CoverageGroup, CoverageReport } from "../../contract/control/coverage.ts";
import { closestTo } from "../../contract/core/closest.ts";
import { REVISIONS } from "../../contract/core/revision-names.ts";
import { coverageFilesOf, mergedCoverage } from "../../coverage/coverage-file.ts";
import { coverageItems } from "../../coverage/coverage-items.ts";
import { coverageReport } from "../../coverage/coverage-report.ts";
import { groupWords, itemsMet } from "../../coverage/coverage-text.ts";
import { ExerciseFailure, runExercise } from "../../coverage/exercise-run.ts";
import { exerciseSteps, type ItemName, itemNamed, itemText } from "../../coverage/exercises.ts";
import { folderFault } from "../../machine/file-fault.ts";
import { counted } from "../../text/layout.ts";
import {
  CLIENT_OPTIONS,
  type Command,
  CommandError,
  EXIT,
  type Invocation,
  usageError,
} from "../frame/command.ts";
import { findInstance, reach } from "../frame/reach.ts";
import { JUNIT_OPTION, reported, type TellCases } from "../tasks/ci-report.ts";
import { findPlatform, sendTo } from "../tasks/platform-client.ts";
import { quoted } from "../text/called-as.ts";
import { type Html, html } from "../text/html.ts";
import type { CheckedCase } from "../text/junit.ts";
import type { Style, Terminal } from "../text/terminal.ts";

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .4rem; }
table { width: 100%; border-collapse: collapse; }
td { padding: .25rem .75rem .25rem 0; vertical-align: top; border-top: 1px solid #8884; }
td:first-child { width: 40%; overflow-wrap: anywhere; }
code { font: .85rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
progress { width: 12rem; vertical-align: middle; }
`;

const groupPart = ({ name, met, total, missing, outOfReach }: CoverageGroup): Html => html`
<h2 id="${name}">${groupWords(name)}: ${met} of ${total}
<progress value="${met}" max="${total}">${met} of ${total}</progress></h2>
${
  missing.length === 0
    ? html`<p>Nothing is missing.</p>`
    : html`<table>${missing.map(
        (item) => html`<tr><td>${item.name}</td><td><code>${item.exercise}</code></td></tr>`,
      )}</table>`
}
${outOfReach.map(
  (item) => html`<p>The settings rule out ${item.name}: it needs <code>${item.needs}</code>.</p>`,
)}`;

/** A report as one page that needs no other file (spec/coverage.md#report). */
const coveragePage = (report: CoverageReport): string => {
  const { score, groups } = report;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Coverage ${score} %</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Coverage ${score} %</h1>
<p>${itemsMet(report)} are covered. The line beside a missing item covers it: an API call
or a command.</p>
${groups.map(groupPart)}
</body>
</html>
`;
  return page.text;
};

/** Missing items shown of each group, without `--all`. */
const SHOWN_MISSING = 3;

/** A line that meets an item, as a command to paste. */
const asCommand = (line: string) => {
  const [, call, json] = /^([A-Z]+ \/\S+)(?: (\{.*\}))?$/.exec(line) ?? [];
  if (call === undefined) return line;
  const [method = "", path = ""] = call.split(" ");
  const body = json === undefined ? "" : ` --data ${quoted(json)}`;
  return `service-sim api ${method} ${quoted(path)}${body}`;
};

const EXERCISE = /^service-sim coverage --exercise (\S+)$/;

/** A missing item: its name for `--exercise`, or the call that meets it. */
const missingLines = ({ name, exercise }: CoverageGroup["missing"][number]) => {
  const item = EXERCISE.exec(exercise)?.[1];
  return item === undefined ? [`  ${name}`, `    ${asCommand(exercise)}`] : [`  ${item}`];
};

const groupLines = (
  { name, met, total, missing, outOfReach }: CoverageGroup,
  shown: number,
  style: Style,
): string[] => {
  const { color, mark } = style;
  const listed = missing.slice(0, shown);
  const rest = missing.length - listed.length;
  return [
    `${mark(missing.length === 0 ? "done" : "waits")} ${color.bold(groupWords(name))}  ${met} of ${total}`,
    ...listed.flatMap(missingLines),
    ...(rest > 0 ? [color.dim(`  and ${rest} more`)] : []),
    ...outOfReach.map((one) => color.dim(`  ${one.name} needs ${one.needs}`)),
  ];
};

export const formatCoverage = (
  report: CoverageReport,
  { all, style }: { all: boolean; style: Style },
): string[] => {
  const shown = all ? Number.POSITIVE_INFINITY : SHOWN_MISSING;
  const lines = report.groups.flatMap((group) => [...groupLines(group, shown, style), ""]);
  const isWhole = report.groups.every(({ missing }) => missing.length === 0);
  return [
    ...lines,
    `${style.color.bold(`${report.score} %`)}  ${itemsMet(report)} covered`,
    ...(isWhole ? [] : ["  service-sim coverage --exercise <item>    covers an item"]),
  ];
};

const textOf = (option: string | boolean | undefined) =>
  typeof option === "string" ? option : undefined;

const minimumOf = ({ options: { min } }: Invocation): number | undefined => {
  if (min === undefined) return undefined;
  const percent = Number(min);
  if (min !== "" && percent >= 0 && percent <= 100) return percent;
  throw usageError(
    `--min: Expected a percentage from 0 to 100 but found "${min}"`,
    "service-sim coverage --min 60",
  );
};

const noCoverage = (directory: string, why: string) =>
  new CommandError({ code: "NO_COVERAGE", exitCode: EXIT.notDone }, why, [
    `SERVICE_SIM_COVERAGE_DIR=${quoted(directory)} npm test    writes coverage files`,
  ]);

const filesOf = (directory: string) => {
  try {
    return coverageFilesOf(directory);
  } catch (error) {
    throw noCoverage(
      directory,
      `--dir: cannot read the folder ${directory}: ${folderFault(error)}`,
    );
  }
};

/** Adds the files of a folder; those that cannot be added are named. */
const reportOfFolder = (directory: string, terminal: Terminal): CoverageReport => {
  const { counts, files, skipped } = mergedCoverage(filesOf(directory));
  for (const { file, why } of skipped) terminal.note(`skipped ${file}: ${why}`);
  if (files === 0) throw noCoverage(directory, `no coverage file in ${directory} can be read`);
  return coverageReport(counts);
};

const writePage = async (file: string, report: CoverageReport) => {
  try {
    await writeFile(file, coveragePage(report));
  } catch (error) {
    throw usageError(
      `--html: cannot write ${file}: ${folderFault(error)}`,
      "service-sim coverage --html coverage.html",
    );
  }
};

const reportOf = async (invocation: Invocation, terminal: Terminal): Promise<CoverageReport> => {
  const directory = textOf(invocation.options.dir);
  if (directory !== undefined) return reportOfFolder(directory, terminal);
  const { client } = findInstance(invocation);
  return reach(client.get<CoverageReport>(`/coverage${scopeOf(invocation)}`));
};

const scopeOf = ({ options }: Invocation) => (options.everyWorld === true ? "?of=all" : "");

const itemOf = (text: string): ItemName => {
  const item = itemNamed(text);
  if (item) return item;
  const names = REVISIONS.flatMap(coverageItems).flatMap(({ group, items }) =>
    items.map((name) => itemText({ group, name })),
  );
  const meant = closestTo(text, names);
  throw usageError(
    `--exercise: no item ${text}`,
    ...(meant === undefined ? [] : [`service-sim coverage --exercise '${meant}'`]),
    "service-sim coverage --all    lists all missing items",
  );
};

/** Explains an exercise that fails in one world and goes well in a new one. */
const ELSEWHERE = "this world's endpoint or settings differ from a new world's";

const nextAfter = (item: Parameters<typeof itemText>[0]) => [
  `service-sim exec service-sim coverage --exercise '${itemText(item)}'    makes the same calls in a new world`,
  "service-sim requests    shows what was called",
];

/** Makes the calls that meet an item, and shows each. */
const exercise = async (
  invocation: Invocation,
  text: string,
  { terminal, tell }: { terminal: Terminal; tell: TellCases },
) => {
  const item = itemOf(text);
  const platform = await findPlatform(invocation);
  const { mark } = terminal.style;
  const done: object[] = [];
  try {
    await runExercise(exerciseSteps(item), sendTo(platform), (step) => {
      done.push(step);
      const { did, status } = step;
      terminal.print(status === undefined ? did : `${did}  ${status}`);
    });
  } catch (error) {
    if (!(error instanceof ExerciseFailure)) throw error;
    throw new CommandError(
      { code: "EXERCISE_FAILED", exitCode: EXIT.notDone },
      `${itemText(item)} was not covered: ${ELSEWHERE}. ${error.message}`,
      nextAfter(item),
    );
  }
  const { groups } = await reach(platform.client.get<CoverageReport>("/coverage"));
  const group = groups.find(({ name }) => name === item.group);
  const isMet = !group?.missing.some(({ name }) => name === item.name);
  terminal.document({ item: itemText(item), met: isMet, steps: done });
  if (!isMet)
    throw new CommandError(
      { code: "NOT_MET", exitCode: EXIT.notDone },
      `${itemText(item)} was not covered: ${counted(done.length, "step")} succeeded, but ${ELSEWHERE}`,
      nextAfter(item),
    );
  terminal.print(`${mark("done")} ${terminal.style.color.bold(itemText(item))} is covered`);
  tell([{ name: itemText(item), group: item.group, outcome: "passed" }]);
  return EXIT.done;
};

/** Fails when less was met than wanted; names one line that would raise it. */
const belowMinimum = ({ score, groups }: CoverageReport, min: number) => {
  const line = groups.find(({ missing }) => missing.length > 0)?.missing[0]?.exercise;
  return new CommandError(
    { code: "COVERAGE_BELOW", exitCode: EXIT.notDone },
    `Expected coverage of at least ${min} % but found ${score} %`,
    line === undefined ? [] : [asCommand(line)],
  );
};

const clearCounts = async (invocation: Invocation, terminal: Terminal) => {
  const { client } = findInstance(invocation);
  await reach(client.delete(`/coverage${scopeOf(invocation)}`));
  terminal.document({ cleared: true });
  terminal.print(`${terminal.style.mark("done")} coverage counts were reset`);
  return EXIT.done;
};

const showReport = async (
  report: CoverageReport,
  failure: CommandError | undefined,
  { invocation, terminal }: { invocation: Invocation; terminal: Terminal },
) => {
  const { html: page, all } = invocation.options;
  if (typeof page === "string") await writePage(page, report);
  if (terminal.quiet && !terminal.json) terminal.answer(String(report.score));
  terminal.print(...formatCoverage(report, { all: all === true, style: terminal.style }));
  if (!failure) return terminal.document(report);
  const { code, message, next, exitCode } = failure;
  terminal.document({ ...report, error: { code, message, next, exitCode } });
  terminal.complain(failure);
};

/** Each group as CI shows it, with what is missing there, and the wanted score. */
const casesOf = (
  { groups }: CoverageReport,
  { min, failure }: { min: number | undefined; failure: CommandError | undefined },
): CheckedCase[] => [
  ...groups.map(
    ({ name, met, total, missing }): CheckedCase => ({
      name: `${groupWords(name)}: ${met} of ${total}`,
      group: "coverage",
      outcome: "passed",
      lines: missing.map((one) => `${one.name}  ${asCommand(one.exercise)}`),
    }),
  ),
  ...(min === undefined
    ? []
    : [
        {
          name: `at least ${min} %`,
          group: "coverage",
          outcome: failure ? ("failed" as const) : ("passed" as const),
          ...(failure && { says: failure.message, lines: failure.next }),
        },
      ]),
];

const FOLDER = ".service-sim-coverage";

export const command: Command = {
  name: "coverage",
  summary: "show what the tests covered, and how to cover the rest",
  options: [
    ...CLIENT_OPTIONS,
    {
      flags: "--min <percent>",
      summary: "exit 1 when coverage is lower",
      noEnvironment: true,
    },
    {
      flags: "--dir <folder>",
      summary: "combine the files that SERVICE_SIM_COVERAGE_DIR wrote to this folder",
      noEnvironment: true,
    },
    { flags: "--every-world", summary: "combine all worlds of the simulator", noEnvironment: true },
    {
      flags: "--html <file>",
      summary: "also write the report as an HTML page",
      noEnvironment: true,
    },
    { flags: "--all", summary: "show every missing item", noEnvironment: true },
    {
      flags: "--exercise <item>",
      summary: "make the calls that cover an item",
      noEnvironment: true,
    },
    { flags: "--clear", summary: "reset the counts", noEnvironment: true },
    JUNIT_OPTION,
  ],
  examples: [
    "service-sim coverage",
    "service-sim coverage --min 60 --html coverage.html",
    "service-sim coverage --exercise outcomes.quotedPayment.003",
    `service-sim coverage --dir ${FOLDER}`,
  ],
  run: (invocation, terminal) =>
    reported("coverage", { invocation, terminal }, async (tell) => {
      const { exercise: item, clear } = invocation.options;
      const min = minimumOf(invocation);
      if (typeof item === "string") return exercise(invocation, item, { terminal, tell });
      if (clear === true) return clearCounts(invocation, terminal);
      const report = await reportOf(invocation, terminal);
      const failure =
        min !== undefined && report.score < min ? belowMinimum(report, min) : undefined;
      await showReport(report, failure, { invocation, terminal });
      tell(casesOf(report, { min, failure }));
      return failure?.exitCode ?? EXIT.done;
    }),
};
