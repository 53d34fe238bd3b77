import type { RequestRow } from "../contract/control/feed-rows.ts";
import { FAULT_CODES, type FaultCode, GENERAL_CODES } from "../contract/core/error-codes.ts";
import { OPERATIONS_OF_ANY_REVISION } from "../contract/operations.ts";
import type { FaultEffect, FaultInput, FaultMatch } from "../contract/platform/faults.ts";
import { parseDuration, showDuration } from "../domain/core/durations.ts";

/** Word for a call of any operation. */
export const ANY_CALL = "any";

/** Ways to fail, in the order of the keys. */
export const WAYS = ["503", "429", "500", "lost", "closed", "5s"] as const;

const PLACES = OPERATIONS_OF_ANY_REVISION.map(({ method, path }) => `${method} ${path}`);

/** Calls that fit the typed text: any, those of the latest requests, then every operation. */
export const callsFor = (sought: string, requests: readonly RequestRow[]): readonly string[] => {
  const latest = requests.flatMap(({ operation }) => operation ?? []);
  const wanted = sought.trim().toLowerCase();
  return [...new Set([ANY_CALL, ...latest, ...PLACES])].filter((call) =>
    call.toLowerCase().includes(wanted),
  );
};

const isCode = (word: string): word is FaultCode => Object.hasOwn(FAULT_CODES, word);

const partOf = (word: string): FaultEffect | undefined => {
  const latencyMs = parseDuration(word);
  if (/^[45][0-9][0-9]$/.test(word)) return { status: Number(word) };
  if (isCode(word.toUpperCase())) return { code: word.toUpperCase() as FaultCode };
  if (word === "lost") return { dropResponse: true };
  if (word === "closed") return { closeSocket: true };
  return latencyMs === undefined ? undefined : { latencyMs };
};

/** The effect that a typed way means, such as `503`, `lost` or `5s 429`; undefined for no way. */
export const effectOf = (how: string): FaultEffect | undefined => {
  const parts = how.trim().split(/\s+/).map(partOf);
  if (parts.includes(undefined)) return undefined;
  const effect: FaultEffect = Object.assign({}, ...parts);
  const { status, code, dropResponse, closeSocket } = effect;
  const ends = [status ?? code, dropResponse, closeSocket].filter((end) => end !== undefined);
  return ends.length > 1 ? undefined : effect;
};

/** Whether a call may be one: what is typed in between is neither an operation nor a path. */
export const isCall = (call: string) => {
  const typed = call.trim();
  return typed === "" || typed.toLowerCase() === ANY_CALL || /\/|^[a-z]+[A-Z]/.test(typed);
};

const matchOf = (call: string): FaultMatch => {
  const typed = call.trim();
  if (typed === "" || typed.toLowerCase() === ANY_CALL) return {};
  return typed.includes("/") ? { path: typed } : { operation: typed };
};

/** Body of POST /_sim/faults for the next call; undefined while the way is none. */
export const faultOf = ({ call, how }: { call: string; how: string }): FaultInput | undefined => {
  const fault = effectOf(how);
  return fault && { match: { ...matchOf(call), times: 1 }, fault };
};

const endWords = ({ status, code, dropResponse, closeSocket }: FaultEffect) => {
  if (dropResponse) return "does the work, loses the answer";
  if (closeSocket) return "closes the connection, does nothing";
  if (status === undefined && code === undefined) return "answers as usual";
  const answered = status ?? (code ? FAULT_CODES[code] : 500);
  return `answers ${answered} ${code ?? GENERAL_CODES[answered] ?? "INTERNAL_ERROR"}`;
};

/** The damage on the way in words, each behind a comma. */
const damageWords = ({ cutAfterBytes, garble, drip }: FaultEffect) =>
  [
    ...(garble ? ["garbled"] : []),
    ...(drip ? [`${drip.bytes} B every ${showDuration(drip.everyMs)}`] : []),
    ...(cutAfterBytes === undefined ? [] : [`cut after ${cutAfterBytes} B`]),
  ]
    .map((words) => `, ${words}`)
    .join("");

/** An effect in words: `waits 5s, then answers as usual`. */
export const effectWords = (effect: FaultEffect): string => {
  const { latencyMs } = effect;
  const end = endWords(effect) + damageWords(effect);
  return latencyMs === undefined ? end : `waits ${showDuration(latencyMs)}, then ${end}`;
};

/** The calls of a fault in words: `the next createQuote`. */
export const callWords = ({ operation, path, nth, times }: FaultMatch): string => {
  const what = operation ?? path ?? "call";
  const first = nth ?? 1;
  if (times === undefined && nth === undefined) return `every ${what}`;
  if (first > 1) return `${what} number ${first}`;
  return times === undefined || times === 1 ? `the next ${what}` : `the next ${times} ${what}`;
};
