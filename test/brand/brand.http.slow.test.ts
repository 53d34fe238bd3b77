import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { verifyBytes } from "../../src/crypto/ecdsa.ts";
import { createSimulator, type LocalSimulator, OptionError } from "../../src/simulator.ts";
import { SIGNED_OPERATIONS, signedWorld } from "../api/wallets/setup/signed-operations.ts";
import { MAGIC_SIGNATURE } from "../api/wallets/setup/wallet-client.ts";
import { live, replayed } from "../capsules/setup/live-run.ts";
import { GENEROUS } from "../setup/agents.ts";
import { createPayee, createPayer, quoteInput } from "../setup/platform.ts";
import { Receiver } from "../setup/receiver.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";

const FILE = {
  word: "acme",
  umaDomains: ["people.acme.test"],
  cardEvents: "upper",
  paths: { "/acme/2025-10-13": "2025-10-13", "/v1": "2025-10-13" },
  env: [{ ACME_CLIENT_ID: "clientId" }, { ACME_TOKEN_ID: "clientId", ACME_URL: "apiUrl" }],
} as const;

const RATE_MEMBERS = [
  "acmeApiMultiplier",
  "acmeApiFixedFee",
  "acmeApiVariableFeeRate",
  "acmeApiVariableFeeAmount",
];

let world: TestSimulator;
let receiver: Receiver;

const basic = ({ clientId, clientSecret }: LocalSimulator, user = clientId) => ({
  authorization: `Basic ${Buffer.from(`${user}:${clientSecret}`).toString("base64")}`,
});

/** A call as its bytes are on the wire, outside the checks of our own OpenAPI document. */
const wire = async (
  method: string,
  path: string,
  { body, headers = {}, user }: { body?: unknown; headers?: object; user?: string } = {},
) => {
  const { sim } = world;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const answer = await sim.fetch(
    new Request(path.startsWith("/") ? new URL(path, sim.apiUrl) : `${sim.apiUrl}/${path}`, {
      method,
      headers: {
        ...basic(sim, user),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: text }),
    }),
  );
  const sent = await answer.text();
  const isJson = answer.headers.get("content-type")?.includes("json");
  return { status: answer.status, text: sent, body: isJson && sent ? JSON.parse(sent) : undefined };
};

const quoted = async () => {
  const payer = await createPayer(world);
  const payee = await createPayee(world, payer.customerId, "002");
  return quoteInput(payer.accountId, payee);
};

beforeEach(async () => {
  receiver = await new Receiver().start();
  world = await startTestSimulator({ brand: FILE, webhookEndpoint: receiver.url });
});

afterEach(async () => {
  await world.sim.close();
  await receiver.stop();
});

