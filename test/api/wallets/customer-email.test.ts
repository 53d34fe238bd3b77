import { beforeEach, describe, expect, test } from "vitest";
import { stampOver } from "../../../src/crypto/wallet-signatures.ts";
import { expectRefused } from "../setup/refused.ts";
import { goTo } from "../setup/told.ts";
import { worldPerTest } from "../setup/world-per-test.ts";
import { expectUnauthorized, INVALID_SIGNATURE } from "./setup/unauthorized.ts";
import {
  clientKeys,
  MAGIC_SIGNATURE,
  type OpenSession,
  PASSKEY_BODY,
  WalletClient,
} from "./setup/wallet-client.ts";

const world = worldPerTest();

const PERSON = { customerType: "INDIVIDUAL" };
const NEW = "ada@new.example";

let wallet: WalletClient;

beforeEach(async () => {
  wallet = await WalletClient.create(world(), { email: "ada@example.com" });
});

const path = () => `/customers/${wallet.customerId}`;

const patch = (members: object, signing: { signature?: string; requestId?: string } = {}) =>
  wallet.signed("PATCH", path(), { body: { ...PERSON, ...members }, ...signing });

const changed = (members: object, session?: OpenSession) =>
  wallet.retried("PATCH", path(), {
    body: { ...PERSON, ...members },
    ...(session && { session }),
  });

const email = async () => (await world().call("GET", path())).body.email;

const nicknames = async (accountId = wallet.accountId): Promise<string[]> => {
  const { data } = (await world().call("GET", `/auth/credentials?accountId=${accountId}`)).body;
  return data.map(({ nickname }: { nickname: string }) => nickname);
};

const SET_CHANGED = { status: 409, code: "EMAIL_OTP_CREDENTIAL_SET_CHANGED" };

describe("is applied at once", () => {
  test("where the address signs in to no wallet", async () => {
    await wallet.addOauth();
    const { status, body } = await patch({ email: NEW });
    expect([status, body.email]).toEqual([200, NEW]);
  });

  test("where the address is unchanged or omitted", async () => {
    await wallet.addEmail();
    for (const members of [{ fullName: "Ada" }, { email: "ada@example.com", fullName: "Ada L" }]) {
      const { status, body } = await patch(members, { signature: "x", requestId: "y" });
      expect([status, body.fullName]).toEqual([200, members.fullName]);
    }
  });
});

