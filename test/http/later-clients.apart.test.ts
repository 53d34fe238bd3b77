import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import {
  ClientFolder,
  HEY_API,
  NODE,
  OPENAPI_TYPESCRIPT,
  SWAGGER_TYPESCRIPT,
  TSX,
} from "./setup/generators.ts";
import {
  LATER_FLOWS,
  LATER_THIN_FETCH,
  LATER_WHOLE_SDK,
  LATER_WITHOUT_NODE,
} from "./setup/later-programs.ts";

const ONE_FILE = ["generate", "--generate-union-enums", "-p", "platform.json", "-o", "."];

const CLIENTS = [
  { client: "thin", program: LATER_THIN_FETCH, make: [] },
  {
    client: "sdk",
    program: LATER_WHOLE_SDK,
    make: [HEY_API, "--input", "platform.json", "--output", "sdk", "--no-log-file"],
  },
  {
    client: "one-file",
    program: LATER_WITHOUT_NODE,
    make: [SWAGGER_TYPESCRIPT, ...ONE_FILE, "-n", "one-file.ts"],
  },
];

let world: TestSimulator;
const folder = new ClientFolder();

beforeAll(async () => {
  world = await startTestSimulator({ revision: "2026-08", clock: "auto", worlds: "open" });
  await world.sim.listen();
  const { apiUrl, controlUrl, webhookPublicKey } = world.sim;
  folder.env = { API_URL: apiUrl, WEBHOOK_KEY: webhookPublicKey };
  const reply = await fetch(`${controlUrl}/openapi.json`);
  folder.write("platform.json", await reply.text());
  folder.link("openapi-fetch", "openapi-typescript-helpers");
  await folder.run(OPENAPI_TYPESCRIPT, "platform.json", "--output", "platform.d.ts");
  folder.write("flows.ts", LATER_FLOWS);
  for (const { client, program, make } of CLIENTS) {
    if (make.length > 0) await folder.run(...make);
    folder.write(`${client}-program.ts`, program);
  }
  const programs = CLIENTS.map(({ client }) => `${client}-program.ts`);
  await folder.compile(["flows.ts", ...programs], { ...NODE, skipLibCheck: true });
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
