import { beforeEach, expect, test } from "vitest";
import { worldPerTest } from "../setup/world-per-test.ts";
import { PasskeyClient } from "./setup/passkey-client.ts";
import { clientKeys, PASSKEY_BODY, WalletClient } from "./setup/wallet-client.ts";

const world = worldPerTest();

let wallet: WalletClient;

beforeEach(async () => {
  wallet = await WalletClient.create(world());
});

const create = (credentialId: string) =>
  world().call("POST", "/auth/credentials", {
    ...PASSKEY_BODY,
    accountId: wallet.accountId,
    attestation: { ...PASSKEY_BODY.attestation, credentialId },
  });

test.each(["+/+/q1ZrT0hWm9xUe2pLd7sYcA==", "-_-_q1ZrT0hWm9xUe2pLd7sYcA"])(
  "a passkey has its canonical id everywhere, sent as %s",
  async (sent) => {
    const kept = "-_-_q1ZrT0hWm9xUe2pLd7sYcA";
    const { body: made } = await create(sent);
    expect(made.credentialId).toBe(kept);
    const list = await world().call("GET", `/auth/credentials?accountId=${wallet.accountId}`);
    expect(list.body.data[0].credentialId).toBe(kept);
    const path = `/auth/credentials/${made.id}`;
    const clientPublicKey = clientKeys().publicKey;
    const asked = await world().call("POST", `${path}/challenge`, { clientPublicKey });
    expect(asked.body.credentialId).toBe(kept);
    const magic = {
      credentialId: sent,
      clientDataJson: "eA",
      authenticatorData: "eA",
      signature: "sandbox-valid-passkey-signature",
    };
    const session = await wallet.signed("POST", `${path}/verify`, {
      body: { type: "PASSKEY", assertion: magic },
      requestId: asked.body.requestId,
    });
    expect(session.body.credentialId).toBe(kept);
  },
);

test("a padded id is verified as the passkey it names", async () => {
  const client = await PasskeyClient.register(wallet, { padded: true });
  const list = await world().call("GET", `/auth/credentials?accountId=${wallet.accountId}`);
  expect(list.body.data[0].credentialId).toBe(client.passkey.credentialId);
  expect((await client.signIn()).status).toBe(200);
});

test("the text to sign names the canonical id", async () => {
  await wallet.addEmail();
  const { body } = await create("+/+/q1ZrT0hWm9xUe2pLd7sYcA==");
  const { parameters } = JSON.parse(body.payloadToSign);
  expect(parameters.authenticators[0].attestation.credentialId).toBe("-_-_q1ZrT0hWm9xUe2pLd7sYcA");
});
