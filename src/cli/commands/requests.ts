import { closestOperationId, operationNamed } from "../../contract/closest-operation.ts";
import type { CallDetails, LoggedCall, LoggedCalls } from "../../contract/control/requests.ts";
import { cutNote } from "../../contract/core/cut-body.ts";
import { OPERATIONS_OF_ANY_REVISION } from "../../contract/operations.ts";
import type { CommandOption } from "../../options/option-row.ts";
import { fullInstant, instantsAmong } from "../../text/layout.ts";
import { safeJson } from "../../text/safe-text.ts";
import {
  CLIENT_OPTIONS,
  type Command,
  EXIT,
  type Invocation,
  usageError,
} from "../frame/command.ts";
import { nextPageLine, type PageRequest, pageRequest } from "../frame/page.ts";
import { queryOf } from "../frame/query.ts";
import { findInstance, reach } from "../frame/reach.ts";
import { followActivity } from "../tasks/follow.ts";
import { replayText, revisionTexts, shownPath } from "../text/because.ts";
import { consoleLine } from "../text/console-line.ts";
import { type Column, tableOf } from "../text/table.ts";
import type { Style } from "../text/terminal.ts";
import { wrapped } from "../text/wrap.ts";

const UNDONE = "undone by a rewind";

const METHOD_WIDTH = 6;

const statusText = ({ status }: LoggedCall, { mark }: Style) =>
  `${mark(status < 400 ? "done" : "failed")} ${status}`;

const errorText = ({ error }: LoggedCall) =>
  error && [error.code, error.reason].filter(Boolean).join(", ");

/** Rules worth a line in a list: default rules (`….otherwise`) are left out. */
const notableRules = ({ rules = [] }: LoggedCall) =>
  rules.filter((rule) => !rule.endsWith(".otherwise"));

const COLUMNS: readonly Column[] = [
  { head: "AT" },
  { head: "REQUEST", as: "path", least: 30 },
  { head: "STATUS" },
  { head: "TOOK", leaves: 1 },
  { head: "ID" },
];

/** A remark below a row, in the column of its request's path. */
const below = (remark: string | undefined, indent: number, { screen }: Style) =>
  remark === undefined
    ? []
    : wrapped(remark, screen.width - indent).map((line) => " ".repeat(indent) + line);

export const formatRequests = (reply: LoggedCalls, page: PageRequest, style: Style): string[] => {
  const { data, hasMore, nextCursor } = reply;
  if (data.length === 0) return [page.isFiltered ? "no matching request" : "no request yet"];
  const at = instantsAmong(data.map((request) => request.at));
  const tookWidth = Math.max(...data.map(({ tookMs }) => String(tookMs).length));
  const cells = data.map((request) => [
    at(request.at),
    `${request.method.padEnd(METHOD_WIDTH)}${shownPath(request.path, style)}`,
    statusText(request, style),
    `${String(request.tookMs).padStart(tookWidth)} ms`,
    request.id,
  ]);
  const { head, rows, indent } = tableOf(COLUMNS, cells, style.screen);
  const inside = indent + METHOD_WIDTH;
  return [
    style.color.dim(head),
    ...rows.flatMap((row, at) => {
      const { replay, ...request } = data[at] as LoggedCall;
      return [
        ...row,
        ...below(errorText(request), inside, style),
        ...notableRules(request).flatMap((rule) => below(`test rule ${rule}`, inside, style)),
        ...below(replay && `repeats ${replayText(replay)}`, inside, style),
        ...below(request.undone && UNDONE, inside, style),
      ];
    }),
    ...(hasMore ? [style.color.dim(nextPageLine(page, nextCursor))] : []),
  ];
};

const indented = (text: string) => {
  try {
    return safeJson(JSON.parse(text), 2);
  } catch {
    return text;
  }
};

const bodyLines = (label: string, text: string | undefined, cut: number | undefined) => {
  if (text === undefined) return [];
  const note = cutNote(text, cut);
  return ["", note === undefined ? label : `${label}, ${note}`, ...indented(text).split("\n")];
};

const queryText = ({ query }: CallDetails) => (query === undefined ? "" : `?${query}`);

