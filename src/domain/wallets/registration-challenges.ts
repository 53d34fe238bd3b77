import { digestHex } from "../../crypto/digest.ts";
import { type Draft, find, instant, type Moment, type View } from "../core/draft.ts";
import { DURATIONS } from "../core/durations.ts";
import { refuse } from "../core/refusal.ts";
import type { UsedChallengeRecord } from "../records/wallet-records.ts";

/**
 * Most challenges that are kept; the oldest are dropped (spec/passkeys.md#registration-challenge).
 */
export const MAX_KEPT_REGISTRATIONS = 100_000;
/** Expired challenges that each new one removes, so that cleaning up never causes a pause. */
const SWEPT_AT_ONCE = 8;

/** Hash of a challenge, kept instead because a challenge may be as long as a body. */
const digestOf = (challenge: string) => digestHex(`registration challenge ${challenge}`);

/**
 * Texts under which one challenge may come. A client signs the text itself or its bytes in
 * base64url, so one attestation fits both (spec/passkeys.md#challenge-text).
 */
const formsOf = (challenge: string) => [
  challenge,
  Buffer.from(challenge, "utf8").toString("base64url"),
  Buffer.from(challenge, "base64url").toString("utf8"),
];

const isForgotten = ({ usedAtMs }: UsedChallengeRecord, atMs: number) =>
  atMs >= usedAtMs + DURATIONS.registrationChallengeKeptMs;

/** Refuses a challenge that has already registered a passkey. */
export const requireUnusedChallenge = (view: View, challenge: string, { atMs }: Moment) => {
  const used = formsOf(challenge)
    .flatMap((form) => find(view, "UsedChallenge", ["byDigest", digestOf(form)]))
    .find((one) => !isForgotten(one, atMs));
  if (used)
    refuse("CHALLENGE_USED", {
      field: "challenge",
      value: challenge,
      usedAt: instant(used.usedAtMs),
    });
};

/**
 * Records that a challenge has registered its passkey, and drops those that are too old or too
 * many.
 */
export const useChallenge = (draft: Draft, challenge: string, moment: Moment) => {
  const kept = draft.ids("UsedChallenge", "all", "");
  for (const id of kept.slice(0, SWEPT_AT_ONCE)) {
    const used = draft.get("UsedChallenge", id);
    if (used && (isForgotten(used, moment.atMs) || kept.length >= MAX_KEPT_REGISTRATIONS))
      draft.del("UsedChallenge", id);
  }
  draft.put("UsedChallenge", {
    id: moment.newId("UsedChallenge"),
    digest: digestOf(challenge),
    usedAtMs: moment.atMs,
  });
};
