import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { placePerTest } from "../../cli/setup/place-per-test.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";

/** A program of fixtures/clients, and what runs it. */
interface Client {
  file: string;
  words: readonly string[];
  tool: string;
}

const isThere = (tool: string) => spawnSync("sh", ["-c", `command -v ${tool}`]).status === 0;

const { publicKey: stranger } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const WRONG_KEY = stranger.export({ type: "spki", format: "pem" }).toString();

/** Tests that each program, where its tool is installed, pays and verifies webhooks. */
export const testClients = (clients: readonly Client[]) => {
  const place = placePerTest();
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
    const path = new URL(`../../../fixtures/clients/${file}`, import.meta.url).pathname;
    return place().spawn([...words, path], { env }).ended;
  };

  for (const { file, words, tool } of clients) {
    const found = isThere(tool);
    if (!found)
      process.stderr.write(`fixtures/clients/${file} is skipped: ${tool} is not installed\n`);

    test.skipIf(!found)(
      `${file} pays, and verifies its webhooks`,
      { timeout: 120_000 },
      async () => {
        const { code, stdout, stderr } = await run(words, file);
        expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
        expect(stdout.trim().split("\n").at(-1)).toMatch(
          /^payment Transaction:\S+ is complete, and its webhook is verified$/,
        );
        const forged = await run(words, file, { SERVICE_SIM_WEBHOOK_PUBLIC_KEY: WRONG_KEY });
        expect(forged.stderr).toContain("A webhook has a wrong signature");
        expect(forged.code).toBe(1);
      },
    );
  }
};