describe("what is on the wire", () => {
  // spec/brand.md#words
  test("has the brand in the members of rate details, and the journal has not", async () => {
    const input = await quoted();
    const { body, text } = await wire("POST", "quotes", { body: input });
    expect(Object.keys(body.rateDetails)).toEqual(expect.arrayContaining(RATE_MEMBERS));
    expect(text).not.toMatch(/serviceApi/);
    const { body: again } = await wire("GET", `quotes/${body.id}`);
    expect(again.rateDetails).toEqual(body.rateDetails);
  });

  test("has it in an answer that is repeated by its key", async () => {
    const body = await quoted();
    const headers = { "idempotency-key": "one" };
    const first = await wire("POST", "quotes", { body, headers });
    const second = await wire("POST", "quotes", { body, headers });
    expect(second.text).toBe(first.text);
    expect(second.text).toContain('"acmeApiFixedFee"');
  });

  test("has it in webhooks, which are signed as they are sent, under its header", async () => {
    await wire("POST", "/_sim/webhooks/trigger", { body: { type: "OUTGOING_PAYMENT.COMPLETED" } });
    const [event] = receiver.received;
    expect(event?.body).toContain('"acmeApiMultiplier"');
    expect(event?.body).not.toContain("serviceApi");
    expect(event?.header).toBe("x-acme-signature");
    const { webhookPublicKey } = world.sim;
    expect(
      verifyBytes(webhookPublicKey, Buffer.from(event?.body ?? ""), event?.signature ?? ""),
    ).toBe(true);
    // The control surface shows the same bytes, sends them again, and tells that they verify.
    const { body: page } = await wire("GET", "/_sim/webhooks");
    const path = `/_sim/webhooks/${page.data[0].id}`;
    const { body: whole } = await wire("GET", path);
    expect(whole.body).toBe(event?.body);
    expect(Object.keys(whole.headers)).toContain("X-Acme-Signature");
    expect(whole.signature.valid).toBe(true);
    await wire("POST", `${path}/resend`, { body: {} });
    expect(receiver.received[1]?.body).toBe(event?.body);
    expect(receiver.allVerify(webhookPublicKey)).toBe(true);
  });

  test("has it in errors that name the header, and in the switch's code", async () => {
    const fault = {
      match: { operation: "getConfig" },
      fault: { status: 500, code: "ACME_SWITCH_ERROR" },
    };
    const added = await wire("POST", "/_sim/faults", { body: fault });
    expect(added.status).toBe(201);
    const { body } = await wire("GET", "config");
    expect(body.code).toBe("ACME_SWITCH_ERROR");
    const { text } = await wire("GET", "/_sim/requests");
    expect(text).toContain("ACME_SWITCH_ERROR");
    expect(text).not.toContain("SERVICE_SWITCH_ERROR");
  });

  test("has it in the description of the API", async () => {
    const { text } = await wire("GET", "/_sim/openapi.json");
    for (const word of ["Acme-Wallet-Signature", "X-Acme-Signature", "acmeApiFixedFee"])
      expect(text).toContain(word);
    expect(text).not.toMatch(/Service-Wallet-Signature|X-Service-Signature|serviceApi/);
  });

  test("has it in what a signature is refused with; both headers are taken", async () => {
    const [operation] = SIGNED_OPERATIONS;
    const own = await signedWorld(world, "ada@example.com");
    const { method, path, body } = await (operation as (typeof SIGNED_OPERATIONS)[0]).call(own);
    const ask = (headers: object) => wire(method, path.slice(1), { body, headers });
    const { requestId } = (await ask({})).body;
    const signed = (header: string, signature: string) =>
      ask({ "request-id": requestId, [header]: signature });
    const refused = await signed("Acme-Wallet-Signature", "wrong");
    expect(refused.status).toBe(401);
    expect(refused.text).toContain("Acme-Wallet-Signature");
    expect(refused.text).not.toContain("Service-Wallet-Signature");
    const elsewhere = await signed("Globex-Wallet-Signature", MAGIC_SIGNATURE);
    expect(elsewhere.text).toContain("Acme-Wallet-Signature");
    const byOurs = await signed("Service-Wallet-Signature", "wrong");
    expect(byOurs.text).toContain("The Acme-Wallet-Signature was not accepted");
    const done = await signed("acme-wallet-signature", MAGIC_SIGNATURE);
    expect(done.status).toBe(operation?.done);
  });

  test("has it in device codes, which are taken in any letters", async () => {
    const { customerId } = await createPayer(world);
    const input = { name: "bot", customerId, policy: GENEROUS };
    const { body } = await wire("POST", "agents", { body: input });
    const { code } = body.deviceCode;
    expect(code).toMatch(/^ACME-AGENT-[A-Z0-9]{4}-[A-Z0-9]{4}$/);
    const ask = (text: string) => wire("GET", `agents/device-codes/${text}/status`);
    expect((await ask(code.toLowerCase())).body).toEqual({ code, redeemed: false });
    expect((await ask(code)).status).toBe(200);
    expect((await ask(code.replace("ACME", "OTHER"))).status).toBe(404);
    expect((await wire("GET", "/_sim/requests")).text).not.toContain(code.slice(-9));
  });
});

// spec/capsules.md
test("a recorded run has no brand in it, and is repeated with it", async () => {
  const text = await live({ brand: "acme", seed: "7", clock: "manual" }, async (run) => {
    const recording = await run.startRecording();
    const customer = await run.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
    });
    const input = { name: "bot", customerId: customer.id, policy: GENEROUS };
    const made = await run.call("POST", "/agents", input);
    expect(made.deviceCode.code).toMatch(/^ACME-AGENT-/);
    const path = `/agents/device-codes/${made.deviceCode.code}`;
    expect((await run.call("GET", `${path}/status`)).code).toBe(made.deviceCode.code);
    await run.call("POST", `${path}/redeem`);
    return recording.end();
  });
  expect(text).toContain('"brand":"acme"');
  expect(text).not.toMatch(/acme-/i);
  const { divergence, requests } = await replayed(text);
  expect(divergence).toBeUndefined();
  expect(requests).toBe(4);
});

