import { beforeEach, describe, expect, test } from "vitest";
import { bareSignatureOver, stampOver } from "../../../src/crypto/wallet-signatures.ts";
import { expectRefused } from "../setup/refused.ts";
import { goTo } from "../setup/told.ts";
import { worldPerTest } from "../setup/world-per-test.ts";
import { type SignedWorld, signedWorld } from "./setup/signed-operations.ts";
import { expectUnauthorized, INVALID_SIGNATURE } from "./setup/unauthorized.ts";
import {
  clientKeys,
  MAGIC_SIGNATURE,
  type OpenSession,
  openedSession,
} from "./setup/wallet-client.ts";

const world = worldPerTest();

let own: SignedWorld;

beforeEach(async () => {
  own = await signedWorld(world(), "ada@example.com");
});

const NOT_FOUND = { status: 404, code: "REFERENCE_NOT_FOUND" };

const sessionIds = async (): Promise<string[]> => {
  const path = `/auth/sessions?accountId=${own.wallet.accountId}`;
  const { data } = (await world().call("GET", path)).body;
  return data.map(({ id }: { id: string }) => id);
};

const refreshPath = ({ id }: { id: string }) => `/auth/sessions/${id}/refresh`;

const refreshed = (session: OpenSession, keys = clientKeys()) =>
  own.wallet.retried("POST", refreshPath(session), {
    body: { clientPublicKey: keys.publicKey },
    session,
  });

// spec/sessions.md#session-lifetime
describe("a session's fifteen minutes", () => {
  test("until the millisecond before the end it is listed, refreshed and revoked", async () => {
    await goTo(world(), "09:14:59.999");
    const { emailSession, oauthSession } = own;
    expect(await sessionIds()).toEqual([oauthSession.id, emailSession.id]);
    const keys = clientKeys();
    const { status, body } = await refreshed(oauthSession, keys);
    expect([status, body.type, body.nickname]).toEqual([201, "OAUTH", "ada@idp.example"]);
    expect(body.expiresAt).toBe("2026-01-05T09:29:59.999Z");
    expect(body.createdAt).toBe("2026-01-05T09:14:59.999Z");
    const path = `/auth/sessions/${emailSession.id}`;
    expect((await own.wallet.retried("DELETE", path, { session: emailSession })).status).toBe(204);
    await goTo(world(), "09:15:00.000");
    expect(await sessionIds()).toEqual([body.id]);
  });

  test("at the end it is not listed, revoking is 404 and refreshing 401", async () => {
    await goTo(world(), "09:15:00.000");
    expect(await sessionIds()).toEqual([]);
    const { id } = own.emailSession;
    expectRefused(await own.wallet.signed("DELETE", `/auth/sessions/${id}`, {}), NOT_FOUND);
    const body = { clientPublicKey: clientKeys().publicKey };
    const answer = await own.wallet.signed("POST", refreshPath(own.emailSession), { body });
    expectUnauthorized(answer, {
      reason: "Session is not active",
      check: /^it expired at 2026-01-05T09:15:00.000Z$/,
    });
  });

  test.each(["magic", "stamp"])("ended between the two calls, %s", async (form) => {
    await goTo(world(), "09:14:00.000");
    const { emailSession } = own;
    const body = { clientPublicKey: clientKeys().publicKey };
    const asked = await own.wallet.signed("POST", refreshPath(emailSession), { body });
    expect(asked.body.expiresAt).toBe("2026-01-05T09:19:00.000Z");
    await goTo(world(), "09:15:00.000");
    const { payloadToSign, requestId } = asked.body;
    const signature =
      form === "magic" ? MAGIC_SIGNATURE : stampOver(payloadToSign, emailSession.privateKeyHex);
    const retry = { body, signature, requestId };
    const answer = await own.wallet.signed("POST", refreshPath(emailSession), retry);
    expectUnauthorized(answer, { reason: "Session is not active", check: /^it expired at/ });
  });
});

