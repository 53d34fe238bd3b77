import { afterAll, beforeAll, expect, test } from "vitest";
import { activityLines } from "../../src/cli/text/activity.ts";
import { plainStyle } from "../../src/cli/text/terminal.ts";
import { clientKeys, openedSession, WalletClient } from "../api/wallets/setup/wallet-client.ts";
import { GENEROUS } from "../setup/agents.ts";
import { type Parsed, startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import { StateDirectory } from "../storage/setup/state-directory.ts";

/** Secrets that the service gives or takes, by kind. */
type Secrets = Record<string, string>;

const directory = new StateDirectory();
const shown: Record<string, string> = {};
let world: TestSimulator;
let secrets: Secrets;

/** Sends a secret in every place that a caller may put it by mistake: path, query, header, body. */
const misplace = async (secret: string) => {
  const lower = secret.toLowerCase();
  const paths = [
    `/${secret}`,
    `/quotes/${secret}`,
    `/quotes/${lower}/execute`,
    `/agents/device-codes/${secret}`,
    `/agents/device-codes/${secret}/status`,
    `/agents/device-codes/${lower}/redem`,
    `/token/${secret}`,
    `/otp/${secret}/verify`,
    `/quotes/${[...secret].map((one) => `%${one.charCodeAt(0).toString(16)}`).join("")}`,
    `/quotes?token=${secret}&${secret}=1`,
    `/customers?limit=5&cursor=${secret}`,
  ];
  for (const path of paths) for (const method of ["GET", "PUT"]) await world.raw(method, path);
  const headers = { "idempotency-key": secret, "user-agent": secret, "x-token": secret };
  await world.raw("GET", "/config", { headers });
  await world.call("POST", "/customers", { customerType: "NONE", token: secret, otp: secret });
};

const agentSecrets = async (): Promise<Secrets> => {
  const { body: customer } = await world.call("POST", "/customers", { customerType: "INDIVIDUAL" });
  const input = { name: "Bot", customerId: customer.id, policy: GENEROUS };
  const { body: made } = await world.call("POST", "/agents", input);
  const live = await world.call("POST", `/agents/${made.agent.id}/device-codes`);
  const other = await world.call("POST", "/agents", input);
  const { code } = other.body.deviceCode;
  await world.call("GET", `/agents/device-codes/${code}/status`);
  const redeemed = await world.call("POST", `/agents/device-codes/${code}/redeem`);
  await world.call("POST", `/agents/device-codes/${code}/redeem`);
  const authorization = `Bearer ${redeemed.body.accessToken}`;
  await world.raw("GET", "/agents/me", { headers: { authorization } });
  return {
    "device code that was replaced": made.deviceCode.code,
    "live device code": live.body.code,
    "redeemed device code": code,
    "agent's access token": redeemed.body.accessToken,
  };
};

const walletSecrets = async (): Promise<Secrets> => {
  const wallet = await WalletClient.create(world, { email: "ada@example.com" });
  const email = await wallet.addEmail();
  const mails = async () => (await world.control("GET", "/inbox")).body.data as Parsed[];
  const [{ code: otp }] = (await mails()) as [Parsed];
  const keys = clientKeys();
  const proof = { type: "EMAIL_OTP", otp, clientPublicKey: keys.publicKey };
  const opened = await world.call("POST", `/auth/credentials/${email}/verify`, proof);
  const session = await openedSession(opened.body, keys);
  await world.call("POST", `/auth/credentials/${email}/challenge`);
  const [{ code: secondOtp }] = (await mails()) as [Parsed];
  const oidcToken = (await world.control("POST", "/oidc/token", {})).body.token;
  const body = { type: "OAUTH", accountId: wallet.accountId, oidcToken };
  await wallet.retried("POST", "/auth/credentials", { body, session });
  return {
    "one-time password": otp,
    "live one-time password": secondOtp,
    "session's private key": session.privateKeyHex,
    "sealed session key": opened.body.encryptedSessionSigningKey,
    "client's private key": keys.privateKeyHex,
    "ID token": oidcToken,
  };
};

const gather = async () => {
  const { data } = (await world.control("GET", "/requests?limit=100")).body;
  let cursor: string | undefined;
  const requests: Parsed[] = [...data];
  for (;;) {
    const query = cursor === undefined ? "" : `&cursor=${cursor}`;
    const page = (await world.control("GET", `/requests?limit=100${query}`)).body;
    if (cursor !== undefined) requests.push(...page.data);
    if (!page.hasMore) break;
    cursor = page.nextCursor;
  }
  shown.requests = JSON.stringify(requests);
  const ids = new Set<string>();
  for (const { id, caused } of requests) {
    shown[`request ${id}`] = JSON.stringify((await world.control("GET", `/requests/${id}`)).body);
    for (const one of caused) ids.add(one);
  }
  for (const id of ids)
    shown[`why ${id}`] = JSON.stringify((await world.control("GET", `/why/${id}`)).body);
  for (const path of ["/status", "/timers", "/webhooks", "/faults", "/approvals", "/ledger"])
    shown[path] = JSON.stringify((await world.control("GET", path)).body);
  for (const path of ["/tokens", "/agents", "/config"])
    shown[path] = JSON.stringify((await world.call("GET", path)).body);
  expect(requests.length).toBeGreaterThan(100);
  expect(ids.size).toBeGreaterThan(5);
};

beforeAll(async () => {
  const lines: string[] = [];
  const activities: string[] = [];
  const lineOf = activityLines(plainStyle(), { hasControl: true });
  world = await startTestSimulator({
    storage: directory.url,
    onActivity: (activity) => {
      lines.push(lineOf(activity) ?? "");
      activities.push(JSON.stringify(activity));
    },
  });
  const feeding = new AbortController();
  const request = new Request(`${world.sim.controlUrl}/events`, { signal: feeding.signal });
  const feed = await world.sim.fetch(request);
  const read = async () => {
    for await (const chunk of feed.body as unknown as AsyncIterable<Uint8Array>)
      shown.feed = (shown.feed ?? "") + Buffer.from(chunk).toString();
  };
  const reading = read().catch(() => {});
  const token = { name: "CI", permissions: ["VIEW"] };
  const { body: made } = await world.call("POST", "/tokens", token);
  secrets = {
    "client secret": world.sim.clientSecret,
    "API token's secret": made.clientSecret,
    ...(await agentSecrets()),
    ...(await walletSecrets()),
  };
  for (const [kind, secret] of Object.entries(secrets))
    if (!kind.includes("one-time")) await misplace(secret);
  await gather();
  await world.sim.close();
  feeding.abort();
  await reading;
  shown["live log"] = lines.join("\n");
  shown.activities = activities.join("\n");
  for (const [name, bytes] of directory.contents()) shown[`journal ${name}`] = bytes;
});

afterAll(() => directory.remove());

/**
 * Secrets that stay readable on purpose. The inbox shows codes, and a device code finds its state.
 * A request that waits for its signature keeps the body to sign.
 */
const IN_THE_JOURNAL: readonly RegExp[] = [/one-time password/, /device code/, /ID token/];

const KINDS = [
  "client secret",
  "API token's secret",
  "device code that was replaced",
  "live device code",
  "redeemed device code",
  "agent's access token",
  "one-time password",
  "live one-time password",
  "session's private key",
  "sealed session key",
  "client's private key",
  "ID token",
];

test("every kind is looked for, and every place has something to show", () => {
  expect(Object.keys(secrets)).toEqual(KINDS);
  for (const [kind, secret] of Object.entries(secrets))
    expect([kind, secret.length >= 6]).toEqual([kind, true]);
  for (const place of ["requests", "feed", "live log", "activities", "/tokens"])
    expect([place, (shown[place] ?? "").length > 100]).toEqual([place, true]);
  expect(Object.keys(shown).filter((place) => place.startsWith("journal"))).not.toEqual([]);
  expect(shown.requests).toContain("/agents/device-codes/[redacted]/redeem");
  expect(shown["live log"]).toContain("/agents/device-codes/[redacted]");
});

test.each(KINDS)("no %s is shown in requests, records and states", (kind) => {
  const secret = (secrets[kind] ?? "").toLowerCase();
  const places = Object.entries(shown).flatMap(([place, text]) => {
    const isKept = place.startsWith("journal") && IN_THE_JOURNAL.some((one) => one.test(kind));
    return !isKept && text.toLowerCase().includes(secret) ? [place] : [];
  });
  expect(places).toEqual([]);
});