describe("a request", () => {
  test("may carry a webhook's header, which means nothing", async () => {
    const headers = { "x-acme-signature": "whsec_anything" };
    expect((await wire("GET", "config", { headers })).status).toBe(200);
  });

  test.each(["/acme/2025-10-13/config", "/v1/config", "/2025-10-13/config"])(
    "is answered at %s",
    async (path) => expect((await wire("GET", path)).status).toBe(200),
  );

  test.each(["/acme/config", "/acme/2025-10-131/config", "/v2/config", "/v1x/config"])(
    "is not at %s",
    async (path) => expect((await wire("GET", path)).status).toBe(404),
  );
});

describe("a world", () => {
  // spec/brand.md#worlds
  test("keeps the brand it was made with, through forks, snapshots and resets", async () => {
    const brandOf = async (query = "") =>
      (await wire("GET", `/_sim/status${query}`)).body.settings.brand?.word;
    await wire("POST", "/_sim/worlds", { body: { name: "same" } });
    await wire("POST", "/_sim/worlds", { body: { name: "other", brand: "globex" } });
    expect([await brandOf(), await brandOf("?world=same"), await brandOf("?world=other")]).toEqual([
      "acme",
      "acme",
      "globex",
    ]);
    await wire("PUT", "/_sim/snapshots/one?world=other");
    await wire("POST", "/_sim/snapshots/one/restore?world=other", { body: {} });
    await wire("POST", "/_sim/reset?world=other", { body: {} });
    await wire("POST", "/_sim/reset", { body: {} });
    expect([await brandOf(), await brandOf("?world=other")]).toEqual(["acme", "globex"]);
    const { text } = await wire("GET", "/_sim/webhooks/key?world=other");
    expect(text).toContain("PUBLIC KEY");
  });

  test("has the settings of its brand file, unless an option says otherwise", async () => {
    const { settings } = world.sim.status();
    expect(settings.sandboxUmaDomains).toEqual(["people.acme.test"]);
    expect(settings.cardEvents).toBe("upper");
    expect(settings.brand).toEqual({ word: "acme", paths: FILE.paths, env: FILE.env });
    const other = await createSimulator({ brand: FILE, cardEvents: "lower" });
    expect(other.status().settings.cardEvents).toBe("lower");
    await other.close();
  });
});

test.each([
  [
    "9x",
    'Expected a word of at most 32 letters and digits that begins with a letter but found "9x"',
  ],
  [{ word: "a-b" }, "word: Expected a word of at most 32 letters and digits"],
  [{ word: "acme", paths: { acme: "2025-10-13" } }, "paths.acme: "],
  [{ word: "acme", paths: { "/acme": "2031-01-01" } }, "paths./acme: "],
  [{ word: "acme", env: [{ A: "secret" }] }, "env.0.A: "],
  [
    { word: "acme", colour: "red" },
    'brand: colour: Expected one of $schema, word, umaDomains, walletCredential, signature, cardEvents, revision, paths, env but found "colour"',
  ],
  [{ word: 7 }, "brand: word: Expected a string but found 7"],
  [{}, "brand: word: Expected a string but found nothing"],
  [{ word: "acme", umaDomains: "a.test" }, 'umaDomains: Expected an array but found "a.test"'],
  [{ word: "acme", umaDomains: [] }, "umaDomains: Expected at least 1"],
  [{ word: "acme", umaDomains: [7] }, "umaDomains.0: Expected a string but found 7"],
  [{ word: "acme", signature: 7 }, "signature: Expected"],
  [{ word: "acme", paths: [] }, "paths: Expected an object but found an empty array"],
  [{ word: "acme", env: {} }, "env: Expected an array but found an empty object"],
  [{ word: "acme", env: [["A"]] }, "env.0: Expected an object but found an array of 1 item"],
  [[], "Expected"],
  [7, "Expected"],
  [null, "Expected"],
] as const)("the brand %j is refused", async (brand, sentence) => {
  const refused = createSimulator({ brand: brand as never });
  await expect(refused).rejects.toThrow(OptionError);
  await expect(refused).rejects.toThrow(sentence);
});
