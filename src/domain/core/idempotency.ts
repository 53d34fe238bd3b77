import { digestHex } from "../../crypto/digest.ts";
import type { ReplayRecord } from "../records/records.ts";
import { canonicalJson } from "./canonical-json.ts";
import type { Draft, Moment, View } from "./draft.ts";
import { DURATIONS } from "./durations.ts";

/** Answers kept at most; the oldest go first (MECHANISMS 8). */
const MAX_KEPT = 100_000;
/** Expired answers taken away with each new one, so that sweeping never costs a pause. */
const SWEPT_AT_ONCE = 8;

/**
 * What an idempotency key belongs to: the caller, the method and the concrete path, so that the
 * same key on another quote is another key (decisions, Idempotency).
 */
export const replayKey = (call: { caller: string; method: string; path: string; key: string }) =>
  `${call.caller} ${call.method} ${call.path} ${call.key}`;

const DIGEST_HEX = 32;

/** Digest that tells two bodies apart later; the order of members does not count. */
export const bodyDigest = (body: unknown) => digestHex(canonicalJson(body)).slice(0, DIGEST_HEX);

/** The request whose answer was given again, and whether its body differed. */
export interface Replayed {
  /** `req-<start>-<n>`. */
  of: string;
  bodyDiffered?: true;
}

/** Nothing where the answer was stored by a version that did not keep this. */
export const replayOf = (
  { requestId, bodyDigest: first }: ReplayRecord,
  body: unknown,
): Replayed | undefined => {
  if (requestId === undefined || first === undefined) return undefined;
  return { of: requestId, ...(first !== bodyDigest(body) && { bodyDiffered: true as const }) };
};

/** Answers that are stored: 2xx except 202, and 4xx except 401. */
export const isStored = (status: number) => status < 500 && status !== 202 && status !== 401;

const isExpired = ({ atMs }: ReplayRecord, nowMs: number) =>
  nowMs >= atMs + DURATIONS.idempotencyKeptMs;

/** The first answer under a key, if it is still kept. */
export const storedAnswer = (view: View, key: string, nowMs: number): ReplayRecord | undefined => {
  const id = view.ids("Replay", "byKey", key).at(-1);
  const replay = id === undefined ? undefined : view.get("Replay", id);
  return replay && !isExpired(replay, nowMs) ? replay : undefined;
};

/** Keeps an answer, and forgets what is too old or too much. */
export const storeAnswer = (
  draft: Draft,
  answer: Omit<ReplayRecord, "id" | "atMs">,
  moment: Moment,
) => {
  const kept = draft.ids("Replay", "all", "");
  for (const id of kept.slice(0, SWEPT_AT_ONCE)) {
    const replay = draft.get("Replay", id);
    if (replay && (isExpired(replay, moment.atMs) || kept.length >= MAX_KEPT))
      draft.del("Replay", id);
  }
  draft.put("Replay", { id: moment.newId("Replay"), atMs: moment.atMs, ...answer });
};
