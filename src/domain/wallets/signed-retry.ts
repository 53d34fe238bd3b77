import { defined } from "../../contract/core/defined.ts";
import type { SigningChallenge } from "../../contract/wallets/credentials.ts";
import { canonicalJson, changedMembers } from "../core/canonical-json.ts";
import { type Draft, instant, type Moment, type Rule, type View } from "../core/draft.ts";
import { DURATIONS } from "../core/durations.ts";
import { refuse } from "../core/refusal.ts";
import type { RequestRecord } from "../records/wallet-records.ts";
import {
  operationOf,
  type SignedCall,
  type SignedOperation,
  type SigningRequest,
} from "./signed-operations.ts";
import { activityText } from "./wallet-activities.ts";
import { requireWalletSignature } from "./wallet-signatures.ts";

/**
 * The answer to a first call: a challenge in place of the result (spec/signed-retry.md#first-call).
 */
export class Challenged {
  readonly body: SigningChallenge;

  constructor(body: SigningChallenge) {
    this.body = body;
  }
}

/**
 * Most requests that are kept; the oldest that no longer wait are dropped
 * (spec/signed-retry.md#challenge-lifetime).
 */
export const MAX_KEPT_CHALLENGES = 10_000;

const forgetOldest = (draft: Draft, atMs: number) => {
  const ids = draft.ids("Request", "all", "");
  const oldest =
    ids.length < MAX_KEPT_CHALLENGES ? undefined : draft.get("Request", ids.at(0) as string);
  if (oldest && (oldest.usedAtMs !== undefined || atMs >= oldest.expiresAtMs))
    draft.del("Request", oldest.id);
};

/** A request before it has an id; its text may contain that id. */
type NewRequest = Omit<RequestRecord, "id" | "payloadToSign" | "createdAtMs" | "updatedAtMs"> & {
  payloadFor(requestId: string): string;
};

/** Stores a request that waits for its signature or assertion. */
export const keepRequest = (
  draft: Draft,
  { payloadFor, ...request }: NewRequest,
  moment: Moment,
): RequestRecord => {
  const id = moment.newId("Request");
  const kept: RequestRecord = {
    id,
    ...request,
    payloadToSign: payloadFor(id),
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  };
  forgetOldest(draft, moment.atMs);
  draft.put("Request", kept);
  return kept;
};

/** Keeps a request to sign, and makes the answer that asks for the signature. */
export const challenge = (
  draft: Draft,
  { asked, call, body }: { asked: SigningRequest; call: SignedCall; body: unknown },
  moment: Moment,
): Challenged => {
  const { wallet, activity, type, standing, seen, clientPublicKey } = asked;
  const latestMs = moment.atMs + DURATIONS.signedRetryLifetimeMs;
  const request = keepRequest(
    draft,
    {
      operation: operationOf(call),
      body: canonicalJson(body),
      payloadFor: (requestId) => activityText(wallet, activity, { atMs: moment.atMs, requestId }),
      ...(seen && { seen: seen.value }),
      ...defined({ clientPublicKey }),
      expiresAtMs: Math.min(latestMs, standing?.untilMs ?? latestMs),
    },
    moment,
  );
  return new Challenged({
    payloadToSign: request.payloadToSign,
    requestId: request.id,
    expiresAt: instant(request.expiresAtMs),
    ...(type && { type }),
  });
};

/** Refuses a used `Request-Id`, before any other check (spec/signed-retry.md#used-request-id). */
export const requireUnused = (view: View, requestId: string | undefined) => {
  const usedAtMs = requestId === undefined ? undefined : view.get("Request", requestId)?.usedAtMs;
  if (usedAtMs !== undefined)
    refuse("REQUEST_ID_USED", { requestId, check: `it was used at ${instant(usedAtMs)}` });
};

/**
 * Finds the pending request of an operation; refuses an unknown, used or expired one
 * (spec/signed-retry.md#unknown-request-id).
 */
