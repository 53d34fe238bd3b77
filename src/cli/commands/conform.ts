import type { ControlClient } from "../../client/control-client.ts";
import type { DescribedApi } from "../../conform/described-api.ts";
import { type Conformity, Judge } from "../../conform/judge.ts";
import { bodyIn, cutReason, type Exchange } from "../../conform/traffic.ts";
import type { CallDetails, LoggedCalls } from "../../contract/control/requests.ts";
import type { Webhooks, WholeWebhook } from "../../contract/control/webhooks.ts";
import { inGroups } from "../../contract/core/digit-groups.ts";
import { REDACTED } from "../../http/log/redaction.ts";
import { counted } from "../../text/layout.ts";
import { brandOption } from "../frame/brand-file.ts";
import {
  CLIENT_OPTIONS,
  type Command,
  CommandError,
  EXIT,
  type Invocation,
  ofOption,
  usageError,
} from "../frame/command.ts";
import { findInstance, reach } from "../frame/reach.ts";
import { REVISION_OPTION, revisionIn } from "../frame/revision-option.ts";
import { AGAINST_OPTIONS, runAgainst } from "../tasks/against-command.ts";
import { JUNIT_OPTION, reported, type TellCases } from "../tasks/ci-report.ts";
import { describedIn, meantIn, trafficIn } from "../tasks/conform-files.ts";
import { type Sweep, sweep } from "../tasks/sweep.ts";
import type { CheckedCase } from "../text/junit.ts";
import { type Column, tableLines } from "../text/table.ts";
import type { Style, Terminal } from "../text/terminal.ts";

const PAGE = 100;

interface Page<Row> {
  data: readonly Row[];
  nextCursor?: string | undefined;
}

const rowsOf = async <Row>(read: (query: string) => Promise<Page<Row>>): Promise<Row[]> => {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const after = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await read(`?limit=${PAGE}${after}`);
    rows.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return rows;
};

const notWholeIn = ({ cut: { requestBody, responseBody } = {} }: CallDetails) => ({
  ...(requestBody !== undefined && { requestBody: cutReason(requestBody) }),
  ...(responseBody !== undefined && { responseBody: cutReason(responseBody) }),
});

const at = (path: string, id: string) => `${path}/${encodeURIComponent(id)}`;

/** The calls that a simulator has logged, and the webhooks that it has made. */
const loggedTraffic = async (client: ControlClient): Promise<Exchange[]> => {
  const calls = await rowsOf((query) => reach(client.get<LoggedCalls>(`/requests${query}`)));
  const webhooks = await rowsOf((query) => reach(client.get<Webhooks>(`/webhooks${query}`)));
  const exchanges: Exchange[] = [];
  for (const { id } of calls) {
    const whole = `${at("/requests", id)}?bodies=whole`;
    const call = await reach(client.get<CallDetails>(whole));
    const { method, path, status, requestBody, responseBody } = call;
    exchanges.push({
      kind: "call",
      method,
      path,
      status,
      requestBody: bodyIn(requestBody),
      responseBody: bodyIn(responseBody),
      notWhole: notWholeIn(call),
    });
  }
  for (const { id } of webhooks) {
    const { body } = await reach(client.get<WholeWebhook>(at("/webhooks", id)));
    exchanges.push({ kind: "webhook", body: bodyIn(body) });
  }
  return exchanges;
};

const textOf = (option: string | boolean | undefined) =>
  typeof option === "string" ? option : undefined;

const minimumOf = ({ options: { min } }: Invocation): number => {
  if (min === undefined) return 0;
  const percent = Number(min);
  if (min !== "" && percent >= 0 && percent <= 100) return percent;
  throw usageError(
    `--min: Expected a percentage from 0 to 100 but found "${min}"`,
    "service-sim conform openapi.json --min 95",
  );
};

const part = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : ["", title, ...lines];

const PATH: Column = { as: "path", least: 24 };
const WORDS: Column = { as: "words" };

