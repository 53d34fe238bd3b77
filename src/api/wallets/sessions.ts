import * as z from "zod";
import { listOf } from "../../contract/core/lists.ts";
import { AuthSession, ClientKeyInput, WalletQuery } from "../../contract/wallets/credentials.ts";
import * as sessions from "../../domain/wallets/sessions.ts";
import { signedRetry } from "../../domain/wallets/signed-retry.ts";
import { endpoint } from "../../http/door/endpoint.ts";
import { issuedKeyFor, requireSessionKey } from "./session-keys.ts";

export const listSessions = endpoint("listSessions", {
  summary: "List the active sessions of a wallet, newest first",
  query: WalletQuery,
  replies: [200, listOf(AuthSession)],
  refuses: [],
  handle: (input, { read }) => read(sessions.listSessions, input),
});

export const refreshSession = endpoint("refreshSession", {
  summary: "Refresh a session, signed with its own key",
  signing: "retry",
  body: ClientKeyInput,
  replies: [201, AuthSession],
  refuses: ["REFERENCE_NOT_FOUND", "SESSION_NOT_ACTIVE", "SIGN_IN_OF_DELETED_CUSTOMER"],
  subject: sessions.sessionByPath,
  handle: async ({ params, body }, call) => {
    requireSessionKey(call, body.clientPublicKey);
    const { signed } = call;
    // Only a call that may succeed needs a key, and sealing one takes a turn of the event loop.
    const isRetry = signed.signature !== undefined && signed.requestId !== undefined;
    const key = isRetry ? await issuedKeyFor(call, body.clientPublicKey) : undefined;
    const input = { params, body, call: signed, ...(key && { key }) };
    return call.commit(signedRetry(sessions.refreshSession), input);
  },
});

export const deleteSession = endpoint("deleteSession", {
  summary: "Revoke a session",
  signing: "retry",
  replies: [204, z.undefined()],
  refuses: ["REFERENCE_NOT_FOUND"],
  subject: sessions.activeSessionByPath,
  handle: ({ params }, { commit, signed }) =>
    commit(signedRetry(sessions.deleteSession), { params, call: signed }),
});
