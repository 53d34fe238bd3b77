import { type Conformity, Judge } from "../../conform/judge.ts";
import {
  CLIENT_OPTIONS,
  type Command,
  CommandError,
  EXIT,
  type Invocation,
  usageError,
} from "../frame/command.ts";
import { findInstance } from "../frame/reach.ts";
import { describedIn, meantIn, trafficIn } from "../tasks/conform-files.ts";
import { loggedTraffic } from "../tasks/logged-traffic.ts";
import { counted } from "../text/layout.ts";
import { tableLines } from "../text/table.ts";
import type { Style } from "../text/terminal.ts";

const textOf = (option: string | boolean | undefined) =>
  typeof option === "string" ? option : undefined;

const minimumOf = ({ options: { min } }: Invocation): number => {
  if (min === undefined) return 0;
  const percent = Number(min);
  if (min !== "" && percent >= 0 && percent <= 100) return percent;
  throw usageError(
    `Expected a percentage from 0 to 100 but found "${min}"`,
    "service-sim conform openapi.json --min 95",
  );
};

const part = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : ["", title, ...lines];

/** The report as text: operations, what is not described, what differs, what is missing. */
export const formatConformity = (report: Conformity, style: Style): string[] => {
  const { color, mark } = style;
  const { operations, undocumented, invalid, meant, neverMet } = report;
  const met = operations.map(({ operation, score, statuses }) => [
    mark(score === 100 ? "done" : "failed"),
    operation,
    statuses.map(({ status, met: all, valid }) => `${status} ${valid}/${all}`).join("  "),
  ]);
  return [
    `${color.bold(`${report.score} %`)}  of ${counted(report.exchanges, "exchange")} fit the document`,
    ...part(
      color.bold("operations met"),
      tableLines([{}, { as: "path", least: 24 }, {}], met, style),
    ),
    ...part(
      color.bold("not described"),
      tableLines(
        [{ as: "path", least: 24 }, {}, {}],
        undocumented.map(({ operation, status = "", count }) => [operation, status, `${count}×`]),
        style,
      ),
    ),
    ...part(
      color.bold("differ"),
      tableLines(
        [{ as: "path", least: 24 }, {}, {}, { as: "words" }],
        invalid.map((one) => [
          one.operation,
          one.status,
          one.in,
          `${one.path || "/"}: ${one.says}`,
        ]),
        style,
      ),
    ),
    ...part(
      color.bold("differ, as is meant"),
      tableLines(
        [{ as: "path", least: 24 }, {}, { as: "words" }],
        meant.map((one) => [one.operation, one.status, one.reason]),
        style,
      ),
    ),
    "",
    color.dim(
      `${counted(neverMet.length, "pair")} of an operation and a status never met; --json lists them`,
    ),
  ];
};

export const command: Command = {
  name: "conform",
  summary: "compare traffic with an OpenAPI document: that of a simulator, or of a file",
  operands: "<openapi>",
  options: [
    ...CLIENT_OPTIONS,
    {
      flags: "--traffic <file>",
      summary: "HAR 1.2, or lines of {method, path, status, requestBody, responseBody}",
      noEnvironment: true,
    },
    {
      flags: "--ignore <file>",
      summary: "differences that are meant, with reasons (default: .conformignore beside it)",
      noEnvironment: true,
    },
    {
      flags: "--min <percent>",
      summary: "fail below this score",
      noEnvironment: true,
    },
  ],
  examples: [
    "service-sim conform openapi.json",
    "service-sim conform openapi.json --traffic session.har --min 95",
  ],
  run: async (invocation, terminal) => {
    const { args, options } = invocation;
    const [document = ""] = args;
    const min = minimumOf(invocation);
    const api = describedIn(document);
    const meant = meantIn(textOf(options.ignore), document);
    const file = textOf(options.traffic);
    const exchanges =
      file === undefined ? await loggedTraffic(findInstance(invocation).client) : trafficIn(file);
    if (exchanges.length === 0)
      throw new CommandError(
        { code: "NO_TRAFFIC", exitCode: EXIT.notDone },
        `${file ?? "the simulator"} has no traffic to compare`,
        ["service-sim operations    lists what can be called"],
      );
    const judge = new Judge(api, meant);
    for (const exchange of exchanges) judge.take(exchange);
    const report = judge.report();
    terminal.document(report);
    if (!terminal.json)
      for (const line of formatConformity(report, terminal.style)) terminal.print(line);
    if (report.score >= min) return EXIT.done;
    terminal.note(`the score ${report.score} is below ${min}`);
    return EXIT.notDone;
  },
};
