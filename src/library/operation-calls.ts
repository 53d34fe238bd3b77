import { closestTo } from "../contract/core/closest.ts";
import { OPERATIONS_OF_ANY_REVISION, type OperationRow } from "../contract/operations.ts";
import { ApiError } from "./api-error.ts";
import { inWords, isObject, isPromise } from "./argument-forms.ts";
import { atCaller } from "./at-caller.ts";
import type { CallOptions, OperationCalls } from "./contract-types.ts";
import { queryText, type ReachedWorld } from "./reached-world.ts";

const PARTS = ["params", "query", "body", "headers", "token"];

/** Deepest level of an input at which a promise is looked for. */
const DEEPEST = 8;

const paramsOf = ({ path }: OperationRow) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);

/** The call as it is written, with the parts that its path and method need. */
const written = (row: OperationRow) => {
  const params = paramsOf(row).map((name) => `${name}: …`);
  const parts = [
    ...(params.length > 0 ? [`params: { ${params.join(", ")} }`] : []),
    ...(["POST", "PUT", "PATCH"].includes(row.method) ? ["body: { … }"] : []),
    ...(row.auth === "T" ? ["token"] : []),
    ...(row.method === "GET" && params.length === 0 ? ["query: { … }"] : []),
  ];
  return `${row.operationId}({ ${parts.join(", ")} })`;
};

/** The place of a promise in an input, as `body.source.accountId`. */
const promiseIn = (value: unknown, at: string, depth = 0): string | undefined => {
  if (isPromise(value)) return at;
  if (depth > DEEPEST || typeof value !== "object" || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const place = promiseIn(member, at === "" ? name : `${at}.${name}`, depth + 1);
    if (place !== undefined) return place;
  }
  return undefined;
};

const isForm = (value: unknown) => Object.prototype.toString.call(value) === "[object FormData]";

/**
 * Checks the input of an operation before it is sent (spec/library.md#arguments).
 * @throws TypeError that names the mistake and the right form
 */
const requireInput = (row: OperationRow, input: unknown) => {
  const { operationId } = row;
  if (isPromise(input))
    throw new TypeError(`Expected the input of ${operationId} but found a promise: await it`);
  if (!isObject(input))
    throw new TypeError(
      `Expected an object as the input of ${operationId} but found ${inWords(input)}: ` +
        `write ${written(row)}`,
    );
  const others = Object.keys(input).filter((name) => !PARTS.includes(name));
  if (others.length > 0)
    throw new TypeError(
      `Expected ${PARTS.join(", ")} in the input of ${operationId} but found ${others.join(", ")}: ` +
        `write ${written(row)}`,
    );
  const place = isForm(input.body) ? undefined : promiseIn(input, "");
  if (place !== undefined)
    throw new TypeError(
      `Expected a value in ${place} of ${operationId} but found a promise: await the call that it comes from`,
    );
};

/** The sentence about a parameter of the path that is not there. */
const missingParam = (row: OperationRow, name: string, params: object): TypeError => {
  const start = `Expected params.${name} of ${row.operationId} but found `;
  if (name in params)
    return new TypeError(
      `${start}${inWords((params as Record<string, unknown>)[name])}: ` +
        "await the call that it comes from, and take it from the reply",
    );
  const names = Object.keys(params);
  const nameList = names.length === 0 ? "none" : names.join(", ");
  const closest = closestTo(name, names);
  const write = closest === undefined ? `write ${written(row)}` : `write ${name} for ${closest}`;
  return new TypeError(`${start}${nameList}: ${write}`);
};

const valueIn = (body: unknown, field: string): { isThere: boolean; value?: unknown } => {
  const [first = "", ...others] = field.split(".");
  if (typeof body !== "object" || body === null || !Object.hasOwn(body, first))
    return { isThere: false };
  const value = (body as Record<string, unknown>)[first];
  return others.length === 0 ? { isThere: true, value } : valueIn(value, others.join("."));
};

/** Adds to a refusal that the field at fault was undefined in the body, as JSON leaves it out. */
const tellUndefined = (error: unknown, body: unknown): unknown => {
  const field = error instanceof ApiError ? error.details.field : undefined;
  if (!(error instanceof ApiError) || typeof field !== "string") return error;
  const { isThere, value } = valueIn(body, field);
  if (isThere && value === undefined)
    error.message += `. body.${field} is undefined: await the call that it comes from`;
  return error;
};

/** Input of any operation. */
interface AnyInput extends CallOptions {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

const ROWS: ReadonlyMap<string, OperationRow> = new Map(
  OPERATIONS_OF_ANY_REVISION.map((row) => [row.operationId, row]),
);

const filled = (row: OperationRow, params: Record<string, string>) =>
  row.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (typeof value !== "string" || value === "") throw missingParam(row, name, params);
    return encodeURIComponent(value);
  });

/**
 * The operation of a name. A slip is refused with the name that was meant; other names, which
 * runtimes and printers ask of any object, are not there.
 */
const rowOf = (name: string): OperationRow | undefined => {
  const row = ROWS.get(name);
  const closest = row ? undefined : closestTo(name, [...ROWS.keys()]);
  if (closest !== undefined)
    throw new TypeError(
      `Expected the name of an operation but found "${name}"; the closest one is ${closest}`,
    );
  return row;
};

const callOf =
  (row: OperationRow, reached: ReachedWorld) =>
  async (input: AnyInput = {}): Promise<unknown> => {
    requireInput(row, input);
    const { params = {}, query, body, headers, token } = input;
    if (row.auth === "T" && token === undefined)
      throw new TypeError(`Expected the token of an agent for ${row.operationId} but found none`);
    const call = {
      called: row.operationId,
      method: row.method,
      path: filled(row, params) + queryText(query),
      body,
      token,
      ...(headers && { headers }),
    };
    return reached.platform(call).catch((error: unknown) => {
      throw tellUndefined(error, body);
    });
  };

/** One function for each operation, made when it is asked for. */
export const operationCalls = (reached: ReachedWorld): OperationCalls =>
  new Proxy({} as OperationCalls, {
    get: atCaller((_target: OperationCalls, name: string | symbol) => {
      const row = typeof name === "string" ? rowOf(name) : undefined;
      return row && atCaller(callOf(row, reached));
    }),
    has: (_target, name) => typeof name === "string" && ROWS.has(name),
  });
