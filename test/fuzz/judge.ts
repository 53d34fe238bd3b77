import { type CheckedDocument, checkWith } from "../setup/openapi-check.ts";
import type { DescribedOperation, FuzzedDocument } from "./described-operations.ts";
import type { Exchange, WireAnswer } from "./wire.ts";

/** One of the requests in the bytes that were sent. */
export interface Asked {
  method: string;
  /** As it is sent, below the base of its surface. */
  target: string;
}

/** Rules that the answers of a sending must keep. */
export interface Expected {
  operation: DescribedOperation;
  asked: readonly Asked[];
  /**
   * `whole`: well-formed requests, each with an answer. `broken`: bytes that may be no HTTP.
   * `cut`: requests of which the last is incomplete.
   */
  framing: "whole" | "broken" | "cut";
  /** The caller may be kept waiting, so that a late answer is none of the findings. */
  mayWait: boolean;
  /** An earlier call, which was broken off, may be under way in the same world. */
  isBesideAnother?: boolean;
}

const checks = new WeakMap<FuzzedDocument, ReturnType<typeof checkWith>>();

const checkOf = (document: FuzzedDocument) => {
  const check = checks.get(document) ?? checkWith(document.whole as never as CheckedDocument);
  checks.set(document, check);
  return check;
};

/** Statuses of answers to what is no HTTP request (spec/errors.md#malformed-requests). */
const MALFORMED = new Set([400, 408, 413, 431]);

interface ErrorBody {
  status?: number;
  code?: string;
  message?: string;
  reason?: string;
  error?: ErrorBody;
}

const parsed = ({ headers, body }: WireAnswer): unknown => {
  if (!headers["content-type"]?.startsWith("application/json")) return body;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

const errorIn = (body: unknown): ErrorBody => {
  const error = (typeof body === "object" && body !== null ? body : {}) as ErrorBody;
  return error.error ?? error;
};

/** Errors of the control surface have no status beside the answer's own. */
const isError = ({ status = 0, code, message }: ErrorBody, answer: WireAnswer) =>
  [0, answer.status].includes(status) && typeof code === "string" && typeof message === "string";

/** Answers of no operation, which no document has: unknown paths and methods. */
const isOfNoOperation = ({ code, reason }: ErrorBody, { status }: WireAnswer) =>
  (status === 404 && reason === "UNKNOWN_OPERATION") ||
  (status === 405 && code === "METHOD_NOT_ALLOWED");

/** Replies that no world takes, which have no request id (spec/errors.md#response-headers). */
const isOfNoWorld = ({ code, reason }: ErrorBody, { status }: WireAnswer, target: string) =>
  (status === 404 && reason === "UNKNOWN_OPERATION" && isElsewhere(target)) ||
  (status === 400 && code === "INVALID_REQUEST_FORMAT" && target.includes("%"));

/** A target below neither surface: a lane's own targets begin below one. */
const isElsewhere = (target: string) => !/^\/(?!\/)/.test(target);

/** An answer that comes from the socket itself, before any operation is known. */
const isOfTheSocket = (answer: WireAnswer) =>
  MALFORMED.has(answer.status) && answer.headers["x-sim-request-id"] === undefined;

/** A refusal of a call whose world another call replaced meanwhile (spec/errors.md). */
const IS_REPLACED = /reset or reloaded during the call$/;

const serverProblem = (
  { status }: WireAnswer,
  { code, reason, message = "" }: ErrorBody,
  { isBesideAnother = false }: Partial<Expected>,
) => {
  if (status < 500 || status === 501) return undefined;
  if (status === 503 && reason === "WORLDS_FULL") return undefined;
  if (status === 503 && isBesideAnother && IS_REPLACED.test(message)) return undefined;
  return `the server failed with ${status} ${code ?? ""} "${message}"`;
};

const mediaProblem = ({ status, headers }: WireAnswer, { contentTypes }: DescribedOperation) => {
  const type = headers["content-type"]?.split(";")[0];
  const declared = contentTypes[status];
  if (type === undefined || declared === undefined || declared.includes(type)) return undefined;
  return `the content type ${type} is not documented`;
};

/** Finds the first rule that an answer of a well-formed request breaks. */
export const answerProblem = (
  { operation, ...beside }: Pick<Expected, "operation" | "isBesideAnother">,
  { method, target }: Asked,
  answer: WireAnswer,
): string | undefined => {
  const isHead = method === "HEAD";
  const body = isHead ? "" : parsed(answer);
  const error = errorIn(body);
  if (answer.status === 0) return "the answer is no HTTP";
  if (body === undefined) return `the body of ${answer.status} is no JSON`;
  const failed = serverProblem(answer, error, beside);
  if (failed) return failed;
  if (!isOfNoWorld(error, answer, target) && answer.headers["x-sim-request-id"] === undefined)
    return "x-sim-request-id is missing";
  if (answer.status >= 400 && !isHead && !isError(error, answer))
    return `the error of ${answer.status} has no status, code and message of its own`;
  if (isOfNoOperation(error, answer) || (isHead && [404, 405].includes(answer.status)))
    return undefined;
  const path = meantTarget(operation.base, target);
  const isAsMeant = path === target && method === operation.method;
  const media = isAsMeant ? mediaProblem(answer, operation) : undefined;
  if (media) return media;
  if (isHead || answer.isStream || path === undefined) return undefined;
  return checkOf(operation.document)({ method, path }, { status: answer.status, body });
};

const DOTS = /^(\.|%2e){1,2}$/i;

/**
 * The target that dot segments lead to, also encoded ones, below the base of a surface; nothing
 * where they lead out of it.
 */
const meantTarget = (base: string, target: string) => {
  if (!target.split("/").some((part) => DOTS.test(part.split("?")[0] ?? ""))) return target;
  const { pathname } = new URL(base + target, "http://simulator");
  return pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : undefined;
};

const socketProblem = (answer: WireAnswer) => {
  const body = parsed(answer);
  return isError(errorIn(body), answer)
    ? undefined
    : `the socket's own ${answer.status} has no status, code and message`;
};

/** Finds every rule that the answers to a sending break. */
export const problemsOf = (expected: Expected, exchange: Exchange): string[] => {
  const { asked, framing, mayWait } = expected;
  const { answers, isLate, isClosed, rest } = exchange;
  const isStream = answers.some((answer) => answer.isStream);
  const problems = answers.flatMap((answer, at) => {
    if (framing !== "whole" && isOfTheSocket(answer)) return socketProblem(answer) ?? [];
    const request = asked[at] ?? asked.at(-1);
    return (request && answerProblem(expected, request, answer)) ?? [];
  });
  if (isLate && !mayWait) problems.push("no answer came, and the connection stayed open");
  if (framing === "whole" && !isLate && !isStream && answers.length < asked.length)
    problems.push(`the connection closed after ${answers.length} of ${asked.length} answers`);
  if (framing === "whole" && answers.length > asked.length)
    problems.push(`${answers.length} answers came to ${asked.length} requests`);
  if (rest !== "" && !isStream && !(isLate && mayWait) && !isClosed)
    problems.push(`bytes came behind the answers: ${JSON.stringify(rest)}`);
  return problems;
};
