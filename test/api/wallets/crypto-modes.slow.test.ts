import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPasskey } from "../../../src/crypto/software-authenticator.ts";
import { bareSignatureOver, stampOver } from "../../../src/crypto/wallet-signatures.ts";
import { type Answer, startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { PasskeyClient } from "./setup/passkey-client.ts";
import { expectUnauthorized, INVALID_SIGNATURE } from "./setup/unauthorized.ts";
import {
  clientKeys,
  MAGIC_SIGNATURE,
  openedSession,
  PASSKEY_BODY,
  unsignedToken,
  WalletClient,
} from "./setup/wallet-client.ts";

const MODES = ["both", "magic-only", "strict"] as const;

const KEYS = clientKeys();
const clientPublicKey = KEYS.publicKey;

const mailed = async ({ sim }: WalletClient): Promise<string> =>
  (await sim.control("GET", "/inbox")).body.data[0].code;

const genuineToken = async ({ sim }: WalletClient): Promise<string> =>
  (await sim.control("POST", "/oidc/token")).body.token;

const verify = ({ sim }: WalletClient, id: string, body: object) =>
  sim.call("POST", `/auth/credentials/${id}/verify`, { clientPublicKey, ...body });

const create = ({ sim, accountId }: WalletClient, body: object) =>
  sim.call("POST", "/auth/credentials", { accountId, ...body });

const passkeyProof = async (wallet: WalletClient, signature?: string) => {
  const client = await PasskeyClient.register(wallet);
  const asked = await client.challenge();
  const assertion = client.assertion(asked.challenge);
  return client.verify({ ...assertion, ...(signature && { signature }) }, asked.requestId);
};

/** A session, by the one proof that the mode accepts. */
const signedIn = async (wallet: WalletClient, mode: (typeof MODES)[number]) => {
  const id = await wallet.addEmail("ada@example.com");
  const otp = mode === "magic-only" ? "000000" : await mailed(wallet);
  const { body } = await verify(wallet, id, { type: "EMAIL_OTP", otp });
  return openedSession(body, KEYS);
};

const signed = async (
  wallet: WalletClient,
  mode: (typeof MODES)[number],
  sign: (payload: string, key: string) => string,
) => {
  const { privateKeyHex } = await signedIn(wallet, mode);
  const path = `/internal-accounts/${wallet.accountId}`;
  const body = { privateEnabled: true };
  const { payloadToSign, requestId } = (await wallet.signed("PATCH", path, { body })).body;
  const signature = sign(payloadToSign, privateKeyHex);
  return wallet.signed("PATCH", path, { body, signature, requestId });
};

const registered = async (wallet: WalletClient, challenge: string) => {
  const { attestation } = await createPasskey({
    challenge: "cmVnaXN0cmF0aW9u",
    rpId: "wallet.example",
    origin: "https://wallet.example",
    algorithm: "ES256",
  });
  return create(wallet, { type: "PASSKEY", nickname: "Laptop", challenge, attestation });
};

const OK = { magic: [200, 200, 401], real: [200, 401, 200] };

/**
 * Each proof with its answer in `both`, `magic-only` and `strict` (spec/wallets.md#crypto-modes).
 */
const PROOFS: {
  proof: string;
  statuses: number[];
  reason?: string;
  meet(wallet: WalletClient, mode: (typeof MODES)[number]): Promise<Answer>;
}[] = [
  {
    proof: "the magic code",
    statuses: OK.magic,
    reason: "Invalid OTP code",
    meet: async (wallet) =>
      verify(wallet, await wallet.addEmail(), { type: "EMAIL_OTP", otp: "000000" }),
  },
  {
    proof: "the mailed code",
    statuses: OK.real,
    reason: "Invalid OTP code",
    meet: async (wallet) => {
      const id = await wallet.addEmail();
      return verify(wallet, id, { type: "EMAIL_OTP", otp: await mailed(wallet) });
    },
  },
  {
    proof: "the magic token",
    statuses: OK.magic,
    reason: "Invalid OIDC token",
    meet: async (wallet) => {
      const { body } = await create(wallet, {
        type: "OAUTH",
        oidcToken: await genuineToken(wallet),
      });
      return verify(wallet, body.id, { type: "OAUTH", oidcToken: "sandbox-valid-oidc-token" });
    },
  },
  {
    proof: "a genuine token",
    statuses: OK.real,
    reason: "Invalid OIDC token",
    meet: async (wallet) => {
      const { body } = await create(wallet, {
        type: "OAUTH",
        oidcToken: await genuineToken(wallet),
      });
      return verify(wallet, body.id, { type: "OAUTH", oidcToken: await genuineToken(wallet) });
    },
  },
  {
    proof: "the magic assertion",
    statuses: OK.magic,
    reason: "Invalid passkey signature",
    meet: (wallet) => passkeyProof(wallet, "sandbox-valid-passkey-signature"),
  },
  {
    proof: "a real assertion",
    statuses: OK.real,
    reason: "Invalid passkey signature",
    meet: (wallet) => passkeyProof(wallet),
  },
  {
    proof: "the magic signature",
    statuses: OK.magic,
    reason: INVALID_SIGNATURE,
    meet: (wallet, mode) => signed(wallet, mode, () => MAGIC_SIGNATURE),
  },
  {
    proof: "a stamp",
    statuses: OK.real,
    reason: INVALID_SIGNATURE,
    meet: (wallet, mode) => signed(wallet, mode, stampOver),
  },
  {
    proof: "a bare signature",
    statuses: OK.real,
    reason: INVALID_SIGNATURE,
    meet: (wallet, mode) => signed(wallet, mode, bareSignatureOver),
  },
  {
    proof: "an unsigned token, for a new credential",
    statuses: [201, 201, 401],
    reason: "Invalid OIDC token",
    meet: (wallet) => create(wallet, { type: "OAUTH", oidcToken: unsignedToken() }),
  },
  {
    proof: "a genuine token for a new credential",
    statuses: [201, 201, 201],
    meet: async (wallet) =>
      create(wallet, { type: "OAUTH", oidcToken: await genuineToken(wallet) }),
  },
  {
    proof: "a genuine token that is too old, for a new credential",
    statuses: [201, 201, 401],
    reason: "Invalid OIDC token",
    meet: async (wallet) => {
      const oidcToken = await genuineToken(wallet);
      await wallet.sim.sim.advance("61s");
      return create(wallet, { type: "OAUTH", oidcToken });
    },
  },
  {
    proof: "the magic token for a new credential",
    statuses: [400, 400, 400],
    meet: (wallet) => create(wallet, { type: "OAUTH", oidcToken: "sandbox-valid-oidc-token" }),
  },
  {
    proof: "a registration that does not parse",
    statuses: [201, 201, 400],
    meet: (wallet) => create(wallet, PASSKEY_BODY),
  },
  {
    proof: "a real registration",
    statuses: [201, 201, 201],
    meet: (wallet) => registered(wallet, "cmVnaXN0cmF0aW9u"),
  },
  {
    proof: "a real registration for another challenge",
    statuses: [400, 201, 400],
    meet: (wallet) => registered(wallet, "YW5vdGhlcg"),
  },
];

const MAGIC = /000000|sandbox-valid-/;
const GENUINE = /inbox|mail|oidc token|registered passkey|Sign /;

/** Asserts that the next step names accepted proofs only. */
const expectNextStep = ({ body }: Answer, mode: (typeof MODES)[number]) => {
  const next = body.message.slice(body.message.lastIndexOf(". ") + 2);
  expect(MAGIC.test(next)).toBe(mode !== "strict");
  expect(GENUINE.test(next)).toBe(mode !== "magic-only");
};

// spec/wallets.md#magic-values
describe.each(MODES)("--crypto %s", (mode) => {
  let sim: TestSimulator;
  let wallet: WalletClient;

  beforeEach(async () => {
    sim = await startTestSimulator({ crypto: mode });
    wallet = await WalletClient.create(sim, { email: "ada@example.com" });
  });

  afterEach(async () => {
    await sim.sim.close();
    expect(sim.alarms).toEqual([]);
  });

  test.each(PROOFS)("$proof", async ({ proof, statuses, reason, meet }) => {
    const wanted = statuses[MODES.indexOf(mode)];
    const answer = await meet(wallet, mode);
    expect(answer.status).toBe(wanted);
    if (wanted !== 401) return;
    const ofStrict = proof.startsWith("the magic ")
      ? /^--crypto strict accepts no magic value$/
      : /\S/;
    const check =
      mode === "strict" ? ofStrict : /^--crypto magic-only accepts only sandbox-valid-|000000/;
    expectUnauthorized(answer, { check, ...(reason !== undefined && { reason }) });
    expectNextStep(answer, mode);
  });

  test("refusals of each kind say which proofs count, and where to get them", async () => {
    const email = await wallet.addEmail("ada@example.com");
    const code = await verify(wallet, email, { type: "EMAIL_OTP", otp: "junk" });
    const path = `/internal-accounts/${wallet.accountId}`;
    const body = { privateEnabled: true };
    const { requestId } = (await wallet.signed("PATCH", path, { body })).body;
    const signature = await wallet.signed("PATCH", path, { body, signature: "junk", requestId });
    const other = await WalletClient.create(sim);
    const assertion = await passkeyProof(other, "anVuaw");
    const third = await WalletClient.create(sim);
    const made = await create(third, { type: "OAUTH", oidcToken: await genuineToken(third) });
    const token = await verify(third, made.body.id, { type: "OAUTH", oidcToken: "junk" });
    for (const answer of [code, signature, assertion, token]) {
      expectUnauthorized(answer, { reason: answer.body.reason, check: /\S/ });
      expectNextStep(answer, mode);
    }
    const { id } = assertion.body.details;
    expect(id).toMatch(/^AuthMethod:/);
    if (mode !== "magic-only")
      expect(assertion.body.message).toContain(`POST /auth/credentials/${id}/challenge`);
  });

  test("the refusal of the magic code names the mode, even if no code is pending", async () => {
    const id = await wallet.addEmail("ada@example.com");
    const otp = mode === "magic-only" ? "000000" : await mailed(wallet);
    expect((await verify(wallet, id, { type: "EMAIL_OTP", otp })).status).toBe(200);
    const again = await verify(wallet, id, { type: "EMAIL_OTP", otp: "000000" });
    if (mode !== "strict") return expect(again.status).toBe(200);
    expectUnauthorized(again, {
      reason: "Invalid OTP code",
      check: /^--crypto strict accepts no magic value$/,
    });
  });

  test("the inbox says so if a code is never accepted", async () => {
    await wallet.addEmail("ada@example.com");
    const [mail] = (await sim.control("GET", "/inbox")).body.data;
    expect(mail.neverValid).toBe(
      mode === "magic-only" ? "--crypto magic-only accepts only 000000" : undefined,
    );
  });

  test("session keys are really sealed, and mails are in the inbox", async () => {
    const session = await signedIn(wallet, mode);
    expect(session.privateKeyHex).toMatch(/^[0-9a-f]{64}$/);
    expect(await mailed(wallet)).toMatch(/^[0-9]{6}$/);
  });

  test.skipIf(mode === "strict")("a refresh needs its session, magic or not", async () => {
    const { id } = await signedIn(wallet, mode);
    const path = `/auth/sessions/${id}/refresh`;
    const body = { clientPublicKey };
    const { requestId } = (await wallet.signed("POST", path, { body })).body;
    await wallet.retried("DELETE", `/auth/sessions/${id}`);
    const late = await wallet.signed("POST", path, { body, signature: MAGIC_SIGNATURE, requestId });
    expectUnauthorized(late, { reason: "Session is not active", check: /^it was revoked/ });
  });
});

describe("--wallet-credential email", () => {
  let sim: TestSimulator;

  beforeEach(async () => {
    sim = await startTestSimulator({ walletCredential: "email" });
  });

  afterEach(() => sim.sim.close());

  const credentialsOf = async ({ accountId }: WalletClient) =>
    (await sim.call("GET", `/auth/credentials?accountId=${accountId}`)).body.data;

  test("a wallet starts with its customer's address, and the code is mailed", async () => {
    const wallet = await WalletClient.create(sim, { email: "ada@example.com" });
    const [credential, ...more] = await credentialsOf(wallet);
    expect(more).toEqual([]);
    expect([credential.type, credential.nickname]).toEqual(["EMAIL_OTP", "ada@example.com"]);
    const otp = await mailed(wallet);
    expect((await verify(wallet, credential.id, { type: "EMAIL_OTP", otp })).status).toBe(200);
    expect((await create(wallet, { type: "EMAIL_OTP" })).body.code).toBe(
      "EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS",
    );
    expect((await create(wallet, PASSKEY_BODY)).status).toBe(202);
  });

  test("a customer without an address gets no credential", async () => {
    const wallet = await WalletClient.create(sim);
    expect(await credentialsOf(wallet)).toEqual([]);
    expect((await sim.control("GET", "/inbox")).body.data).toEqual([]);
  });

  test("a wallet that is opened later starts with it too", async () => {
    const { customerId } = await WalletClient.create(sim, { email: "ada@example.com" });
    const opened = await sim.control("POST", "/internal-accounts", {
      customerId,
      currency: "USDB",
    });
    expect(opened.body.type).toBe("EMBEDDED_WALLET");
    const path = `/auth/credentials?accountId=${opened.body.id}`;
    expect((await sim.call("GET", path)).body.data).toHaveLength(1);
    const other = await sim.control("POST", "/internal-accounts", { customerId, currency: "USD" });
    const none = `/auth/credentials?accountId=${other.body.id}`;
    expect((await sim.call("GET", none)).body.data).toEqual([]);
  });
});
