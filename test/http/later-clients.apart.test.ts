import { afterAll, beforeAll, expect, test } from "vitest";
import { LATER_SUCCESSES } from "../revisions/setup/later-shapes.ts";
import { laterWebhook } from "../revisions/setup/later-webhooks.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import { ClientFolder, TSX } from "./setup/generators.ts";
import { judgedTraffic } from "./setup/judged-traffic.ts";
import { LATER_MAIN_FLOWS, LATER_MAIN_PROGRAMS } from "./setup/later-main-programs.ts";
import { LATER_FLOWS, LATER_PROGRAMS } from "./setup/later-programs.ts";
import { CLIENTS, makeClients } from "./setup/main-clients.ts";
import { mainFlows } from "./setup/main-flows.ts";

let world: TestSimulator;
const folder = new ClientFolder();

const MODULES = {
  "flows.ts": LATER_FLOWS,
  "main-flows.ts": mainFlows("service"),
  "later-main-flows.ts": LATER_MAIN_FLOWS,
};
const PROGRAMS = { program: LATER_PROGRAMS, platform: LATER_MAIN_PROGRAMS };

beforeAll(async () => {
  world = await startTestSimulator({ revision: "2026-08", clock: "auto", worlds: "open" });
  await world.sim.listen();
  const { apiUrl, controlUrl, webhookPublicKey } = world.sim;
  folder.env = { API_URL: apiUrl, WEBHOOK_KEY: webhookPublicKey };
  const reply = await fetch(`${controlUrl}/openapi.json`);
  await makeClients(folder, await reply.text(), [MODULES, PROGRAMS]);
}, 240_000);

afterAll(async () => {
  await world?.sim.close();
  folder.remove();
});

// spec/later-wallets.md
test.each(CLIENTS)(
  "a wallet made from nothing signs in with a sealed code, pays and is exported: $client",
  { timeout: 120_000 },
  async ({ client }) => {
    const { apiUrl, controlUrl, clientId, clientSecret } = world.sim;
    const credentials = `${clientId}+${client}:${clientSecret}`;
    const headers = { authorization: `Basic ${btoa(credentials)}` };
    await fetch(`${apiUrl}/config`, { headers });
    // Each world signs with a key of its own.
    const status = await fetch(`${controlUrl}/status?world=${client}`);
    const { otpSignerPublicKey } = ((await status.json()) as { settings: Record<string, string> })
      .settings;
    folder.env = { ...folder.env, CREDENTIALS: credentials, OTP_SIGNER: otpSignerPublicKey };
    expect(JSON.parse(await folder.run("--import", TSX, `${client}-program.ts`))).toEqual({
      born: ["EMAIL_OTP"],
      wrong: "refused",
      sealedKey: "none",
      signedIn: true,
      paid: ["COMPLETED", "DEBIT"],
      words: 12,
      left: 75_000_000,
      seen: expect.arrayContaining([
        "DEBIT OUTGOING_PAYMENT.COMPLETED",
        "number INTERNAL_ACCOUNT.BALANCE_UPDATED",
        "OUTGOING_PAYMENT.PENDING",
      ]),
      forged: 0,
    });
  },
);

/** Judges answers and webhooks by the shapes of the contract, which are written by hand. */
const byContract = (traffic: ReturnType<typeof judgedTraffic>["traffic"]) => {
  const judged = new Set<string>();
  const wrong: string[] = [];
  for (const one of traffic) {
    const isCall = one.kind === "call";
    if (isCall && one.status >= 300) continue;
    const { type } = (isCall ? {} : one.body) as { type?: string };
    const path = isCall && one.path.replace(/\?.*/, "").replaceAll(/\/\w+(?::|%3A)[^/]+/g, "/{}");
    const name = isCall ? `${one.method} ${path}` : `webhook ${type}`;
    const shape = isCall ? LATER_SUCCESSES.get(name) : laterWebhook(type ?? "none");
    if (!isCall && !shape) wrong.push(name);
    if (!shape) continue;
    judged.add(name);
    const { error } = shape.safeParse(isCall ? one.responseBody : one.body);
    if (error) wrong.push(`${name}: ${error.message}`);
  }
  return { judged, wrong };
};

// spec/revisions.md#changes
test.each(CLIENTS)(
  "a generated client does the main flows of the later revision: $client",
  { timeout: 120_000 },
  async ({ client }) => {
    const { clientId, clientSecret } = world.sim;
    const file = `${client}-traffic.json`;
    const CREDENTIALS = `${clientId}+${client}-main:${clientSecret}`;
    folder.env = { ...folder.env, CREDENTIALS, TRAFFIC: file };
    expect(JSON.parse(await folder.run("--import", TSX, `${client}-platform.ts`))).toEqual({
      walked: 3,
      fee: 10,
      paid: "COMPLETED",
      code: "SERVICE-AGENT-",
      action: ["PENDING_APPROVAL", true, "APPROVED"],
      moved: [
        ["CREDIT", "COMPLETED"],
        ["DEBIT", "COMPLETED"],
      ],
      canceled: ["FAILED", "QUOTE_EXECUTION_FAILED", "USER_CANCELLATION"],
      confirmed: "string",
      card: ["PROCESSING", 3_000, true, true],
      purchases: ["REFUNDED", "EXCEPTION"],
      business: ["refused", "APPROVED", "APPROVED", "US"],
      accounts: ["refused", "ACTIVE", "ACTIVE"],
      kinds: ["CARD DEBIT", "INCOMING CREDIT", "OUTGOING DEBIT"],
      seen: expect.arrayContaining([
        "25000 USD sent",
        "AGENT_ACTION.PENDING_APPROVAL",
        "CARD DEBIT 2500 REFUNDED",
        "CARD DEBIT 2500 SETTLED",
        "CARD.STATE_CHANGE",
        "CARD_TRANSACTION.AUTHORIZED",
        "CARD_TRANSACTION.EXCEPTION",
        "CUSTOMER.KYB_APPROVED",
        "INCOMING_PAYMENT.COMPLETED",
        "OUTGOING_PAYMENT.REFUND_COMPLETED",
        "VERIFICATION.APPROVED",
      ]),
      forged: 0,
    });
    const { traffic, isWhole, wrong } = judgedTraffic(folder, file);
    expect({ isWhole, wrong }).toEqual({ isWhole: true, wrong: [[], [], []] });
    const contract = byContract(traffic);
    expect(contract.wrong).toEqual([]);
    expect([...contract.judged]).toEqual(
      expect.arrayContaining([
        "GET /transactions",
        "GET /transactions/{}",
        "POST /transactions/{}/cancel",
        "POST /transactions/{}/confirm",
        "POST /sandbox/cards/{}/simulate/return",
        "PATCH /cards/{}",
        "webhook CARD_TRANSACTION.EXCEPTION",
        "webhook INTERNAL_ACCOUNT.BALANCE_UPDATED",
        "webhook OUTGOING_PAYMENT.REFUND_COMPLETED",
      ]),
    );
  },
);
