import { defined } from "../../contract/core/defined.ts";
import type { AuthSession } from "../../contract/wallets/credentials.ts";
import { type Draft, find, instant, type Moment, type Reading, type View } from "../core/draft.ts";
import { DURATIONS } from "../core/durations.ts";
import { refuse } from "../core/refusal.ts";
import type { AuthMethodRecord, SessionRecord } from "../records/wallet-records.ts";
import { credentialIdOf, requireSignInOf, walletOf } from "./auth-methods.ts";
import type { SignedCall, SignedOperation } from "./signed-operations.ts";
import { sessionActivity } from "./wallet-activities.ts";

/**
 * Shows a session as lists do; only the issuing reply adds the sealed key
 * (spec/sessions.md#session-fields).
 */
export const showSession = (session: SessionRecord): AuthSession => ({
  id: session.id,
  accountId: session.accountId,
  type: session.type,
  ...defined({ credentialId: session.credentialId }),
  nickname: session.nickname,
  createdAt: instant(session.createdAtMs),
  updatedAt: instant(session.updatedAtMs),
  expiresAt: instant(session.expiresAtMs),
});

/** Tells if a session is active: not expired and not revoked (spec/sessions.md#session-states). */
export const isActive = ({ revokedAtMs, expiresAtMs }: SessionRecord, atMs: number) =>
  revokedAtMs === undefined && atMs < expiresAtMs;

/** The active sessions of a wallet, oldest first. */
export const activeSessions = (view: View, accountId: string, atMs: number): SessionRecord[] =>
  find(view, "Session", ["byAccount", accountId]).filter((session) => isActive(session, atMs));

/**
 * Most sessions that are kept; the oldest ended ones are dropped
 * (spec/sessions.md#session-retention).
 */
export const MAX_KEPT_SESSIONS = 10_000;

const forgetOldest = (draft: Draft, atMs: number) => {
  const ids = draft.ids("Session", "all", "");
  const oldest =
    ids.length < MAX_KEPT_SESSIONS ? undefined : draft.get("Session", ids.at(0) as string);
  if (oldest && !isActive(oldest, atMs)) draft.del("Session", oldest.id);
};

/** The fields that a new session takes from its credential, or from the session it renews. */
type Origin = Pick<SessionRecord, "accountId" | "type" | "nickname"> & {
  authMethodId: string;
  credentialId?: string;
};

export const originOf = (method: AuthMethodRecord): Origin => ({
  accountId: method.accountId,
  type: method.type,
  nickname: method.nickname,
  authMethodId: method.id,
  ...credentialIdOf(method),
});

/**
 * The key of a session: its public half, and the private half sealed to the client unless the
 * client holds it (spec/revisions.md#client-held-keys).
 */
export interface IssuedKey {
  publicKeyHex: string;
  encryptedSessionSigningKey?: string;
}

/** Issues a session and leaves the others of the wallet active (spec/sessions.md#issue). */
export const issueSession = (
  draft: Draft,
  { origin, key }: { origin: Origin; key: IssuedKey },
  moment: Moment,
): AuthSession => {
  const session: SessionRecord = {
    id: moment.newId("Session"),
    ...origin,
    publicKeyHex: key.publicKeyHex,
    expiresAtMs: moment.atMs + DURATIONS.sessionLifetimeMs,
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  };
  forgetOldest(draft, moment.atMs);
  draft.put("Session", session);
  const { encryptedSessionSigningKey } = key;
  return { ...showSession(session), ...defined({ encryptedSessionSigningKey }) };
};

export const revokeSession = (draft: Draft, session: SessionRecord, { atMs }: Moment) =>
  draft.put("Session", { ...session, revokedAtMs: atMs, updatedAtMs: atMs });

/** GET /auth/sessions: the active ones, newest first (spec/sessions.md#session-list). */
export const listSessions: Reading<{ query: { accountId: string } }, { data: AuthSession[] }> = (
  view,
  { query },
  { atMs },
) => ({ data: activeSessions(view, query.accountId, atMs).map(showSession).reverse() });

const unknownSession = (id: string) => refuse("REFERENCE_NOT_FOUND", { id, resource: "Session" });

type SessionPath = { params: { id: string } };

/** Finds the active session that a path names; an ended one counts as unknown. */
export const activeSessionByPath: Reading<SessionPath, SessionRecord> = (
  view,
  { params: { id } },
  { atMs },
) => {
  const session = view.get("Session", id);
  return session && isActive(session, atMs) ? session : unknownSession(id);
};

/**
 * DELETE /auth/sessions/{id}, signed by any active session of the wallet
 * (spec/sessions.md#session-revocation).
 */
export const deleteSession: SignedOperation<SessionPath & { call: SignedCall }, void> = (
  view,
  input,
  now,
) => {
  const session = activeSessionByPath(view, input, now);
  const wallet = walletOf(view, session.accountId);
  return {
    toSign: {
      wallet,
      type: session.type,
      activity: {
        type: "ACTIVITY_TYPE_DELETE_API_KEYS",
        parameters: { apiKeyIds: [session.id], userId: wallet.customerId ?? wallet.id },
      },
    },
    apply: (draft, moment) => revokeSession(draft, session, moment),
  };
};

/** Finds the session that a path names, active or ended. */
export const sessionByPath: Reading<SessionPath, SessionRecord> = (view, { params: { id } }) =>
  view.get("Session", id) ?? unknownSession(id);

const requireActive = (session: SessionRecord, atMs: number) => {
  if (isActive(session, atMs)) return;
  const { id, revokedAtMs, expiresAtMs } = session;
  const check =
    revokedAtMs === undefined
      ? `it expired at ${instant(expiresAtMs)}`
      : `it was revoked at ${instant(revokedAtMs)}`;
  refuse("SESSION_NOT_ACTIVE", { id, check });
};

export interface RefreshInput {
  params: { id: string };
  body: { clientPublicKey: string };
  call: SignedCall;
  /** Key of the new session, made before the second call is checked. */
  key?: IssuedKey;
}

/** POST /auth/sessions/{id}/refresh, signed by the same session (spec/sessions.md#refresh). */
export const refreshSession: SignedOperation<RefreshInput, AuthSession> = (view, input, now) => {
  const session = sessionByPath(view, input, now);
  requireSignInOf(view, session.accountId);
  requireActive(session, now.atMs);
  const { accountId, type, nickname, authMethodId, credentialId } = session;
  return {
    toSign: {
      wallet: walletOf(view, accountId),
      activity: sessionActivity(input.body.clientPublicKey),
      objection: ({ id }) =>
        id === session.id ? undefined : "a refresh must be signed by the session that it renews",
    },
    apply: (draft, moment) => {
      const origin = {
        accountId,
        type,
        nickname,
        authMethodId,
        ...defined({ credentialId }),
      };
      return issueSession(draft, { origin, key: input.key as IssuedKey }, moment);
    },
  };
};

/** Ends all sessions of a wallet whose customer is deleted. */
export const revokeSessionsOfWallet = (draft: Draft, accountId: string, moment: Moment) => {
  for (const session of activeSessions(draft, accountId, moment.atMs))
    revokeSession(draft, session, moment);
};

/** Ends the sessions that a credential issued. */
export const revokeSessionsOf = (draft: Draft, method: AuthMethodRecord, moment: Moment) => {
  for (const session of activeSessions(draft, method.accountId, moment.atMs))
    if (session.authMethodId === method.id) revokeSession(draft, session, moment);
};