describe("is signed", () => {
  let credential: string;
  let session: OpenSession;

  beforeEach(async () => {
    credential = await wallet.addEmail("ada@example.com");
    session = await wallet.signIn(credential);
  });

  test("and changes the customer together with the credentials of the same address", async () => {
    const { customerId } = wallet;
    const opened = await world().control("POST", "/internal-accounts", {
      customerId,
      currency: "USDB",
    });
    const second = { type: "EMAIL_OTP", accountId: opened.body.id, email: "Ada@Example.com" };
    expect((await world().call("POST", "/auth/credentials", second)).status).toBe(201);
    const oauth = await wallet.addOauth();
    expect(oauth).toMatch(/^AuthMethod:/);
    await goTo(world(), "09:01:00.000");
    const asked = await patch({ email: NEW, fullName: "Ada" });
    expect(asked.status).toBe(202);
    expect(asked.body).not.toHaveProperty("type");
    expect(JSON.parse(asked.body.payloadToSign)).toMatchObject({
      type: "ACTIVITY_TYPE_UPDATE_USER_EMAIL",
      parameters: { userEmail: NEW, userId: wallet.customerId },
    });
    expect([await email(), await nicknames()]).toEqual([
      "ada@example.com",
      ["ada@example.com", "ada@idp.example"],
    ]);
    const { status, body } = await changed({ email: NEW, fullName: "Ada" }, session);
    expect([status, body.email, body.fullName]).toEqual([200, NEW, "Ada"]);
    expect(await nicknames()).toEqual([NEW, "ada@idp.example"]);
    expect(await nicknames(opened.body.id)).toEqual([NEW]);
    const list = await world().call("GET", `/auth/credentials?accountId=${wallet.accountId}`);
    expect(list.body.data[0].updatedAt).toBe("2026-01-05T09:01:00.000Z");
  });

  test("and leaves a credential with another address as it is, its code too", async () => {
    const { customerId } = wallet;
    const input = { customerId, currency: "USDB" };
    const accountId = (await world().control("POST", "/internal-accounts", input)).body.id;
    const members = { type: "EMAIL_OTP", accountId, email: "own@x.example" };
    const own = (await world().call("POST", "/auth/credentials", members)).body;
    const [{ code: otp }] = (await world().control("GET", "/inbox")).body.data;
    await goTo(world(), "09:01:00.000");
    expect((await changed({ email: NEW }, session)).status).toBe(200);
    expect([await nicknames(), await nicknames(accountId)]).toEqual([[NEW], ["own@x.example"]]);
    const list = await world().call("GET", `/auth/credentials?accountId=${accountId}`);
    expect(list.body.data).toEqual([own]);
    const proof = { type: "EMAIL_OTP", otp, clientPublicKey: clientKeys().publicKey };
    const path = `/auth/credentials/${own.id}/verify`;
    expect((await world().call("POST", path, proof)).status).toBe(200);
    expect((await changed({ email: "ada@third.example" }, session)).status).toBe(200);
    expect(await nicknames(accountId)).toEqual(["own@x.example"]);
  });

  test("and changes no credential if the customer had no address", async () => {
    const other = await WalletClient.create(world());
    const own = await other.addEmail("own@x.example");
    const path = `/customers/${other.customerId}`;
    const body = { ...PERSON, email: "new@x.example" };
    expect((await other.retried("PATCH", path, { body })).body.email).toBe("new@x.example");
    const list = await world().call("GET", `/auth/credentials?accountId=${other.accountId}`);
    expect(list.body.data).toMatchObject([{ id: own, nickname: "own@x.example" }]);
  });

  test("the next code goes to the new address, the old code no longer counts", async () => {
    await world().call("POST", `/auth/credentials/${credential}/challenge`);
    const old = (await world().control("GET", "/inbox")).body.data[0].code;
    await changed({ email: NEW }, session);
    const verify = { type: "EMAIL_OTP", otp: old, clientPublicKey: clientKeys().publicKey };
    const late = await world().call("POST", `/auth/credentials/${credential}/verify`, verify);
    expectUnauthorized(late, { reason: "Invalid OTP code", check: /no code is pending/ });
    await world().call("POST", `/auth/credentials/${credential}/challenge`);
    expect((await world().control("GET", "/inbox")).body.data[0].to).toBe(NEW);
  });

  test("by a session of any of the customer's wallets", async () => {
    const { customerId } = wallet;
    const opened = await world().control("POST", "/internal-accounts", {
      customerId,
      currency: "USDB",
    });
    const accountId = opened.body.id;
    const { body } = await world().call("POST", "/auth/credentials", {
      ...{ type: "OAUTH", accountId },
      oidcToken: (await world().control("POST", "/oidc/token")).body.token,
    });
    const elsewhere = await wallet.signInByToken(body.id);
    expect((await changed({ email: NEW }, elsewhere)).status).toBe(200);
  });

  test("not by another customer's", async () => {
    const other = await WalletClient.create(world());
    const foreign = await other.signInByToken(await other.addOauth());
    expectUnauthorized(await changed({ email: NEW }, foreign), {
      reason: INVALID_SIGNATURE,
      check: /not an active session of this account/,
    });
    expect(await email()).toBe("ada@example.com");
  });

  test("nothing of the body happens without the signature", async () => {
    expect((await patch({ email: NEW, fullName: "Ada" })).status).toBe(202);
    expect((await world().call("GET", path())).body).not.toHaveProperty("fullName");
  });

  test.each(["ada@taken.example", "ADA@Taken.Example"])(
    "an address of another customer's credential is refused, on both calls: %s",
    async (taken) => {
      const asked = await patch({ email: taken });
      expect(asked.status).toBe(202);
      const other = await WalletClient.create(world());
      await other.addEmail("ada@taken.example");
      const refused = {
        status: 409,
        code: "EMAIL_OTP_EMAIL_ALREADY_EXISTS",
        field: "email",
      };
      expectRefused(await patch({ email: taken }), refused);
      const { requestId } = asked.body;
      const retry = { signature: MAGIC_SIGNATURE, requestId };
      expectRefused(await patch({ email: taken }, retry), refused);
      expect(await email()).toBe("ada@example.com");
    },
  );

  test("an address of another customer without EMAIL_OTP credential is free", async () => {
    await WalletClient.create(world(), { email: NEW });
    expect((await changed({ email: NEW }, session)).status).toBe(200);
  });

  test("a tied credential added in between is refused, and the challenge is lost", async () => {
    const asked = await patch({ email: NEW });
    const { customerId } = wallet;
    const opened = await world().control("POST", "/internal-accounts", {
      customerId,
      currency: "USDB",
    });
    const body = { type: "EMAIL_OTP", accountId: opened.body.id, email: "other@x.example" };
    await world().call("POST", "/auth/credentials", body);
    const { payloadToSign, requestId } = asked.body;
    const signature = stampOver(payloadToSign, session.privateKeyHex);
    expectRefused(await patch({ email: NEW }, { signature, requestId }), SET_CHANGED);
    expect([await email(), await nicknames()]).toEqual(["ada@example.com", ["ada@example.com"]]);
    expect((await changed({ email: NEW }, session)).status).toBe(200);
  });

  test("revoking the last tied credential in between is refused too", async () => {
    await wallet.retried("POST", "/auth/credentials", {
      body: { accountId: wallet.accountId, ...PASSKEY_BODY },
    });
    const asked = await patch({ email: NEW });
    const gone = await wallet.retried("DELETE", `/auth/credentials/${credential}`);
    expect(gone.status).toBe(204);
    const { requestId } = asked.body;
    for (const signature of [MAGIC_SIGNATURE, "x"])
      expectRefused(await patch({ email: NEW }, { signature, requestId }), SET_CHANGED);
    expect(await email()).toBe("ada@example.com");
    expect((await patch({ email: NEW })).status).toBe(200);
  });

  test("other mistakes of the body are refused on the first call", async () => {
    expectRefused(await patch({ email: NEW, customerType: "BUSINESS" }), {
      status: 400,
      code: "INVALID_INPUT",
      field: "customerType",
    });
  });
});