export const formatRequest = (request: CallDetails, style: Style): string[] => {
  const error = errorText(request);
  return [
    `${style.color.bold(request.id)}    ${request.method} ${request.path}${queryText(request)}`,
    `at         ${fullInstant(request.at)}`,
    ...(request.operation === undefined ? [] : [`operation  ${request.operation}`]),
    `status     ${statusText(request, style)}, ${request.tookMs} ms`,
    ...(error === undefined ? [] : [`error      ${error}`]),
    ...(request.rules ?? []).map((rule) => `test rule  ${rule}`),
    ...(request.replay === undefined ? [] : [`repeats    ${replayText(request.replay)}`]),
    ...(request.undone ? [`undone     by a rewind`] : []),
    ...revisionTexts(request.revisions).map((text) => `only       ${text}`),
    ...(request.ignored ?? []).map((name, at) => `${at === 0 ? "ignored" : ""}`.padEnd(11) + name),
    ...request.caused.map((id, at) => `${at === 0 ? "caused" : ""}`.padEnd(11) + id),
    ...bodyLines("request body", request.requestBody, request.cut?.requestBody),
    ...bodyLines("response body", request.responseBody, request.cut?.responseBody),
  ];
};

const LIST_OPTIONS = ["status", "operation", "method", "limit", "cursor"] as const;

const filter = (flags: string, summary: string): CommandOption => ({
  flags,
  summary,
  noEnvironment: true,
});

const refuseListOptions = ({ options }: Invocation, other: string) => {
  const option = LIST_OPTIONS.find((name) => options[name] !== undefined);
  if (option !== undefined)
    throw usageError(`--${option} cannot be used with ${other}`, "service-sim requests");
};

const OPERATION_IDS = OPERATIONS_OF_ANY_REVISION.map(({ operationId }) => operationId).sort();

/** Refuses a name that no operation has; near spellings, such as other capitals, are corrected. */
const operationOf = (name: string) => {
  const known = operationNamed(name, OPERATION_IDS);
  if (known !== undefined) return known;
  const meant = closestOperationId(name, OPERATION_IDS);
  throw usageError(
    `--operation: no operation "${name}"`,
    ...(meant === undefined ? [] : [`service-sim requests --operation ${meant}`]),
    "service-sim operations    lists them",
  );
};

const withOperation = (invocation: Invocation, operation: string): Invocation => ({
  ...invocation,
  options: { ...invocation.options, operation },
});

export const command: Command = {
  name: "requests",
  summary: "show the last API calls, or one of them with its bodies",
  operands: "[id]",
  options: [
    ...CLIENT_OPTIONS,
    filter("--status <code>", "show only this status: 409, or 4xx"),
    {
      ...filter("--operation <name>", "show only this operation: createQuote"),
      completes: OPERATION_IDS,
    },
    filter("--method <method>", "show only this method: POST"),
    filter("--limit <n>", "show this many, up to 100 (default: 20)"),
    filter("--cursor <text>", "continue after the page that printed this cursor"),
    filter("--whole", "with an id: print whole bodies, up to the log's limit"),
    filter("--follow", "print each call as it is answered, until stopped"),
    filter("--all", "with --follow: print webhooks and timers too"),
    filter("--verbose", "with --follow: print calls of the control surface too"),
  ],
  examples: [
    "service-sim requests",
    "service-sim requests --status 4xx --limit 5",
    "service-sim requests req-1-1",
  ],
  run: async (invocation, terminal) => {
    const [id] = invocation.args;
    const { follow, all, verbose, whole } = invocation.options;
    if (whole === true && id === undefined)
      throw usageError("--whole needs an id", "service-sim requests req-1-1 --whole");
    const { client } = findInstance(invocation);
    if (follow === true) {
      if (id !== undefined)
        throw usageError("--follow cannot be used with an id", "service-sim requests --follow");
      refuseListOptions(invocation, "--follow");
      return followActivity(client, terminal, {
        isAll: all === true,
        hasControl: verbose === true,
      });
    }
    for (const [flag, value] of Object.entries({ all, verbose }))
      if (value === true)
        throw usageError(`--${flag} needs --follow`, `service-sim requests --follow --${flag}`);
    if (id !== undefined) {
      refuseListOptions(invocation, "an id");
      const bodies = whole === true ? "?bodies=whole" : "";
      const path = `/requests/${encodeURIComponent(id)}${bodies}`;
      const request = await reach(client.get<CallDetails>(path));
      terminal.document(request);
      const lines = formatRequest(request, terminal.style);
      if (request.cut && whole !== true) lines.push("", "--whole shows whole bodies");
      terminal.print(...lines, consoleLine(client, request.id, terminal));
      return EXIT.done;
    }
    const { operation } = invocation.options;
    const known = typeof operation === "string" && operationOf(operation);
    const filtered = known ? withOperation(invocation, known) : invocation;
    const path = `/requests${queryOf(filtered, LIST_OPTIONS)}`;
    const requests = await reach(client.get<LoggedCalls>(path));
    terminal.document(requests);
    const page = pageRequest("requests", LIST_OPTIONS, filtered);
    terminal.print(...formatRequests(requests, page, terminal.style));
    return EXIT.done;
  },
};
