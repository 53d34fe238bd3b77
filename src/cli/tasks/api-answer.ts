import { STATUS_CODES } from "node:http";
import { CommandError, EXIT } from "../frame/command.ts";
import type { Style, Terminal } from "../text/terminal.ts";
import { type ApiField, looksLikeJson } from "./api-fields.ts";
import { jsonOfAnswer, type RawAnswer } from "./platform-client.ts";

const isEmpty = (value: object) => Object.keys(value).length === 0;

const scalar = (value: unknown, { color }: Style) => {
  const text = JSON.stringify(value);
  if (typeof value === "string") return color.green(text);
  return value === null ? color.dim(text) : color.yellow(text);
};

/** Joins the entries of an object or list, one a line and indented. */
const block = (brackets: readonly [string, string], entries: readonly string[], indent: string) =>
  [
    brackets[0],
    entries.map((entry) => `${indent}  ${entry}`).join(",\n"),
    indent + brackets[1],
  ].join("\n");

/** JSON for a terminal: two spaces of indent, names and values in color. */
const prettyJson = (value: unknown, style: Style, indent = ""): string => {
  if (typeof value !== "object" || value === null) return scalar(value, style);
  if (isEmpty(value)) return Array.isArray(value) ? "[]" : "{}";
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item) => prettyJson(item, style, deeper));
    return block(["[", "]"], items, indent);
  }
  const members = Object.entries(value).map(
    ([name, member]) =>
      `${style.color.cyan(JSON.stringify(name))}: ${prettyJson(member, style, deeper)}`,
  );
  return block(["{", "}"], members, indent);
};

interface Identified {
  id?: unknown;
  data?: unknown;
}

/** Ids that an answer is about: of its record, or of the records of its list. */
export const idsIn = (json: unknown): string[] | undefined => {
  if (typeof json !== "object" || json === null) return undefined;
  const { id, data } = json as Identified;
  if (typeof id === "string") return [id];
  if (!Array.isArray(data)) return undefined;
  const ids = data.map((one) => (one as Identified | null)?.id);
  return ids.every((one) => typeof one === "string") ? ids : undefined;
};

/** The member at a path such as `data[0].id`; undefined when there is none. */
export const memberAt = (json: unknown, path: string): unknown => {
  let value: unknown = json;
  for (const name of path.replace(/\[(\d+)\]/g, ".$1").split(".")) {
    const isParent = typeof value === "object" && value !== null && Object.hasOwn(value, name);
    if (!isParent) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
};

const headerRows = ({ rawHeaders }: RawAnswer) =>
  rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ""]] : []));

const statusLine = ({ httpVersion, status }: RawAnswer) =>
  `HTTP/${httpVersion} ${status} ${STATUS_CODES[status] ?? ""}`.trimEnd();

/** The status line and the headers, as HTTP writes them, with an empty line after them. */
export const headLines = (answer: RawAnswer, { color }: Style): string[] => [
  (answer.status < 400 ? color.green : color.red)(statusLine(answer)),
  ...headerRows(answer).map(([name = "", value]) => `${color.dim(`${name}:`)} ${value}`),
  "",
];

interface PrintOptions {
  withHead: boolean;
  /** The member to print alone. */
  pick: string | undefined;
  /** Prints for a person although it is no terminal. */
  isColored: boolean;
}

const printPicked = (json: unknown, pick: string, terminal: Terminal) => {
  const value = memberAt(json, pick);
  if (value === undefined)
    throw new CommandError(
      { code: "NO_MEMBER", exitCode: EXIT.notDone },
      `the answer has no ${pick}`,
      [],
    );
  terminal.document(value);
  if (!terminal.json) terminal.answer(typeof value === "string" ? value : JSON.stringify(value));
};

const printDocument = (answer: RawAnswer, { withHead }: PrintOptions, terminal: Terminal) => {
  const body = jsonOfAnswer(answer) ?? (answer.body.length > 0 ? answer.body.toString() : null);
  const { status, headers } = answer;
  terminal.document(withHead ? { status, headers, body } : body);
};

const printBody = (answer: RawAnswer, { isColored }: PrintOptions, terminal: Terminal) => {
  const json = jsonOfAnswer(answer);
  if (json !== undefined && (terminal.isTerminal || isColored))
    terminal.show(prettyJson(json, terminal.style).split("\n"));
  else terminal.exact(answer.body);
};

/**
 * Prints an answer: for a person in lines and colors, into a pipe byte for byte.
 */
export const printAnswer = (answer: RawAnswer, options: PrintOptions, terminal: Terminal) => {
  const json = jsonOfAnswer(answer);
  const { pick } = options;
  if (pick !== undefined && answer.status < 400) return printPicked(json, pick, terminal);
  if (terminal.json) return printDocument(answer, options, terminal);
  const ids = terminal.quiet && answer.status < 400 ? idsIn(json) : undefined;
  if (ids) {
    for (const id of ids) terminal.answer(id);
    return undefined;
  }
  if (options.withHead) terminal.show(headLines(answer, terminal.style));
  return printBody(answer, options, terminal);
};

interface RefusalBody {
  code?: string;
  message?: string;
  details?: { field?: string; closest?: string };
}

const nextSteps = (
  { details }: RefusalBody,
  { status }: RawAnswer,
  fields: readonly ApiField[],
): string[] => {
  const steps: string[] = [];
  const mistyped = fields.find((field) => field.path === details?.field && looksLikeJson(field));
  if (mistyped) steps.push(`${mistyped.path}:=${mistyped.value}    sends JSON; = sends text`);
  if (details?.closest !== undefined) steps.push(`service-sim api ${details.closest}`);
  if (status === 401)
    steps.push("-H 'authorization: Bearer <accessToken>'    signs in as an agent");
  return steps;
};

/** The failure of a refused call; the sentence is the platform's. */
export const refusalOf = (
  answer: RawAnswer,
  fields: readonly ApiField[],
): CommandError | undefined => {
  if (answer.status < 400) return undefined;
  const refused = (jsonOfAnswer(answer) ?? {}) as RefusalBody;
  const says = [`${answer.status}`, refused.code, refused.message && `: ${refused.message}`];
  return new CommandError(
    { code: refused.code ?? "REFUSED", exitCode: EXIT.notDone },
    says.filter(Boolean).join(" ").replace(" :", ":"),
    nextSteps(refused, answer, fields),
  );
};
