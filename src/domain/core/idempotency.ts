import { digestHex } from "../../crypto/digest.ts";
import type { ReplayRecord } from "../records/records.ts";
import { canonicalJson } from "./canonical-json.ts";
import type { Draft, Moment, View } from "./draft.ts";
import { DURATIONS } from "./durations.ts";

/** Largest number of stored answers; the oldest go first (spec/idempotency.md#retention). */
export const MAX_KEPT_ANSWERS = 100_000;
/** Expired answers removed with each new one, so that sweeping never causes a pause. */
const SWEPT_AT_ONCE = 8;

/**
 * Key of a stored answer: caller, method, concrete path and idempotency key
 * (spec/idempotency.md#scope).
 */
export const replayKey = (call: { caller: string; method: string; path: string; key: string }) =>
  `${call.caller} ${call.method} ${call.path} ${call.key}`;

const DIGEST_HEX = 32;

/**
 * Digest of a body for later comparison; the order of members does not count
 * (spec/idempotency.md#another-body).
 */
export const bodyDigest = (body: unknown) => digestHex(canonicalJson(body)).slice(0, DIGEST_HEX);

/** The request whose answer was replayed, and whether its body differed. */
export interface ReplayReference {
  /** `req-<start>-<n>`. */
  of: string;
  bodyDiffered?: true;
}

/** Replay of a stored answer; `undefined` if an older version stored it without this data. */
export const replayOf = (
  { requestId, bodyDigest: first }: ReplayRecord,
  body: unknown,
): ReplayReference | undefined => {
  if (requestId === undefined || first === undefined) return undefined;
  return { of: requestId, ...(first !== bodyDigest(body) && { bodyDiffered: true as const }) };
};

/**
 * Answers that are stored: 2xx except 202, and 4xx except 401 (spec/idempotency.md#stored-answers).
 */
export const isStored = (status: number) => status < 500 && status !== 202 && status !== 401;

const isExpired = ({ atMs }: ReplayRecord, nowMs: number) =>
  nowMs >= atMs + DURATIONS.idempotencyKeptMs;

/** The first answer under a key, if it is still kept (spec/idempotency.md#replay). */
export const storedAnswer = (view: View, key: string, nowMs: number): ReplayRecord | undefined => {
  const id = view.ids("Replay", "byKey", key).at(-1);
  const replay = id === undefined ? undefined : view.get("Replay", id);
  return replay && !isExpired(replay, nowMs) ? replay : undefined;
};

/** Stores an answer, and drops answers that are too old or too many. */
export const storeAnswer = (
  draft: Draft,
  answer: Omit<ReplayRecord, "id" | "atMs">,
  moment: Moment,
) => {
  const kept = draft.ids("Replay", "all", "");
  for (const id of kept.slice(0, SWEPT_AT_ONCE)) {
    const replay = draft.get("Replay", id);
    if (replay && (isExpired(replay, moment.atMs) || kept.length >= MAX_KEPT_ANSWERS))
      draft.del("Replay", id);
  }
  draft.put("Replay", { id: moment.newId("Replay"), atMs: moment.atMs, ...answer });
};