describe("refresh", () => {
  // spec/sessions.md#refresh-of-an-ended-session
  test("of a revoked session is 401, of an unknown one 404", async () => {
    const body = { clientPublicKey: clientKeys().publicKey };
    const revoked = await own.wallet.signed("POST", refreshPath(own.revokedSession), { body });
    expectUnauthorized(revoked, {
      reason: "Session is not active",
      check: /^it was revoked at 2026-01-05T09:00:00.000Z$/,
    });
    for (const id of ["Session:none", own.emailCredential, "x"])
      expectRefused(await own.wallet.signed("POST", refreshPath({ id }), { body }), NOT_FOUND);
  });

  test("binds the key as it was sent, seals to it, and leaves the old session", async () => {
    const keys = clientKeys();
    const clientPublicKey = keys.publicKey.toUpperCase();
    const body = { clientPublicKey };
    const asked = await own.wallet.signed("POST", refreshPath(own.emailSession), { body });
    expect(asked.body).not.toHaveProperty("type");
    expect(JSON.parse(asked.body.payloadToSign).parameters).toEqual({
      targetPublicKey: clientPublicKey,
    });
    const signature = bareSignatureOver(asked.body.payloadToSign, own.emailSession.privateKeyHex);
    const { requestId } = asked.body;
    const done = await own.wallet.signed("POST", refreshPath(own.emailSession), {
      body,
      signature,
      requestId,
    });
    const fresh = await openedSession(done.body, keys);
    expect(fresh.publicKeyHex).not.toBe(own.emailSession.publicKeyHex);
    expect(await sessionIds()).toEqual([fresh.id, own.oauthSession.id, own.emailSession.id]);
    // Each signs for itself, neither for the other.
    expect((await refreshed(fresh)).status).toBe(201);
    expect((await refreshed(own.emailSession)).status).toBe(201);
    const crossed = await refreshed({ ...fresh, id: own.emailSession.id });
    expectUnauthorized(crossed, {
      reason: INVALID_SIGNATURE,
      check: /signed by the session that it renews/,
    });
  });

  test.each([undefined, {}, { clientPublicKey: 7 }])("requires a key: %j", async (body) => {
    const sent = body === undefined ? {} : { body };
    expectRefused(await own.wallet.signed("POST", refreshPath(own.emailSession), sent), {
      status: 400,
      code: "INVALID_INPUT",
      field: body === undefined ? "body" : "clientPublicKey",
    });
  });
});

describe("revoking a session", () => {
  test.each([
    ["itself", "oauthSession"],
    ["another of the wallet", "emailSession"],
  ] as const)("signed by %s", async (_by, signer) => {
    const path = `/auth/sessions/${own.oauthSession.id}`;
    const asked = await own.wallet.signed("DELETE", path, {});
    expect(asked.body.type).toBe("OAUTH");
    expect(JSON.parse(asked.body.payloadToSign)).toMatchObject({
      type: "ACTIVITY_TYPE_DELETE_API_KEYS",
      parameters: { apiKeyIds: [own.oauthSession.id], userId: own.wallet.customerId },
    });
    const { payloadToSign, requestId } = asked.body;
    const signature = stampOver(payloadToSign, own[signer].privateKeyHex);
    const answer = await own.wallet.signed("DELETE", path, { signature, requestId });
    expect([answer.status, answer.body, answer.headers.get("content-type")]).toEqual([
      204,
      "",
      null,
    ]);
    expect(await sessionIds()).toEqual([own.emailSession.id]);
    expectRefused(await own.wallet.signed("DELETE", path, {}), NOT_FOUND);
  });

  test("the credential stays and signs in again at once", async () => {
    const path = `/auth/sessions/${own.oauthSession.id}`;
    await own.wallet.retried("DELETE", path, { session: own.oauthSession });
    const again = await own.wallet.signInByToken(own.oauthCredential);
    expect(await sessionIds()).toEqual([again.id, own.emailSession.id]);
  });

  test.each(["Session:none", "AuthMethod:none", "x"])("%s is unknown", async (id) => {
    expectRefused(await own.wallet.signed("DELETE", `/auth/sessions/${id}`, {}), NOT_FOUND);
  });
});

