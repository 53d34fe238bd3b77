import { isParameter, operationNamed } from "../../contract/closest-operation.ts";
import { API_VERSION } from "../../contract/core/api-version.ts";
import { closestTo } from "../../contract/core/closest.ts";
import { OPERATIONS_OF_ANY_REVISION, type OperationRow } from "../../contract/operations.ts";
import { usageError } from "../frame/command.ts";
import { type ApiField, fieldOf, isField } from "./api-fields.ts";

/** A call of the platform as it was typed. */
export interface ApiCall {
  method: string;
  /** Below the version: `/quotes/…8e4b17/execute`, perhaps with a query. */
  path: string;
  fields: readonly ApiField[];
}

/** Methods of the platform. */
export const METHODS = ["GET", "POST", "PATCH", "PUT", "DELETE"] as const;

const LISTS = "service-sim operations    lists them";

/** Whether fields of a method are its query, since it takes no body. */
export const isWithoutBody = (method: string) => method === "GET" || method === "DELETE";

const unknownWord = (word: string) => {
  const ids = OPERATIONS_OF_ANY_REVISION.map(({ operationId }) => operationId);
  const meant = closestTo(word, [...METHODS, ...ids]);
  return usageError(
    `no method or operation "${word}"`,
    ...(meant === undefined ? [] : [`service-sim api ${meant}`]),
    LISTS,
  );
};

/** The origin of a URL that was pasted whole, and the rest of it. */
const ORIGIN = /^https?:\/\/[^/]+/i;

/** A path without the origin of the simulator and without the version. */
export const pathBelowVersion = (pathOrUrl: string, url: string): string => {
  const origin = ORIGIN.exec(pathOrUrl)?.[0];
  if (origin !== undefined && new URL(origin).origin !== new URL(url).origin)
    throw usageError(
      `Expected a path of ${url} but found ${origin}`,
      `service-sim api GET /config --url ${origin}`,
    );
  const path = `/${pathOrUrl.slice(origin?.length ?? 0).replace(/^\/+/, "")}`;
  if (/^\/_sim(\/|$)/.test(path))
    throw usageError(
      "Expected a path of the platform but found one of the control surface",
      "service-sim reference    lists the control calls and the commands for them",
    );
  const versioned = `/${API_VERSION}`;
  return path === versioned || path.startsWith(`${versioned}/`)
    ? path.slice(versioned.length) || "/"
    : path;
};

const parametersIn = (path: string) =>
  path
    .split("/")
    .filter(isParameter)
    .map((part) => part.slice(1, -1));

/** Fills `{quoteId}` of a path: from the field of that name, else from the words in order. */
const filled = (
  { method, path, called }: { method: string; path: string; called: string },
  operands: readonly string[],
): ApiCall => {
  let words = [...operands];
  const values = new Map<string, string>();
  for (const name of parametersIn(path)) {
    const at = words.findIndex((word) => word.startsWith(`${name}=`));
    const value = at < 0 ? words[0] : words[at]?.slice(name.length + 1);
    const isGiven = value !== undefined && value !== "" && (at >= 0 || isOperand(value));
    if (!isGiven)
      throw usageError(
        `give the ${name} of ${called}`,
        `service-sim api ${called} ${name}=…    a short id such as …8e4b17 is enough`,
      );
    values.set(name, value);
    words = words.toSpliced(Math.max(at, 0), 1);
  }
  const target = path.replace(/\{([^}]+)\}/g, (_, name: string) =>
    (values.get(name) ?? "").replace(/[%/?#]/g, encodeURIComponent),
  );
  return { method, path: target, fields: words.map(fieldOf) };
};

/** A UMA address holds the `@` of an upload, so only words with `=` are fields here. */
const isOperand = (word: string) => !word.includes("=");

const methodNamed = (word: string) => METHODS.find((method) => method === word.toUpperCase());

const callOfOperation = ({ method, path, operationId }: OperationRow, rest: readonly string[]) =>
  filled({ method, path, called: operationId }, rest);

/** A call without a method reads, or posts when it has members of a body. */
const guessedMethod = (rest: readonly string[], hasData: boolean) =>
  hasData || rest.some((word) => isField(word) && fieldOf(word).kind !== "query") ? "POST" : "GET";

/**
 * Reads the words of a call: a method and a path, a path alone, or the name of an operation, and
 * the fields after it.
 * @param context.url origin of the simulator
 * @param context.hasData whether the body comes from elsewhere
 */
export const apiCallOf = (
  words: readonly string[],
  { url, hasData }: { url: string; hasData: boolean },
): ApiCall => {
  const [first = "", ...rest] = words;
  const method = methodNamed(first);
  if (method === undefined && !first.includes("/")) {
    const ids = OPERATIONS_OF_ANY_REVISION.map(({ operationId }) => operationId);
    const id = operationNamed(first, ids);
    const operation = OPERATIONS_OF_ANY_REVISION.find(({ operationId }) => operationId === id);
    if (operation) return callOfOperation(operation, rest);
    if (OPERATIONS_OF_ANY_REVISION.some(({ path }) => path === `/${first}`))
      return apiCallOf([`/${first}`, ...rest], { url, hasData });
    throw unknownWord(first);
  }
  const [pathOrUrl, fields] = method === undefined ? [first, rest] : [rest[0], rest.slice(1)];
  if (pathOrUrl === undefined)
    throw usageError(`say which path to ${method}`, `service-sim api ${method} /customers`, LISTS);
  const path = pathBelowVersion(pathOrUrl, url);
  const called = method ?? guessedMethod(fields, hasData);
  return filled({ method: called, path, called: `${called} ${path}` }, fields);
};
