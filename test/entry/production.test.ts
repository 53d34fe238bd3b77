import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PLATFORM_ENDPOINTS } from "../../src/api/endpoints.ts";
import { readCapsule } from "../../src/capsules/read-capsule.ts";
import { Replay } from "../../src/replay/replay.ts";
import { createSimulator, type SimulatorOptions } from "../../src/simulator.ts";
import { live } from "../capsules/setup/live-run.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import { basic } from "../setup/tokens.ts";
import { SEED, shareOf } from "./setup/share.ts";

const FURTHER = ["acme_live_", "Key-"];

/** Credentials that look like those of production, and the beginning by which each is known. */
const REFUSED: readonly { says: string; authorization: string; prefix: string }[] = [
  { says: "a secret", authorization: basic("sandbox", "sk_live_4711Zq"), prefix: "sk_live_" },
  { says: "a user name", authorization: basic("sk_live_4711Zq", ""), prefix: "sk_live_" },
  { says: "a short secret", authorization: basic("shop", "live_4711Zq"), prefix: "live_" },
  { says: "a client id", authorization: basic("prod_4711Zq", "x"), prefix: "prod_" },
  { says: "capital letters", authorization: basic("x", "SK_LIVE_4711Zq"), prefix: "sk_live_" },
  { says: "a world behind it", authorization: basic("prod_4711Zq+a", "x"), prefix: "prod_" },
  { says: "a token", authorization: "Bearer sk_live_4711Zq", prefix: "sk_live_" },
  { says: "two spaces", authorization: "Bearer  live_4711Zq", prefix: "live_" },
  { says: "another scheme", authorization: "Token prod_4711Zq", prefix: "prod_" },
  { says: "no scheme", authorization: "live_4711Zq", prefix: "live_" },
  { says: "a prefix by option", authorization: "Bearer acme_live_4711Zq", prefix: "acme_live_" },
  { says: "another one", authorization: basic("key-4711Zq", "x"), prefix: "Key-" },
];

/** Credentials that only resemble them. */
const OTHERS: readonly string[] = [
  basic("sandbox", "sk_test_4711Zq"),
  basic("sandbox", "xsk_live_4711Zq"),
  basic("production", "alive_4711Zq"),
  "Bearer keys-4711Zq",
];

describe("credentials that look like those of production", () => {
  let world: TestSimulator;
  const lines: string[] = [];

  beforeAll(async () => {
    world = await startTestSimulator({
      productionPrefixes: FURTHER,
      onActivity: (activity) => lines.push(JSON.stringify(activity)),
    });
  });
  afterAll(() => world.sim.close());

  const rows = PLATFORM_ENDPOINTS.flatMap(({ method, path }) =>
    REFUSED.map((one) => ({ method, path: path.replace(/\{\w+\}/g, "x"), ...one })),
  );

  test(`are refused by every operation, with the reason (seed ${SEED})`, async () => {
    expect(rows.length).toBe(PLATFORM_ENDPOINTS.length * REFUSED.length);
    for (const { method, path, authorization, prefix } of shareOf(rows, 150)) {
      const answer = await world.raw(method, path, { headers: { authorization } });
      expect({ method, path, authorization, status: answer.status, body: answer.body }).toEqual({
        method,
        path,
        authorization,
        status: 401,
        body: {
          status: 401,
          code: "UNAUTHORIZED",
          message:
            `The credentials begin with ${prefix}, like production credentials, which a simulator does not accept. ` +
            "Send the credentials that service-sim env prints; replace the production ones if others may have read them",
          reason: "PRODUCTION_CREDENTIALS",
          details: { prefix, reason: "PRODUCTION_CREDENTIALS" },
        },
      });
    }
  });

  test.each(REFUSED)("$says changes nothing and stays out of every log", async (row) => {
    const headers = { authorization: row.authorization, "content-type": "application/json" };
    const body = '{"customerType":"INDIVIDUAL"}';
    await world.raw("POST", "/customers", { headers, body });
    expect((await world.call("GET", "/customers")).body.totalCount).toBe(0);
    const { body: logged } = await world.control("GET", "/requests?limit=100");
    const whole = await world.control("GET", `/requests/${logged.data[1].id}`);
    for (const text of [JSON.stringify(logged), JSON.stringify(whole.body), ...lines])
      expect(text).not.toMatch(/4711Zq/i);
  });

  test.each(OTHERS)("%s is refused as wrong alone", async (authorization) => {
    const answer = await world.raw("GET", "/config", { headers: { authorization } });
    expect([answer.status, answer.body.reason]).toEqual([401, undefined]);
  });

  test.each(["clientId", "clientSecret"])("a world is not made with such a %s", async (field) => {
    const answer = await world.control("POST", "/worlds", { [field]: "acme_live_4711Zq" });
    expect([answer.status, answer.body.error.code]).toEqual([400, "INVALID_INPUT"]);
    expect(answer.body.error.message).toBe(
      `Expected ${field} to be a test credential but found a production one, which begins with acme_live_`,
    );
  });
});

const PREFIX_WANTED =
  "Expected productionPrefixes to be 3 characters or more, different from the simulator's own credentials, but found";

const REFUSED_STARTS: readonly { options: SimulatorOptions; says: string }[] = [
  ...["", "sk", "san", "SANDBOX", "sk_sim_", "sk_sim_a", "agt_", "agt_1", "Token:"].map(
    (prefix) => ({
      options: { productionPrefixes: ["acme_", prefix] },
      says: `${PREFIX_WANTED} "${prefix}"`,
    }),
  ),
  {
    options: { clientSecret: "sk_live_4711Zq" },
    says: "Expected clientSecret to be a test credential but found a production one, which begins with sk_live_",
  },
  {
    options: { clientId: "acme_shop", productionPrefixes: ["acme_"] },
    says: "Expected clientId to be a test credential but found a production one, which begins with acme_",
  },
];

test.each(REFUSED_STARTS)("a start with $options is refused", async ({ options, says }) => {
  await expect(createSimulator({ storage: "memory:", ...options })).rejects.toThrow(says);
});

test("a capsule keeps the beginning alone, and repeats the refusal", async () => {
  const options = { seed: "7", clock: "manual" as const, productionPrefixes: FURTHER };
  const text = await live(options, async ({ sim, url, startRecording }) => {
    const recording = await startRecording({});
    for (const { authorization } of REFUSED) {
      const answer = await fetch(`${url}${new URL(sim.apiUrl).pathname}/config`, {
        headers: { authorization },
      });
      expect((await answer.json()).reason).toBe("PRODUCTION_CREDENTIALS");
    }
    return recording.end();
  });
  const shown = [...text.matchAll(/Basic ([A-Za-z0-9+/=]+)/g)].map(([, one = ""]) => atob(one));
  expect(shown.length).toBeGreaterThan(5);
  for (const one of [text, ...shown]) expect(/.{0,40}4711Zq/i.exec(one)?.[0]).toBeUndefined();
  const replay = await Replay.open(readCapsule(text, "run.capsule"));
  try {
    const { requests, divergence } = await replay.run();
    expect({ requests, divergence }).toEqual({ requests: REFUSED.length, divergence: undefined });
  } finally {
    await replay.sim.close();
  }
});
