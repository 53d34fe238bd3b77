import { beforeEach, describe, expect, test } from "vitest";
import { expectRefused } from "../setup/refused.ts";
import { goTo } from "../setup/told.ts";
import { worldPerTest } from "../setup/world-per-test.ts";
import { PasskeyClient } from "./setup/passkey-client.ts";
import {
  EXPIRED_REQUEST,
  expectUnauthorized,
  UNKNOWN_REQUEST,
  USED_REQUEST,
} from "./setup/unauthorized.ts";
import { clientKeys, openedSession, PASSKEY_BODY, WalletClient } from "./setup/wallet-client.ts";

const world = worldPerTest();

let wallet: WalletClient;

beforeEach(async () => {
  wallet = await WalletClient.create(world(), { email: "ada@example.com" });
});

const KEYS = clientKeys();

const MAGIC_ASSERTION = {
  credentialId: "eA",
  clientDataJson: "eA",
  authenticatorData: "eA",
  signature: "sandbox-valid-passkey-signature",
};

// spec/passkeys.md#assertion, spec/passkeys.md#assertion-checks
describe("passkeys", () => {
  const refused = (check: RegExp) => ({ reason: "Invalid passkey signature", check });

  test("sign in for real, again and again; the key is the challenge's", async () => {
    const client = await PasskeyClient.register(wallet);
    for (let n = 0; n < 2; n += 1) {
      const keys = clientKeys();
      const asked = await client.challenge(keys);
      const answer = await client.verify(client.assertion(asked.challenge), asked.requestId);
      expect(answer.status).toBe(200);
      expect((await openedSession(answer.body, keys)).id).toBe(answer.body.id);
    }
  });

  test.each([null, undefined, "dXNlcg"])("userHandle %j is accepted", async (userHandle) => {
    const client = await PasskeyClient.register(wallet);
    const asked = await client.challenge();
    const assertion = { ...client.assertion(asked.challenge), userHandle };
    expect((await client.verify(assertion, asked.requestId)).status).toBe(200);
  });

  test("without Request-Id", async () => {
    const client = await PasskeyClient.register(wallet);
    const asked = await client.challenge();
    for (const assertion of [client.assertion(asked.challenge), MAGIC_ASSERTION])
      expectUnauthorized(await client.verify(assertion), {
        code: "REQUEST_ID_MISSING",
        check: /names its challenge/,
      });
  });

  test("with a Request-Id of another challenge", async () => {
    const client = await PasskeyClient.register(wallet);
    const other = await WalletClient.create(world(), { email: "grace@example.com" });
    const foreign = await (await PasskeyClient.register(other)).challenge();
    const path = `/internal-accounts/${wallet.accountId}`;
    const signing = await wallet.signed("PATCH", path, { body: { privateEnabled: true } });
    const ids = ["Request:none", foreign.requestId, signing.body.requestId];
    for (const requestId of ids)
      expectUnauthorized(await client.verify(MAGIC_ASSERTION, requestId), {
        reason: UNKNOWN_REQUEST,
        check: /no challenge has this requestId|^it belongs to/,
      });
  });

  test("with a used Request-Id, even after the passkey is revoked", async () => {
    const client = await PasskeyClient.register(wallet);
    await wallet.addEmail();
    const asked = await client.challenge();
    const assertion = client.assertion(asked.challenge);
    expect((await client.verify(assertion, asked.requestId)).status).toBe(200);
    const used = { reason: USED_REQUEST, check: /^it was used at/ };
    for (const again of [assertion, MAGIC_ASSERTION])
      expectUnauthorized(await client.verify(again, asked.requestId), used);
    const email = await wallet.addOauth();
    expect(email).toMatch(/^AuthMethod:/);
    await wallet.retried("DELETE", `/auth/credentials/${client.id}`);
    expectUnauthorized(await client.verify(assertion, asked.requestId), used);
    expectRefused(await client.verify(assertion, "Request:none"), {
      status: 404,
      code: "REFERENCE_NOT_FOUND",
    });
  });

  test("until the millisecond before the challenge expires, and not at that instant", async () => {
    const client = await PasskeyClient.register(wallet);
    const asked = await client.challenge();
    const second = await client.challenge();
    await goTo(world(), "09:04:59.999");
    const good = await client.verify(client.assertion(asked.challenge), asked.requestId);
    expect(good.status).toBe(200);
    await goTo(world(), "09:05:00.000");
    const late = await client.verify(client.assertion(second.challenge), second.requestId);
    expectUnauthorized(late, { reason: EXPIRED_REQUEST, check: /^it expired at/ });
  });

  test("a failure leaves the challenge usable", async () => {
    const client = await PasskeyClient.register(wallet);
    const asked = await client.challenge();
    const other = await client.challenge();
    const right = client.assertion(asked.challenge);
    const wrong = [
      { ...right, signature: "MEUCIQ" },
      { ...right, signature: "sandbox-valid-signature" },
      { ...right, credentialId: "eA" },
      { ...right, clientDataJson: "e30" },
      { ...right, authenticatorData: "eA" },
      client.assertion(other.challenge),
      (await PasskeyClient.register(await WalletClient.create(world()))).assertion(asked.challenge),
    ];
    for (const assertion of wrong)
      expectUnauthorized(await client.verify(assertion, asked.requestId), refused(/\S/));
    const list = await world().call("GET", `/auth/sessions?accountId=${wallet.accountId}`);
    expect(list.body.data).toEqual([]);
    expect((await client.verify(right, asked.requestId)).status).toBe(200);
  });

  test("a counter that does not rise is refused", async () => {
    const client = await PasskeyClient.register(wallet);
    const before = client.passkey;
    const asked = await client.challenge();
    await client.verify(client.assertion(asked.challenge), asked.requestId);
    client.passkey = before;
    const again = await client.challenge();
    const answer = await client.verify(client.assertion(again.challenge), again.requestId);
    expectUnauthorized(answer, refused(/signCount/));
  });

  test("the magic assertion is accepted, and needs a challenge", async () => {
    const id = await wallet.addPasskey();
    const path = `/auth/credentials/${id}`;
    const asked = await world().call("POST", `${path}/challenge`, {
      clientPublicKey: KEYS.publicKey,
    });
    const { requestId } = asked.body;
    const body = { type: "PASSKEY", assertion: MAGIC_ASSERTION };
    const answer = await wallet.signed("POST", `${path}/verify`, { body, requestId });
    expect([answer.status, answer.body.credentialId]).toEqual([
      200,
      PASSKEY_BODY.attestation.credentialId,
    ]);
    expect((await openedSession(answer.body, KEYS)).id).toBe(answer.body.id);
  });

  test("an unverified passkey accepts no real assertion", async () => {
    const id = await wallet.addPasskey();
    const client = await PasskeyClient.register(await WalletClient.create(world()));
    const asked = await world().call("POST", `/auth/credentials/${id}/challenge`, {
      clientPublicKey: KEYS.publicKey,
    });
    const { challenge: text, requestId } = asked.body;
    const body = { type: "PASSKEY", assertion: client.assertion(text) };
    const answer = await wallet.signed("POST", `/auth/credentials/${id}/verify`, {
      body,
      requestId,
    });
    expectUnauthorized(answer, refused(/could not be read/));
  });

  test.each(["credentialId", "clientDataJson", "authenticatorData", "signature"])(
    "%s is needed",
    async (name) => {
      const client = await PasskeyClient.register(wallet);
      const { requestId } = await client.challenge();
      for (const value of [undefined, null, "", 7]) {
        const answer = await client.verify({ ...MAGIC_ASSERTION, [name]: value }, requestId);
        expectRefused(answer, {
          status: 400,
          code: "INVALID_INPUT",
          field: `assertion.${name}`,
        });
      }
    },
  );
});
