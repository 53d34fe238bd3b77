import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import { FLOWS, THIN_FETCH, WHOLE_SDK, WITHOUT_NODE } from "./setup/branded-programs.ts";
import {
  ClientFolder,
  HEY_API,
  NODE,
  OPENAPI_TYPESCRIPT,
  SWAGGER_TYPESCRIPT,
  TSX,
} from "./setup/generators.ts";

const BRAND = { word: "acme", paths: { "/acme/2025-10-13": "2025-10-13" } } as const;

const CLIENTS = [
  { client: "thin", program: THIN_FETCH, make: [] },
  {
    client: "sdk",
    program: WHOLE_SDK,
    make: [HEY_API, "--input", "platform.json", "--output", "sdk", "--no-log-file"],
  },
  {
    client: "one-file",
    program: WITHOUT_NODE,
    make: [
      SWAGGER_TYPESCRIPT,
      "generate",
      "--generate-union-enums",
      "-p",
      "platform.json",
      "-o",
      ".",
      "-n",
      "one-file.ts",
    ],
  },
];

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
  folder.write("platform.json", await reply.text());
  folder.link("openapi-fetch", "openapi-typescript-helpers");
  await folder.run(OPENAPI_TYPESCRIPT, "platform.json", "--output", "platform.d.ts");
  folder.write("flows.ts", FLOWS);
  for (const { client, program, make } of CLIENTS) {
    if (make.length > 0) await folder.run(...make);
    folder.write(`${client}-program.ts`, program);
  }
  const programs = CLIENTS.map(({ client }) => `${client}-program.ts`);
  await folder.compile(["flows.ts", ...programs], { ...NODE, skipLibCheck: true });
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
    folder.env = { ...folder.env, CREDENTIALS: `${clientId}+${client}:${clientSecret}` };
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
  },
);
