import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import { FLOWS, PROGRAMS } from "./setup/branded-programs.ts";
import { ClientFolder, TSX } from "./setup/generators.ts";
import { judgedTraffic } from "./setup/judged-traffic.ts";
import { CLIENTS, makeClients } from "./setup/main-clients.ts";

const BRAND = { word: "acme", paths: { "/acme/2025-10-13": "2025-10-13" } } as const;

let world: TestSimulator;
const folder = new ClientFolder();

beforeAll(async () => {
  world = await startTestSimulator({ brand: BRAND, clock: "auto", worlds: "open" });
  await world.sim.listen();
  const { controlUrl, clientSecret, webhookPublicKey } = world.sim;
  folder.env = {
    API_URL: `${new URL(controlUrl).origin}/acme/2025-10-13`,
    SECRET: clientSecret,
    WEBHOOK_KEY: webhookPublicKey,
  };
  const reply = await fetch(`${controlUrl}/openapi.json`);
  await makeClients(folder, await reply.text(), [FLOWS, { program: PROGRAMS }]);
});

afterAll(async () => {
  await world?.sim.close();
  folder.remove();
});

// spec/brand.md
test.each(CLIENTS)(
  "a generated client does the main flows of another brand: $client",
  {
    timeout: 120_000,
  },
  async ({ client }) => {
    const { clientId, clientSecret } = world.sim;
    const file = `${client}-traffic.json`;
    const CREDENTIALS = `${clientId}+${client}:${clientSecret}`;
    folder.env = { ...folder.env, CREDENTIALS, TRAFFIC: file };
    expect(JSON.parse(await folder.run("--import", TSX, `${client}-program.ts`))).toEqual({
      walked: 3,
      fee: 10,
      paid: "COMPLETED",
      signedIn: true,
      added: true,
      code: "ACME-AGENT-",
      action: ["PENDING_APPROVAL", true, "APPROVED"],
      seen: expect.arrayContaining(["25000 USD sent", "OUTGOING_PAYMENT.PENDING"]),
      forged: 0,
    });
    const { isWhole, wrong } = judgedTraffic(folder, file);
    expect({ isWhole, wrong }).toEqual({ isWhole: true, wrong: [[], [], []] });
  },
);
