import { afterAll, beforeAll, expect, test } from "vitest";
import { bareSignatureOver, stampOver } from "../../../src/crypto/wallet-signatures.ts";
import { type RunningCli, Workplace } from "../../setup/cli.ts";
import type { Parsed, TestSimulator } from "../../setup/test-simulator.ts";
import { PasskeyClient } from "./setup/passkey-client.ts";
import { clientKeys, openedSession, WalletClient } from "./setup/wallet-client.ts";

/** A simulator in its own process, called like one in this process. */
const asTestSimulator = ({ ready, control }: RunningCli): TestSimulator => {
  const authorization = `Basic ${btoa(`${ready.clientId}:${ready.clientSecret}`)}`;
  const raw: TestSimulator["raw"] = async (method, path, init = {}) => {
    const headers = { authorization, ...(init.headers as Record<string, string>) };
    const response = await fetch(ready.apiUrl + path, { ...init, method, headers });
    const text = await response.text();
    const body = text === "" ? "" : JSON.parse(text);
    return { status: response.status, headers: response.headers, body };
  };
  const call: TestSimulator["call"] = (method, path, body) =>
    raw(method, path, {
      headers: { "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return { raw, call, control, alarms: [] } as unknown as TestSimulator;
};

const place = new Workplace();
const feed = { text: "" };
const stopFeed = new AbortController();
let cli: RunningCli;
let wallet: WalletClient;

beforeAll(async () => {
  cli = await place.start("--storage memory: --clock manual --verbose");
  wallet = await WalletClient.create(asTestSimulator(cli), { email: "ada@example.com" });
  const events = await fetch(`${cli.ready.controlUrl}/events`, { signal: stopFeed.signal });
  const read = async () => {
    for await (const chunk of events.body as unknown as AsyncIterable<Uint8Array>)
      feed.text += Buffer.from(chunk).toString();
  };
  read().catch(() => {});
});

afterAll(async () => {
  stopFeed.abort();
  await place.close();
});

const codes = async (): Promise<string[]> =>
  (await wallet.sim.control("GET", "/inbox")).body.data.map(({ code }: Parsed) => code);

const token = async (claims: object): Promise<string> =>
  (await wallet.sim.control("POST", "/oidc/token", claims)).body.token;

/** Signs in and signs in every way, and returns all texts that must stay secret. */
const useEverything = async (): Promise<Record<string, string>> => {
  const secrets: Record<string, string> = {};
  const verify = (id: string, body: object) =>
    wallet.sim.call("POST", `/auth/credentials/${id}/verify`, body);
  const email = await wallet.addEmail("ada@example.com");
  const keys = clientKeys();
  const clientPublicKey = keys.publicKey;
  secrets.wrongCode = "wrong-code-7391";
  await verify(email, { type: "EMAIL_OTP", otp: secrets.wrongCode, clientPublicKey });
  secrets.numericCode = "81723645";
  await verify(email, { type: "EMAIL_OTP", otp: Number(secrets.numericCode), clientPublicKey });
  const [otp = ""] = await codes();
  const opened = await verify(email, { type: "EMAIL_OTP", otp, clientPublicKey });
  secrets.otp = otp;
  secrets.bundle = opened.body.encryptedSessionSigningKey;
  const session = await openedSession(opened.body, keys);
  secrets.sessionKey = session.privateKeyHex;
  await wallet.sim.call("POST", `/auth/credentials/${email}/challenge`);
  secrets.secondOtp = (await codes())[0] ?? "";

  // A long token makes a payload that is too long for the log.
  for (const [name, nonce] of [
    ["token", "n"],
    ["longToken", "n".repeat(1300)],
  ] as const) {
    const oidcToken = await token({ nonce });
    const body = { type: "OAUTH", accountId: wallet.accountId, oidcToken };
    const asked = await wallet.signed("POST", "/auth/credentials", { body });
    secrets[name] = oidcToken;
    secrets[`${name}'s signature`] = oidcToken.split(".")[2] as string;
    secrets[`${name}'s beginning`] = oidcToken.slice(0, 200);
    const { payloadToSign, requestId } = asked.body;
    const signature = stampOver(payloadToSign, session.privateKeyHex);
    const made = await wallet.signed("POST", "/auth/credentials", { body, signature, requestId });
    expect(made.status).toBe(201);
    secrets[`${name}'s stamp`] = signature;
    secrets.freshToken = await token({});
    const proof = { type: "OAUTH", oidcToken: secrets.freshToken, clientPublicKey };
    expect((await verify(made.body.id, proof)).status).toBe(200);
    await wallet.retried("DELETE", `/auth/credentials/${made.body.id}`, { session });
  }

  const passkey = await PasskeyClient.register(wallet);
  const asked = await passkey.challenge();
  const assertion = passkey.assertion(asked.challenge);
  secrets.assertion = assertion.signature;
  await passkey.verify({ ...assertion, signature: "MEUCIQCfailing-signature" }, asked.requestId);
  secrets.failingAssertion = "MEUCIQCfailing-signature";
  expect((await passkey.verify(assertion, asked.requestId)).status).toBe(200);

  const path = `/internal-accounts/${wallet.accountId}/export`;
  const body = { clientPublicKey };
  const { payloadToSign, requestId } = (await wallet.signed("POST", path, { body })).body;
  const signature = bareSignatureOver(payloadToSign, session.privateKeyHex);
  const out = await wallet.signed("POST", path, { body, signature, requestId });
  secrets.bareSignature = signature;
  secrets.export = JSON.parse(out.body.encryptedWalletCredentials).data;
  return secrets;
};

// spec/inbox.md#code-secrecy
test("no code, token, key or signature appears in the log, the feed, an explanation or stdout", async () => {
  const secrets = await useEverything();
  const { control } = wallet.sim;
  const list = (await control("GET", "/requests?limit=100")).body;
  expect(list.data.length).toBeGreaterThan(20);
  const shown: Record<string, string> = { list: JSON.stringify(list) };
  const ids = new Set<string>();
  for (const { id, caused } of list.data) {
    shown[`request ${id}`] = JSON.stringify((await control("GET", `/requests/${id}`)).body);
    for (const one of caused) ids.add(one);
  }
  expect([...ids].some((id) => id.startsWith("AuthMethod:"))).toBe(true);
  for (const id of ids)
    shown[`why ${id}`] = JSON.stringify((await control("GET", `/why/${id}`)).body);
  for (const path of ["/status", "/timers", "/webhooks", "/outcomes"])
    shown[path] = JSON.stringify((await control("GET", path)).body);
  const { stdout, stderr } = await cli.stop();
  Object.assign(shown, { feed: feed.text, stdout, stderr });
  expect(feed.text).toContain("verifyCredential");

  const found = Object.entries(secrets).flatMap(([name, secret]) =>
    Object.entries(shown)
      .filter(([, text]) => text.includes(secret))
      .map(([where]) => `${name} in ${where}`),
  );
  expect(Object.values(secrets).filter((secret) => secret.length < 6)).toEqual([]);
  expect(found).toEqual([]);
}, 60_000);
