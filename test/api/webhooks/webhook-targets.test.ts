import { describe, expect, test } from "vitest";
import { sendTestWebhook } from "../../../src/api/webhooks/webhook-test.ts";
import type { Call } from "../../../src/http/door/call.ts";
import { createSimulator, OptionError, type SimulatorOptions } from "../../../src/simulator.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const world = worldPerTest();

const FORBIDDEN = [
  "http://169.254.169.254/latest/meta-data",
  "http://[::ffff:169.254.169.254]/",
  "http://[fe80::1]:8080/",
  "http://[fd00:ec2::254]/",
  "http://2852039166/",
  "http://0xa9fea9fe/",
  "http://0251.0376.0251.0376/",
  "https://169.254.169.254./",
  "HTTP://169.254.169.254/",
];

describe("PATCH /config", () => {
  test.each(FORBIDDEN)("refuses the written address %s", async (webhookEndpoint) => {
    const { status, body } = await world().call("PATCH", "/config", { webhookEndpoint });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "INVALID_INPUT", details: { field: "webhookEndpoint" } });
    expect(body.message).toContain("link-local");
    expect((await world().call("GET", "/config")).body).not.toHaveProperty("webhookEndpoint");
  });

  test.each([
    "http://127.0.0.1:1/",
    "http://[::1]:1/",
    "http://0.0.0.0:1/",
    "http://10.0.0.5:1/",
    "http://shop:3000/hooks",
    "https://example.com/hooks",
    "http://169.254.169.254.example.com/",
  ])("takes %s", async (webhookEndpoint) => {
    const { status } = await world().call("PATCH", "/config", { webhookEndpoint });
    expect(status).toBe(200);
  });
});

test("an endpoint with control characters is refused", async () => {
  for (const webhookEndpoint of ["http://127.0.0.1:1/\u009b2J", "http://127.0.0.1:1/\u001b[2J"]) {
    const { status, body } = await world().call("PATCH", "/config", { webhookEndpoint });
    expect([status, body.details.field]).toEqual([400, "webhookEndpoint"]);
    expect(body.message).toContain("without control characters");
    expect(await refused({ webhookEndpoint })).toContain("http or https URL");
  }
});

test.each(["a\nb", "a\u001bb", "a\u009bb"])("credentials are one line: %j", async (text) => {
  const found = "to be text without control characters but found some";
  expect(await refused({ clientId: text })).toBe(`Expected clientId ${found}`);
  expect(await refused({ clientSecret: text })).toBe(`Expected clientSecret ${found}`);
});

test.each(["seed", "clientId", "clientSecret", "host"])(
  "an empty %s is refused",
  async (option) => {
    const found = "to have a value but found an empty one";
    expect(await refused({ [option]: "" })).toBe(`Expected ${option} ${found}`);
  },
);

const refused = async (options: SimulatorOptions) => {
  const error = await createSimulator(options).then(
    (sim) => sim.close(),
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(OptionError);
  return error.message;
};

test("a start refuses an endpoint that is never called", async () => {
  for (const webhookEndpoint of FORBIDDEN)
    expect(await refused({ webhookEndpoint })).toContain("link-local or metadata");
});

test.each(["169.254.0.0/16", "10.0.0.0/99", "http://shop", ""])(
  "a start refuses %j as an allowed target, and says what is one",
  async (target) => {
    expect(await refused({ allowWebhookTargets: ["shop", target] })).toContain(
      `range like 10.0.0.0/8, none of them link-local, but found "${target}"`,
    );
  },
);

describe("POST /sandbox/webhooks/test", () => {
  const url = "http://shop/hooks";
  const callOf = (answer: object) =>
    ({
      commit: () => ({ eventId: "Webhook:1", url }),
      durable: () => undefined,
      sawEverything: () => {},
      deliveries: { attemptNow: async () => ({ tookMs: 1, ...answer }) },
    }) as unknown as Call;
  const answerTo = (answer: object) =>
    sendTestWebhook.handle({} as never, callOf(answer), undefined);

  test("shows what loopback answered", async () => {
    expect(await answerTo({ httpStatus: 200, reply: "thanks", isLoopback: true })).toEqual({
      response_status: 200,
      url,
      response_body: "thanks",
    });
  });

  test.each([{ isLoopback: false }, {}])("leaves out what others answered (%j)", async (from) => {
    expect(await answerTo({ httpStatus: 200, reply: "internal", ...from })).toEqual({
      response_status: 200,
      url,
    });
  });

  test("says why a target is not called", async () => {
    const error = "not called: shop (169.254.169.254) is a link-local or metadata address";
    await expect(answerTo({ error })).rejects.toMatchObject({
      word: "WEBHOOK_DELIVERY_ERROR",
      details: { why: error },
    });
  });
});