/** Parts of the report on what was judged. */
const judgedParts = ({ operations, undocumented, invalid }: Conformity, style: Style) => {
  const { color, mark } = style;
  const met = operations.map(({ operation, score, statuses }) => [
    mark(score === 100 ? "done" : "failed"),
    operation,
    statuses.map(({ status, met: all, valid }) => `${status} ${valid}/${all}`).join("  "),
  ]);
  const missing = undocumented.map(({ operation, status = "", count }) => [
    operation,
    status,
    `${count}×`,
  ]);
  const differing = invalid.map((one) => [
    one.operation,
    one.status,
    one.in,
    `${one.path || "/"}: ${one.says}`,
  ]);
  return [
    ...part(color.bold("operations covered"), tableLines([{}, PATH, WORDS], met, style)),
    ...part(color.bold("not in the document"), tableLines([PATH, {}, {}], missing, style)),
    ...part(color.bold("differ"), tableLines([PATH, {}, {}, WORDS], differing, style)),
  ];
};

/** Parts of the report on what is told apart. */
const apartParts = (report: Conformity, style: Style) => {
  const { color } = style;
  const meant = report.meant.map((one) => [one.operation, one.status, one.reason]);
  const open = report.notJudged.map((one) => [one.operation, one.status, one.in, one.why]);
  const patterns = report.patternsLeftOut.map(({ at, pattern }) => [at, pattern]);
  const unknown = report.unknownRoutes.map((one) => [one.operation, one.status, `${one.count}×`]);
  return [
    ...part(color.bold("expected differences"), tableLines([PATH, {}, WORDS], meant, style)),
    ...part(color.bold("not checked"), tableLines([PATH, {}, {}, WORDS], open, style)),
    ...part(
      color.bold("unreadable patterns, not checked"),
      tableLines([PATH, WORDS], patterns, style),
    ),
    ...part(
      color.bold("unknown routes, correctly refused, not counted"),
      tableLines([PATH, {}, {}], unknown, style),
    ),
  ];
};

/** The report as text: operations, what is not described, what differs, what is missing. */
export const formatConformity = (report: Conformity, style: Style): string[] => {
  const { color } = style;
  const { score, judged, neverMet } = report;
  return [
    `${color.bold(`${score} %`)}  of ${counted(judged, "exchange")} match the document`,
    ...judgedParts(report, style),
    ...apartParts(report, style),
    "",
    color.dim(
      `${counted(neverMet.length, "pair")} of operation and status not covered; --json lists them`,
    ),
  ];
};

const trafficOf = async (invocation: Invocation): Promise<Exchange[]> => {
  const file = textOf(invocation.options.traffic);
  return file === undefined
    ? loggedTraffic(findInstance(invocation).client)
    : ofOption("--traffic", () => trafficIn(file));
};

const sweptIn = (api: DescribedApi, { options }: Invocation): Promise<Sweep> => {
  if (options.traffic !== undefined)
    throw usageError("--sweep cannot be used with --traffic", "service-sim conform --help");
  const brand = textOf(options.brand);
  return sweep(api, {
    ...(brand !== undefined && { brand: brandOption(brand) }),
    ...revisionIn(options),
  });
};

/** Numbers of the pairs that were met, and by which way. */
const sweptLines = ({ pairs }: Sweep, { operations }: DescribedApi): string[] => {
  const all = operations.reduce((sum, { replies }) => sum + replies.length, 0);
  const byCall = pairs.filter(({ by }) => by === "call");
  const done = new Set(byCall.filter(({ status }) => status < "3").map((one) => one.operation));
  return [
    `${done.size} of ${counted(operations.length, "operation")} called`,
    `${inGroups(pairs.length)} of ${counted(all, "documented pair")} covered: ` +
      `${inGroups(byCall.length)} by calls, ${inGroups(pairs.length - byCall.length)} by fault switches`,
  ];
};

/**
 * Each operation as CI shows it. What differs fails the case only where the score fails the
 * command: else it is told as its output.
 */
