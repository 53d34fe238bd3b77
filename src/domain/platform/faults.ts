import {
  closestOperation,
  closestOperationId,
  isParameter,
  leadsTo,
  type NamedOperation,
  operationNamed,
} from "../../contract/closest-operation.ts";
import { API_VERSION } from "../../contract/core/api-version.ts";
import { defined } from "../../contract/core/defined.ts";
import { FAULT_CODES, GENERAL_CODES } from "../../contract/core/error-codes.ts";
import type { FaultEffect, FaultInput, FaultMatch } from "../../contract/platform/faults.ts";
import { digestHex } from "../../crypto/digest.ts";
import { all, type Draft, instant, type Rule, type View } from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";
import type { FaultRecord } from "../records/fault-records.ts";

/** A call of the platform, as a fault looks at it. */
export interface StruckCall {
  operationId: string;
  method: string;
  /** `/quotes/{quoteId}`. */
  template: string;
  /** As it was called. */
  path: string;
}

/** `POST /quotes` with its method, `/quotes` without one. */
const placeOf = (wanted: string) => {
  const [first = "", rest] = wanted.split(" ");
  return rest === undefined ? { path: first } : { method: first, path: rest };
};

/** A parameter fits by its place alone: `/cards/{id}` is `/cards/{cardId}`. */
const fitsPath = (wanted: string, { method, template, path }: StruckCall) => {
  const place = placeOf(wanted);
  if (place.method !== undefined && place.method !== method) return false;
  if (place.path === path) return true;
  const [asked, parts, segments] = [place.path, template, path].map((one) => one.split("/"));
  return (
    asked?.length === parts?.length &&
    asked?.every((one, at) =>
      isParameter(one) ? isParameter(parts?.[at]) : one === segments?.[at],
    ) === true
  );
};

/** Whether a fault is for a call at an instant; how often it strikes is another question. */
export const fits = ({ match }: FaultRecord, call: StruckCall, atMs: number): boolean => {
  const { operation, path, from, until } = match;
  if (operation !== undefined && operation !== call.operationId) return false;
  if (path !== undefined && !fitsPath(path, call)) return false;
  if (from !== undefined && atMs < Date.parse(from)) return false;
  return until === undefined || atMs < Date.parse(until);
};

const DRAW_HEX = 12;
const DRAW_RANGE = 16 ** DRAW_HEX;

/** The same world and the same calls draw the same: a run repeats exactly. */
const draw = (seed: string, id: string, count: number) =>
  Number.parseInt(digestHex(`fault ${seed} ${id} ${count}`).slice(0, DRAW_HEX), 16) / DRAW_RANGE;

/** Whether the nth call that fits is struck; the first is 1. */
export const strikes = (
  { id, match }: FaultRecord,
  { seed, count }: { seed: string; count: number },
): boolean => {
  const { nth, times, probability } = match;
  const first = nth ?? 1;
  const last =
    times === undefined && nth === undefined ? Number.POSITIVE_INFINITY : first + (times ?? 1) - 1;
  if (count < first || count > last) return false;
  return probability === undefined || draw(seed, id, count) < probability;
};

/** The error a fault answers with; nothing when it answers none. */
export const errorOf = ({ status, code }: FaultEffect) => {
  if (status === undefined && code === undefined) return undefined;
  const answered = status ?? (code ? FAULT_CODES[code] : 500);
  return { status: answered, code: code ?? GENERAL_CODES[answered] ?? "INTERNAL_ERROR" };
};

const windowOf = (
  { from, until }: FaultMatch,
  { spanMs, atMs }: { spanMs: number | undefined; atMs: number },
) => {
  if (spanMs === undefined) return {};
  if (until !== undefined)
    return refuse("INVALID_INPUT", { field: "match.for" }, "Expected one of until and for");
  return { until: instant((from === undefined ? atMs : Date.parse(from)) + spanMs) };
};

interface NewFault {
  body: FaultInput;
  operations: readonly NamedOperation[];
  spanMs: number | undefined;
}

const hint = (closest: string | undefined) =>
  closest === undefined ? "" : `; the closest one is ${closest}`;

/** The operationId of a name that may be spelled another way. */
const requireOperation = (name: string, operations: readonly NamedOperation[]) => {
  const ids = operations.map(({ operationId }) => operationId);
  const closest = hint(closestOperationId(name, ids));
  return (
    operationNamed(name, ids) ??
    refuse(
      "INVALID_INPUT",
      { field: "match.operation", value: name },
      `No operation is called ${name}${closest}`,
    )
  );
};

const VERSIONED = new RegExp(`^([A-Z]+ )?/${API_VERSION}/`);

/** A place as clients call it may begin with the version, which operations do without. */
const withoutVersion = (wanted: string) => wanted.replace(VERSIONED, "$1/");

/**
 * The place of a fault, without the version. Refuses one that leads nowhere: it would strike
 * nothing, and nobody would know why.
 */
const requirePath = (wanted: string, operations: readonly NamedOperation[]): string => {
  const place = withoutVersion(wanted);
  const { method, path } = placeOf(place);
  const isCalled = (one: NamedOperation) => method === undefined || method === one.method;
  if (operations.some((one) => isCalled(one) && leadsTo(path, one))) return place;
  const closest = hint(closestOperation({ method, path }, operations));
  return refuse(
    "INVALID_INPUT",
    { field: "match.path", value: wanted },
    `No operation is at ${wanted}${closest}`,
  );
};

/**
 * POST /_sim/faults: switches a fault on. Refuses an operation or a path that there is not.
 * @param input.operations what the platform can be asked for
 * @param input.spanMs how long it counts, from `from` on or from now, simulated milliseconds
 */
export const addFault: Rule<NewFault, FaultRecord> = (
  draft,
  { body, operations, spanMs },
  moment,
) => {
  const { match = {}, fault } = body;
  const { operation: name, path: called, for: _span, ...rest } = match;
  const operation = name === undefined ? undefined : requireOperation(name, operations);
  const path = called === undefined ? undefined : requirePath(called, operations);
  const record: FaultRecord = {
    id: moment.newId("Fault"),
    match: {
      ...defined({ operation, path }),
      ...rest,
      ...windowOf(match, { spanMs, atMs: moment.atMs }),
    },
    fault,
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  };
  draft.put("Fault", record);
  return record;
};

/** Fault switches that are on, oldest first: of several that strike one call, the first does. */
export const faultsOf = (view: View): readonly FaultRecord[] => all(view, "Fault");

/** Switches faults off. @returns how many */
export const clearFaults = (draft: Draft, ids: readonly string[]): { cleared: number } => {
  for (const id of ids) draft.del("Fault", id);
  return { cleared: ids.length };
};
