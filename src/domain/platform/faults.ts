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
import { faultCodeIn } from "../../contract/core/renamed-codes.ts";
import type { Revision } from "../../contract/core/revision-names.ts";
import type { FaultEffect, FaultInput, FaultMatch } from "../../contract/platform/faults.ts";
import { digestHex } from "../../crypto/digest.ts";
import { all, type Draft, instant, type Rule, type View } from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";
import type { FaultRecord } from "../records/fault-records.ts";

/** A call of the platform, as a fault matches it. */
export interface StruckCall {
  operationId: string;
  method: string;
  /** `/quotes/{quoteId}`. */
  template: string;
  /** The path as it was called. */
  path: string;
}

/** Splits a place: `POST /quotes` has a method, `/quotes` none. */
const placeOf = (wanted: string) => {
  const [first = "", rest] = wanted.split(" ");
  return rest === undefined ? { path: first } : { method: first, path: rest };
};

/** Whether a path matches; parameters match by position, so `/cards/{id}` is `/cards/{cardId}`. */
const fitsPath = (wanted: string, { method, template, path }: StruckCall) => {
  const place = placeOf(wanted);
  if (place.method !== undefined && place.method !== method) return false;
  if (place.path === path) return true;
  const [wantedParts, parts, segments] = [place.path, template, path].map((text) =>
    text.split("/"),
  );
  return (
    wantedParts?.length === parts?.length &&
    wantedParts?.every((wantedPart, at) =>
      isParameter(wantedPart) ? isParameter(parts?.[at]) : wantedPart === segments?.[at],
    ) === true
  );
};

/** Whether a fault matches a call at an instant, apart from how often it strikes. */
export const fits = ({ match }: FaultRecord, call: StruckCall, atMs: number): boolean => {
  const { operation, path, from, until } = match;
  if (operation !== undefined && operation !== call.operationId) return false;
  if (path !== undefined && !fitsPath(path, call)) return false;
  if (from !== undefined && atMs < Date.parse(from)) return false;
  return until === undefined || atMs < Date.parse(until);
};

const DRAW_HEX = 12;
const DRAW_RANGE = 16 ** DRAW_HEX;

/** Draws a number from the seed, so that a repeated run draws the same ones. */
const draw = (seed: string, id: string, count: number) =>
  Number.parseInt(digestHex(`fault ${seed} ${id} ${count}`).slice(0, DRAW_HEX), 16) / DRAW_RANGE;

/** Whether a fault strikes the nth matching call, counting from 1. */
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

/** Bytes that are in no UTF-8 text, so that a garbled body is never JSON. */
const GARBAGE = [0xff, 0xfe, 0xc0, 0xc1, 0xf5, 0xf6, 0xf7, 0xf8] as const;
/** One byte of this number is replaced. */
const GARBLED_SHARE = 4;
/** Hex digits of one digest. */
const DIGEST_HEX = 64;

/**
 * The bytes of a body with some replaced, the first always (spec/faults.md#damaged-answers). The
 * same body under the same seed, fault and count gives the same bytes.
 */
export const garbled = (
  body: Uint8Array,
  { seed, id, count }: { seed: string; id: string; count: number },
): Uint8Array => {
  const spoiled = Uint8Array.from(body);
  let drawn = "";
  for (let at = 0; at < spoiled.length; at += 1) {
    const place = (at * 2) % DIGEST_HEX;
    if (place === 0) drawn = digestHex(`garble ${seed} ${id} ${count} ${at}`);
    const byte = Number.parseInt(drawn.slice(place, place + 2), 16);
    if (at === 0 || byte % GARBLED_SHARE === 0)
      spoiled[at] = GARBAGE[(byte >> 2) % GARBAGE.length] as number;
  }
  return spoiled;
};

/** The error that a fault answers with; nothing when it answers none. */
export const errorOf = ({ status, code }: FaultEffect, revision: Revision) => {
  if (status === undefined && code === undefined) return undefined;
  const answered = status ?? (code ? FAULT_CODES[code] : 500);
  const named = code ?? GENERAL_CODES[answered] ?? "INTERNAL_ERROR";
  return { status: answered, code: faultCodeIn(revision, named) };
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

/** The operationId for a name, which may be spelled differently. */
const requireOperation = (name: string, operations: readonly NamedOperation[]) => {
  const ids = operations.map(({ operationId }) => operationId);
  const closest = hint(closestOperationId(name, ids));
  return (
    operationNamed(name, ids) ??
    refuse(
      "INVALID_INPUT",
      { field: "match.operation", value: name },
      `No operation ${name}${closest}`,
    )
  );
};

const VERSIONED = new RegExp(`^([A-Z]+ )?/${API_VERSION}/`);

/** A place without the version, which clients send and operations leave out. */
const withoutVersion = (wanted: string) => wanted.replace(VERSIONED, "$1/");

/**
 * The place of a fault, without the version. Refuses a place that matches no operation, because
 * such a fault would never strike.
 */
const requirePath = (wanted: string, operations: readonly NamedOperation[]): string => {
  const place = withoutVersion(wanted);
  const { method, path } = placeOf(place);
  const isCalled = (operation: NamedOperation) =>
    method === undefined || method === operation.method;
  if (operations.some((operation) => isCalled(operation) && leadsTo(path, operation))) return place;
  const closest = hint(closestOperation({ method, path }, operations));
  return refuse(
    "INVALID_INPUT",
    { field: "match.path", value: wanted },
    `No operation at ${wanted}${closest}`,
  );
};

/**
 * POST /_sim/faults: switches a fault on. Refuses an unknown operation or path.
 * @param input.operations operations of the platform
 * @param input.spanMs time for which it counts, from `from` or from now, in simulated milliseconds
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

/** Fault switches that are on, oldest first; the first that matches a call strikes it. */
export const faultsOf = (view: View): readonly FaultRecord[] => all(view, "Fault");

/**
 * Switches faults off.
 * @returns the number switched off
 */
export const clearFaults = (draft: Draft, ids: readonly string[]): { cleared: number } => {
  for (const id of ids) draft.del("Fault", id);
  return { cleared: ids.length };
};