const casesOf = (report: Conformity, { min, document }: { min: number; document: string }) => {
  const { operations, undocumented, invalid, score } = report;
  const isBelow = score < min;
  const caseOf = (name: string, lines: readonly string[]): CheckedCase => ({
    name,
    group: document,
    outcome: isBelow && lines.length > 0 ? "failed" : "passed",
    says: `${counted(lines.length, "difference")} from ${document}`,
    lines,
  });
  const met = new Set(operations.map(({ operation }) => operation));
  for (const { operation } of [...invalid, ...undocumented]) met.add(operation);
  const differing = (name: string) => [
    ...invalid
      .filter(({ operation }) => operation === name)
      .map(({ status, in: part, path, says }) => `${status} ${part} ${path || "/"}: ${says}`),
    ...undocumented
      .filter(({ operation }) => operation === name)
      .map(({ status }) => (status === undefined ? "not described" : `${status} is not described`)),
  ];
  return [...met].map((name) => caseOf(name, differing(name)));
};

/** Judges traffic by a document, and prints what was found. */
const judgeTraffic = async (
  invocation: Invocation,
  { terminal, tell }: { terminal: Terminal; tell: TellCases },
): Promise<number> => {
  const { args, options } = invocation;
  const [document = "", further] = args;
  if (further !== undefined)
    throw usageError(
      `give one OpenAPI document: ${further} is one too many`,
      "service-sim conform --help",
    );
  const min = minimumOf(invocation);
  const api = await describedIn(document);
  const meant = ofOption("--ignore", () => meantIn(textOf(options.ignore), document));
  const swept = options.sweep === true ? await sweptIn(api, invocation) : undefined;
  const exchanges = swept?.exchanges ?? (await trafficOf(invocation));
  if (exchanges.length === 0)
    throw new CommandError(
      { code: "NO_TRAFFIC", exitCode: EXIT.notDone },
      `${textOf(options.traffic) ?? "the simulator"} has no traffic to compare`,
      ["service-sim operations    lists what can be called"],
    );
  const judge = new Judge(api, { meant, placeholder: REDACTED });
  for (const exchange of exchanges) judge.take(exchange);
  const report = judge.report();
  terminal.document({ ...report, ...(swept && { pairs: swept.pairs }) });
  const lines = [
    ...formatConformity(report, terminal.style),
    ...(swept ? sweptLines(swept, api) : []),
  ];
  if (!terminal.json) for (const line of lines) terminal.print(line);
  tell(casesOf(report, { min, document }));
  if (report.score >= min) return EXIT.done;
  terminal.note(`the score ${report.score} is below ${min}`);
  return EXIT.notDone;
};

export const command: Command = {
  name: "conform",
  summary: "compare traffic with an OpenAPI document, or scenarios here and at another service",
  operands: "<file...>",
  usage: "<openapi file>, or --against <url> <scenario...>",
  options: [
    ...CLIENT_OPTIONS,
    {
      flags: "--traffic <file>",
      summary: "HAR 1.2, or lines of {method, path, status, requestBody, responseBody}",
      noEnvironment: true,
    },
    {
      flags: "--sweep",
      summary: "test a simulator instead: call every operation, cause every documented status",
      noEnvironment: true,
    },
    {
      flags: "--brand <word or file>",
      summary: "brand of the tested simulator or of the other service (default: service)",
      noEnvironment: true,
    },
    REVISION_OPTION,
    ...AGAINST_OPTIONS,
    {
      flags: "--ignore <file>",
      summary: "expected differences: a file, or hosted (default: .conformignore beside it)",
      noEnvironment: true,
    },
    {
      flags: "--min <percent>",
      summary: "fail below this score",
      noEnvironment: true,
    },
    JUNIT_OPTION,
  ],
  examples: [
    "service-sim conform openapi.json",
    "service-sim conform openapi.json --traffic session.har --min 95",
    "service-sim conform hosted.yaml --sweep --ignore hosted",
    "service-sim openapi > own.json && service-sim conform own.json --sweep",
    "service-sim conform --against https://sandbox.example.test/2025-10-13 payout",
  ],
  run: (invocation, terminal) =>
    reported("conform", { invocation, terminal }, (tell) =>
      invocation.options.against === undefined
        ? judgeTraffic(invocation, { terminal, tell })
        : runAgainst(invocation, { terminal, tell }),
    ),
};
