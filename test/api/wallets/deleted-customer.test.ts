import { beforeEach, describe, expect, test } from "vitest";
import { worldPerTest } from "../setup/world-per-test.ts";
import { PasskeyClient } from "./setup/passkey-client.ts";
import { expectUnauthorized, INVALID_SIGNATURE } from "./setup/unauthorized.ts";
import { clientKeys, WalletClient } from "./setup/wallet-client.ts";

const world = worldPerTest();

const DELETED = { reason: "CUSTOMER_DELETED", check: /^the wallet's customer was deleted$/ };

const { publicKey: clientPublicKey } = clientKeys();

let wallet: WalletClient;

beforeEach(async () => {
  wallet = await WalletClient.create(world(), { email: "ada@example.com" });
});

const deleteCustomer = async () => {
  const { status } = await world().call("DELETE", `/customers/${wallet.customerId}`);
  expect(status).toBe(200);
};

const verify = (id: string, body: object) =>
  world().call("POST", `/auth/credentials/${id}/verify`, { clientPublicKey, ...body });

describe("a deleted customer cannot sign in", () => {
  test("with the mailed code or the magic one", async () => {
    const id = await wallet.addEmail();
    const [{ code }] = (await world().control("GET", "/inbox")).body.data;
    await deleteCustomer();
    for (const otp of [code, "000000", "999999"])
      expectUnauthorized(await verify(id, { type: "EMAIL_OTP", otp }), DELETED);
  });

  test("with a genuine token or the magic one", async () => {
    const token = async () => (await world().control("POST", "/oidc/token")).body.token;
    const { body } = await world().call("POST", "/auth/credentials", {
      type: "OAUTH",
      accountId: wallet.accountId,
      oidcToken: await token(),
    });
    await deleteCustomer();
    for (const oidcToken of [await token(), "sandbox-valid-oidc-token"])
      expectUnauthorized(await verify(body.id, { type: "OAUTH", oidcToken }), DELETED);
  });

  test("with a passkey or the magic assertion", async () => {
    const client = await PasskeyClient.register(wallet);
    const { challenge, requestId } = await client.challenge();
    await deleteCustomer();
    const assertion = client.assertion(challenge);
    const magic = { ...assertion, signature: "sandbox-valid-passkey-signature" };
    for (const sent of [assertion, magic])
      expectUnauthorized(await client.verify(sent, requestId), DELETED);
  });

  test("and gets neither a code nor a challenge", async () => {
    const id = await wallet.addEmail();
    await deleteCustomer();
    const before = (await world().control("GET", "/inbox")).body.data.length;
    expectUnauthorized(await world().call("POST", `/auth/credentials/${id}/challenge`), DELETED);
    expect((await world().control("GET", "/inbox")).body.data).toHaveLength(before);
  });

  test("with an earlier session: it ends with the customer", async () => {
    const session = await wallet.signIn(await wallet.addEmail());
    const path = `/internal-accounts/${wallet.accountId}`;
    await deleteCustomer();
    expectUnauthorized(
      await world().call("POST", `/auth/sessions/${session.id}/refresh`, { clientPublicKey }),
      DELETED,
    );
    const list = await world().call("GET", `/auth/sessions?accountId=${wallet.accountId}`);
    expect(list.body.data).toEqual([]);
    const signed = await wallet.retried("PATCH", path, { body: { privateEnabled: true }, session });
    expectUnauthorized(signed, { reason: INVALID_SIGNATURE, check: /not an active session/ });
  });
});

test("other customers stay signed in", async () => {
  const other = await WalletClient.create(world(), { email: "grace@example.com" });
  const id = await other.addEmail("grace@example.com");
  await other.signIn(id);
  await deleteCustomer();
  const list = await world().call("GET", `/auth/sessions?accountId=${other.accountId}`);
  expect(list.body.data).toHaveLength(1);
  expect((await verify(id, { type: "EMAIL_OTP", otp: "000000" })).status).toBe(200);
});
