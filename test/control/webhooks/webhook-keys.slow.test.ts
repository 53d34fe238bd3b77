import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fingerprintOf, signingKey } from "../../../src/crypto/ecdsa.ts";
import { derivedKeyPem } from "../../../src/crypto/seeded-credentials.ts";
import type { SimulatorOptions } from "../../../src/simulator.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { VerifyingReceiver } from "../../setup/verifying-receiver.ts";
import { inFirstWorld } from "../../storage/setup/places.ts";

let directory: string;
let receiver: VerifyingReceiver;
let world: TestSimulator;

const start = async (options: SimulatorOptions = {}) => {
  world = await startTestSimulator({
    storage: `file:${directory}`,
    webhookEndpoint: receiver.url,
    ...options,
  });
};

const restart = async (options: SimulatorOptions = {}) => {
  await world.sim.close();
  world = await startTestSimulator({
    storage: `file:${directory}`,
    webhookEndpoint: receiver.url,
    seed: undefined as never,
    now: undefined as never,
    ...options,
  });
};

const rotate = async () => (await world.control("POST", "/webhooks/keys/rotate")).body;
const keys = async () => (await world.control("GET", "/webhooks/keys")).body;
const trigger = () => world.control("POST", "/webhooks/trigger", { type: "TEST" });

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "webhook-keys-"));
  receiver = await new VerifyingReceiver().start();
  await start();
  receiver.publicPem = world.sim.webhookPublicKey;
});

afterEach(async () => {
  await world.sim.close();
  await receiver.stop();
  rmSync(directory, { recursive: true, force: true });
});

describe("keys rotate", () => {
  test("signs with a new key from then on; the old one verifies nothing new", async () => {
    const before = world.sim.webhookPublicKey;
    await trigger();
    const { current, retired } = await rotate();
    expect(current.publicKey).not.toBe(before);
    expect(retired).toEqual([{ publicKey: before, fingerprint: fingerprintOf(before) }]);
    await trigger();
    receiver.publicPem = current.publicKey;
    await trigger();
    expect(receiver.statuses).toEqual([200, 401, 200]);
  });

  test("is seen wherever the key is shown", async () => {
    const { current } = await rotate();
    expect(world.sim.webhookPublicKey).toBe(current.publicKey);
    expect((await world.control("GET", "/webhooks/key")).body).toBe(current.publicKey);
    expect((await world.control("GET", "/status")).body.webhooks.key).toBe(current.fingerprint);
    expect(await keys()).toMatchObject({ current });
  });

  test("is told to whoever wrote the key down", async () => {
    const told: string[] = [];
    await restart({ onWebhookKey: (pem) => told.push(pem) });
    const { current } = await rotate();
    expect(told).toEqual([current.publicKey]);
  });

  test("holds after a restart and a reset, and so do those before it", async () => {
    await rotate();
    const rotated = await rotate();
    expect(rotated.retired).toHaveLength(2);
    await restart();
    expect(await keys()).toEqual(rotated);
    await world.control("POST", "/reset");
    expect(await keys()).toEqual(rotated);
    receiver.publicPem = rotated.current.publicKey;
    await trigger();
    expect(receiver.statuses).toEqual([200]);
  });

  test("twice at once makes two keys", async () => {
    await Promise.all([rotate(), rotate()]);
    const { current, retired } = await keys();
    const fingerprints = [current, ...retired].map(({ fingerprint }) => fingerprint);
    expect(new Set(fingerprints).size).toBe(3);
  });

  test("keeps the newest twenty of the retired ones", async () => {
    for (let count = 0; count < 22; count += 1) await rotate();
    expect((await keys()).retired).toHaveLength(20);
  });

  test("keeps private halves to itself", async () => {
    expect(JSON.stringify(await rotate())).not.toContain("PRIVATE");
    expect(readFileSync(inFirstWorld(directory, "identity.json"), "utf8")).toContain("PRIVATE");
  });

  test("a delivery of before is shown to verify with a retired key", async () => {
    const { id } = (await trigger()).body;
    const { retired } = await rotate();
    const { signature } = (await world.control("GET", `/webhooks/${id}`)).body;
    expect(signature).toEqual({ key: retired[0].fingerprint, valid: true, isRetired: true });
  });

  test("a delivery of before is sent again as it was, or signed again", async () => {
    const { id } = (await trigger()).body;
    receiver.publicPem = (await rotate()).current.publicKey;
    expect((await world.control("POST", `/webhooks/${id}/resend`)).body.status).toBe(401);
    const body = { resign: true };
    expect((await world.control("POST", `/webhooks/${id}/resend`, body)).body.status).toBe(409);
  });

  test("a key that cannot be stored is not used", async () => {
    const before = await keys();
    const file = inFirstWorld(directory, "identity.json");
    rmSync(file);
    mkdirSync(file);
    const { status, body } = await world.control("POST", "/webhooks/keys/rotate");
    expect({ status, code: body.error.code }).toEqual({ status: 503, code: "UNAVAILABLE" });
    expect(await keys()).toEqual(before);
    rmdirSync(file);
    expect((await rotate()).retired).toHaveLength(1);
  });
});

test("a key that a start gives retires the one before", async () => {
  const before = world.sim.webhookPublicKey;
  const webhookKey = derivedKeyPem("test", "any");
  await restart({ webhookKey });
  const { current, retired } = await keys();
  expect(current.publicKey).toBe(signingKey(webhookKey).publicPem);
  expect(retired).toMatchObject([{ publicKey: before }]);
  await restart({ webhookKey });
  expect((await keys()).retired).toHaveLength(1);
});
