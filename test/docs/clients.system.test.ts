import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { createRequire } from "node:module";
import { afterAll, beforeAll, expect, test } from "vitest";
import { placePerTest } from "../cli/setup/place-per-test.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";

const TSX = createRequire(import.meta.url).resolve("tsx");
const place = placePerTest();

/** The programs of fixtures/clients, and what runs each. */
const CLIENTS = [
  { file: "typescript.mts", words: [process.execPath, "--import", TSX], tool: process.execPath },
  { file: "python.py", words: ["python3"], tool: "python3" },
  { file: "go.go", words: ["go", "run"], tool: "go" },
  { file: "Java.java", words: ["java"], tool: "java" },
  { file: "ruby.rb", words: ["ruby"], tool: "ruby" },
  { file: "php.php", words: ["php"], tool: "php" },
  // Bash and curl are where the tests run; nc of OpenBSD may not be.
  { file: "curl.sh", words: ["bash"], tool: "nc" },
];

const isThere = (tool: string) => spawnSync("sh", ["-c", `command -v ${tool}`]).status === 0;

let world: TestSimulator;

beforeAll(async () => {
  world = await startTestSimulator();
  await world.sim.listen();
});

afterAll(() => world.sim.close());

const run = async (words: readonly string[], file: string, more: Record<string, string> = {}) => {
  const { apiUrl, controlUrl, clientSecret, webhookPublicKey } = world.sim;
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: place().path,
    SERVICE_SIM_URL: new URL(controlUrl).origin,
    SERVICE_SIM_API_URL: apiUrl,
    SERVICE_SIM_CLIENT_ID: world.sim.clientId,
    SERVICE_SIM_CLIENT_SECRET: clientSecret,
    SERVICE_SIM_WEBHOOK_PUBLIC_KEY: webhookPublicKey,
    ...more,
  };
  const path = new URL(`../../fixtures/clients/${file}`, import.meta.url).pathname;
  return place().spawn([...words, path], { env }).ended;
};

const { publicKey: stranger } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const WRONG_KEY = stranger.export({ type: "spki", format: "pem" }).toString();

for (const { file, words, tool } of CLIENTS) {
  const found = isThere(tool);
  if (!found)
    process.stderr.write(`fixtures/clients/${file} is skipped: ${tool} is not installed\n`);

  test.skipIf(!found)(`${file} pays, and verifies its webhooks`, { timeout: 120_000 }, async () => {
    const { code, stdout, stderr } = await run(words, file);
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
    expect(stdout.trim().split("\n").at(-1)).toMatch(
      /^payment Transaction:\S+ is complete, and its webhook is verified$/,
    );
    const forged = await run(words, file, { SERVICE_SIM_WEBHOOK_PUBLIC_KEY: WRONG_KEY });
    expect(forged.stderr).toContain("A webhook has a wrong signature");
    expect(forged.code).toBe(1);
  });
}