export const pendingRequest = (
  view: View,
  { requestId, operation }: { requestId: string; operation: string },
  { atMs }: Moment,
): RequestRecord => {
  requireUnused(view, requestId);
  const request = view.get("Request", requestId);
  if (!request)
    return refuse("UNKNOWN_REQUEST_ID", { requestId, check: "no challenge has this requestId" });
  if (request.operation !== operation)
    refuse("UNKNOWN_REQUEST_ID", {
      requestId,
      check: `it belongs to ${request.operation}, not to ${operation}`,
    });
  if (atMs >= request.expiresAtMs) {
    const expiresAt = instant(request.expiresAtMs);
    refuse("REQUEST_ID_EXPIRED", { requestId, expiresAt, check: `it expired at ${expiresAt}` });
  }
  return request;
};

/** Marks a request as used. It is kept so that a second use gets the right reason. */
export const useRequest = (draft: Draft, request: RequestRecord, { atMs }: Moment) =>
  draft.put("Request", { ...request, usedAtMs: atMs, updatedAtMs: atMs });

const differing = (members: readonly string[]) =>
  `${members.join(" and ")} ${members.length === 1 ? "differs" : "differ"}`;

/** Refuses a body that is not that of the first call (spec/signed-retry.md#changed-body). */
export const requireSameBody = (request: RequestRecord, body: unknown) => {
  const changed = changedMembers(request.body, canonicalJson(body));
  if (changed.length > 0)
    refuse("REQUEST_BODY_CHANGED", { requestId: request.id, check: differing(changed) });
};

/**
 * Checks a retry against its challenge and uses the challenge up
 * (spec/signed-retry.md#changed-body).
 */
export const requireAnswered = (
  draft: Draft,
  { asked, call, body }: { asked: SigningRequest; call: SignedCall; body: unknown },
  moment: Moment,
) => {
  const { signature, requestId, find } = call;
  const { standing, seen } = asked;
  if (signature === undefined)
    return refuse("WALLET_SIGNATURE_MISSING", { requestId, check: "only Request-Id was sent" });
  if (requestId === undefined) {
    if (!standing)
      return refuse("REQUEST_ID_MISSING", { check: "only Service-Wallet-Signature was sent" });
    return requireWalletSignature(
      draft,
      { signature, payload: standing.payloadToSign, asked, find },
      moment,
    );
  }
  const request = pendingRequest(draft, { requestId, operation: operationOf(call) }, moment);
  requireSameBody(request, body);
  const { payloadToSign: payload } = request;
  requireWalletSignature(draft, { signature, payload, asked, find }, moment);
  if (seen && request.seen !== seen.value) seen.refuseChanged();
  useRequest(draft, request, moment);
};

/**
 * Runs an operation whose text to sign stands already, so that its first call has to be signed
 * (spec/later-payments.md#wallet-quote-signatures).
 */
export const signedOnce =
  <Input extends { call: SignedCall }, Reply>(
    operation: SignedOperation<Input, Reply>,
  ): Rule<Input, Reply> =>
  (draft, input, moment) => {
    const { toSign: asked, apply } = operation(draft, input, moment);
    const { signature, find } = input.call;
    if (asked !== "unsigned" && asked.standing) {
      if (signature === undefined)
        return refuse(
          "QUOTE_SIGNATURE_MISSING",
          { check: "no Service-Wallet-Signature was sent" },
          {
            says: "The header Service-Wallet-Signature is missing",
            next: "Sign the payloadToSign in the quote's paymentInstructions",
          },
        );
      const { payloadToSign: payload } = asked.standing;
      requireWalletSignature(draft, { signature, payload, asked, find }, moment);
    }
    return apply(draft, moment);
  };

/**
 * Runs the signed retry of an operation (spec/signed-retry.md#check-order). A call without
 * signature headers gets a challenge; the same call with its answer is executed.
 */
export const signedRetry =
  <Input extends { call: SignedCall; body?: unknown }, Reply>(
    operation: SignedOperation<Input, Reply>,
  ): Rule<Input, Reply | Challenged> =>
  (draft, input, moment) => {
    const { call, body } = input;
    const { toSign: asked, apply } = operation(draft, input, moment);
    if (asked !== "unsigned") {
      const isFirst = call.signature === undefined && call.requestId === undefined;
      if (isFirst) return challenge(draft, { asked, call, body }, moment);
      requireAnswered(draft, { asked, call, body }, moment);
    }
    return apply(draft, moment);
  };
