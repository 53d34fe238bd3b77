import { createPublicKey } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSimulator, OptionError, type SimulatorOptions } from "../../../src/simulator.ts";
import { StateDirectory } from "../../storage/setup/state-directory.ts";

let directory: StateDirectory;

beforeEach(() => {
  directory = new StateDirectory();
});

afterEach(() => directory.remove());

const GUESSABLE = ["client secret", "webhook key", "token issuer's key"];

const issuerKeyOf = async (options: SimulatorOptions) => {
  const sim = await createSimulator(options);
  const { keys } = await (await sim.fetch(new Request(`${sim.controlUrl}/oidc/jwks`))).json();
  await sim.close();
  return keys[0].x;
};

/** The client secret and the webhook key of a start, as `listen` reports them. */
const credentials = async (options: SimulatorOptions = {}, listenOn?: string) => {
  const sim = await createSimulator(options);
  const { clientSecret, webhookPublicKey } = sim;
  try {
    const { guessable } = await sim.listen(listenOn === undefined ? {} : { host: listenOn });
    return { clientSecret, webhookPublicKey, guessable };
  } finally {
    await sim.close();
  }
};

const secretsOf = async (options: SimulatorOptions = {}) => {
  const { clientSecret, webhookPublicKey } = await credentials(options);
  return { clientSecret, webhookPublicKey };
};

describe("on loopback they come from a given seed", () => {
  test("the same seed gives the same, on every machine", async () => {
    const { clientSecret, webhookPublicKey } = await secretsOf({ seed: 7 });
    expect(clientSecret).toBe("sk_sim_BiwmwUrdoR90ffGf");
    expect(createPublicKey(webhookPublicKey).export({ format: "jwk" })).toMatchObject({
      crv: "P-256",
      x: "PmBPpRYSR5EEK7qEGV64HmbQWKnwKTih6sgkgfR_PoM",
    });
    expect(await secretsOf({ seed: "7", storage: directory.url })).toEqual({
      clientSecret,
      webhookPublicKey,
    });
  });

  test.each(["localhost", "127.0.0.1", "127.1.2.3", "::1"])("%s is loopback", async (host) => {
    const sim = await createSimulator({ seed: 7, host });
    expect(sim.clientSecret).toBe("sk_sim_BiwmwUrdoR90ffGf");
    await sim.close();
  });

  test("the token issuer's key too", async () => {
    const key = await issuerKeyOf({ seed: 7 });
    expect(key).toBe("dosb1qjaAsczVI_7NG3myrzORj_KMSKYEJ_cJRgmrjg");
    expect(await issuerKeyOf({ seed: 7, storage: directory.url })).toBe(key);
    expect(await issuerKeyOf({ seed: 8 })).not.toBe(key);
    expect(await issuerKeyOf({ seed: 7, host: "0.0.0.0" })).not.toBe(key);
  });

  test("another seed gives others", async () => {
    const [one, other] = [await secretsOf({ seed: 7 }), await secretsOf({ seed: 8 })];
    expect(one.clientSecret).not.toBe(other.clientSecret);
    expect(one.webhookPublicKey).not.toBe(other.webhookPublicKey);
  });

  test("without one they are drawn each time", async () => {
    const [one, other] = [await secretsOf(), await secretsOf()];
    expect(one.clientSecret).not.toBe(other.clientSecret);
    expect(one.webhookPublicKey).not.toBe(other.webhookPublicKey);
  });

  test("those that are given count", async () => {
    const { webhookPublicKey } = await secretsOf({ seed: 7 });
    expect(await secretsOf({ seed: 7, clientSecret: "mine" })).toEqual({
      clientSecret: "mine",
      webhookPublicKey,
    });
  });

  test("a start that was killed before its world was there leaves none of another seed", async () => {
    const broken = { name: "f", steps: [{ request: { method: "GET", path: "/quotes/x" } }] };
    const killed = createSimulator({ seed: 8, fixture: broken, storage: directory.url });
    await expect(killed).rejects.toThrow(OptionError);
    expect(await secretsOf({ seed: 7, storage: directory.url })).toEqual(
      await secretsOf({ seed: 7 }),
    );
  });

  test("state that is there keeps what it has, also when its seed is said again", async () => {
    const drawn = await createSimulator({ storage: directory.url });
    const { clientSecret, webhookPublicKey, opened } = drawn;
    await drawn.close();
    expect(await secretsOf({ storage: directory.url, seed: opened.seed })).toEqual({
      clientSecret,
      webhookPublicKey,
    });
  });
});

describe("beyond loopback they are drawn at random", () => {
  test.each(["0.0.0.0", "::", "192.0.2.1", "sim.internal"])("at %s", async (host) => {
    const [one, other] = [
      await createSimulator({ seed: 7, host }),
      await createSimulator({ seed: 7, host }),
    ];
    expect(one.clientSecret).not.toBe("sk_sim_BiwmwUrdoR90ffGf");
    expect(one.clientSecret).not.toBe(other.clientSecret);
    expect(one.webhookPublicKey).not.toBe(other.webhookPublicKey);
    await Promise.all([one.close(), other.close()]);
  });

  test("and listening there tells of nothing to guess", async () => {
    expect((await credentials({ seed: 7, host: "0.0.0.0" })).guessable).toEqual([]);
  });

  test("a program that has not said so before is refused", async () => {
    await expect(credentials({ seed: 7 }, "0.0.0.0")).rejects.toThrow(
      'Expected createSimulator to be given host "0.0.0.0" but found client secret and webhook ' +
        "key and token issuer's key that come from the seed",
    );
  });

  test("state that began on loopback keeps its own, and they are told to be guessable", async () => {
    const storage = directory.url;
    const first = await secretsOf({ seed: 7, storage });
    const there = await credentials({ storage, host: "0.0.0.0" });
    expect(there).toEqual({ ...first, guessable: GUESSABLE });
    const changed = await credentials({ storage, host: "0.0.0.0", clientSecret: "mine" });
    expect(changed.guessable).toEqual(["webhook key", "token issuer's key"]);
    expect((await credentials({ storage })).guessable).toEqual([]);
  });
});
