import { closestTo } from "../contract/core/closest.ts";
import { OPERATIONS, type OperationRow } from "../contract/operations.ts";
import { atCaller } from "./at-caller.ts";
import type { CallOptions, OperationCalls } from "./contract-types.ts";
import { missingParam, requireInput, tellUndefined } from "./operation-input.ts";
import { queryText, type ReachedWorld } from "./reached-world.ts";

/** Input of any operation. */
interface AnyInput extends CallOptions {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

const ROWS: ReadonlyMap<string, OperationRow> = new Map(
  OPERATIONS.map((row) => [row.operationId, row]),
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
    const asked = {
      called: row.operationId,
      method: row.method,
      path: filled(row, params) + queryText(query),
      body,
      token,
      ...(headers && { headers }),
    };
    return reached.platform(asked).catch((error: unknown) => {
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