describe("revoking a credential", () => {
  const revoke = (id: string, session?: OpenSession) =>
    own.wallet.retried("DELETE", `/auth/credentials/${id}`, session ? { session } : {});

  test.each([
    ["OAUTH", "ACTIVITY_TYPE_DELETE_OAUTH_PROVIDERS", (id: string) => ({ providerIds: [id] })],
    ["EMAIL_OTP", "ACTIVITY_TYPE_UPDATE_USER_EMAIL", () => ({ userEmail: "" })],
    [
      "PASSKEY",
      "ACTIVITY_TYPE_DELETE_AUTHENTICATORS",
      (id: string) => ({ authenticatorIds: [id] }),
    ],
  ] as const)("%s asks for its own activity", async (type, activity, members) => {
    const ids = {
      OAUTH: own.oauthCredential,
      EMAIL_OTP: own.emailCredential,
      PASSKEY: await own.wallet.addPasskey(),
    };
    const { body } = await own.wallet.signed("DELETE", `/auth/credentials/${ids[type]}`, {});
    expect(body.type).toBe(type);
    expect(JSON.parse(body.payloadToSign)).toMatchObject({
      type: activity,
      parameters: { ...members(ids[type]), userId: own.wallet.customerId },
    });
  });

  test("its sessions end with it, refreshed ones too; others stay", async () => {
    const keys = clientKeys();
    const fresh = await openedSession((await refreshed(own.oauthSession, keys)).body, keys);
    expect((await revoke(own.oauthCredential, own.emailSession)).status).toBe(204);
    expect(await sessionIds()).toEqual([own.emailSession.id]);
    for (const session of [own.oauthSession, fresh]) {
      const path = `/internal-accounts/${own.wallet.accountId}`;
      const body = { privateEnabled: true };
      const answer = await own.wallet.retried("PATCH", path, { body, session });
      expectUnauthorized(answer, {
        reason: INVALID_SIGNATURE,
        check: /^stamp.publicKey is not an active session of this account$/,
      });
    }
    const list = await world().call("GET", `/auth/credentials?accountId=${own.wallet.accountId}`);
    expect(list.body.data.map(({ id }: { id: string }) => id)).toEqual([own.emailCredential]);
  });

  test("makes it unknown: verify, challenge and revoking are 404", async () => {
    await revoke(own.oauthCredential);
    const path = `/auth/credentials/${own.oauthCredential}`;
    const body = {
      type: "OAUTH",
      oidcToken: "sandbox-valid-oidc-token",
      clientPublicKey: clientKeys().publicKey,
    };
    expectRefused(await world().call("POST", `${path}/verify`, body), NOT_FOUND);
    expectRefused(await world().call("POST", `${path}/challenge`), NOT_FOUND);
    expectRefused(await own.wallet.signed("DELETE", path, {}), NOT_FOUND);
  });

  test("a refreshed session of the credential may not sign", async () => {
    const keys = clientKeys();
    const fresh = await openedSession((await refreshed(own.oauthSession, keys)).body, keys);
    expectUnauthorized(await revoke(own.oauthCredential, fresh), {
      reason: INVALID_SIGNATURE,
      check: /belongs to the credential to revoke/,
    });
  });

  test("refuses the last one, on the first call already", async () => {
    expect((await revoke(own.oauthCredential)).status).toBe(204);
    const path = `/auth/credentials/${own.emailCredential}`;
    for (const signing of [{}, { signature: MAGIC_SIGNATURE, requestId: "Request:none" }])
      expectRefused(await own.wallet.signed("DELETE", path, signing), {
        status: 400,
        code: "INVALID_INPUT",
        reason: "LAST_CREDENTIAL",
      });
  });

  test("a credential that never signed in counts as remaining", async () => {
    const passkey = await own.wallet.addPasskey();
    expect((await revoke(own.oauthCredential)).status).toBe(204);
    expect((await revoke(own.emailCredential)).status).toBe(204);
    const list = await world().call("GET", `/auth/credentials?accountId=${own.wallet.accountId}`);
    expect(list.body.data.map(({ id }: { id: string }) => id)).toEqual([passkey]);
  });

  test("frees its type", async () => {
    await revoke(own.oauthCredential);
    const again = await own.wallet.addOauth();
    expect(again).not.toBe(own.oauthCredential);
  });
});
