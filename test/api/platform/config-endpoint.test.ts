import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPayer } from "../../setup/platform.ts";
import { Receiver } from "../../setup/receiver.ts";
import { expectRefused } from "../setup/refused.ts";
import { goTo, timeOf } from "../setup/told.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const world = worldPerTest();

const patch = (body: unknown) => world().call("PATCH", "/config", body);
const get = async () => (await world().call("GET", "/config")).body;

const invalid = (field: string) => ({ status: 400, code: "INVALID_INPUT", field });

describe("the webhook endpoint", () => {
  let receiver: Receiver;

  beforeEach(async () => {
    receiver = await new Receiver().start();
  });

  afterEach(() => receiver.stop());

  test("gets TEST when it is new, and only then", async () => {
    await patch({ webhookEndpoint: receiver.url });
    await goTo(world(), "09:00:01.000");
    await patch({ webhookEndpoint: receiver.url });
    await patch({ umaDomain: "pay.example" });
    await goTo(world(), "09:00:02.000");
    await patch({ webhookEndpoint: `${receiver.url}/other` });
    await goTo(world(), "09:00:03.000");
    const told = receiver.received.map((event) => [timeOf(event), event.type, event.data]);
    expect(told).toEqual([
      ["09:00:00.000", "TEST", {}],
      ["09:00:02.000", "TEST", {}],
    ]);
  });

  test.each([null, ""])(
    "is cleared by %j, and gets TEST again when it comes back",
    async (empty) => {
      await patch({ webhookEndpoint: receiver.url });
      await goTo(world(), "09:00:01.000");
      const { body } = await patch({ webhookEndpoint: empty });
      expect(body).not.toHaveProperty("webhookEndpoint");
      await createPayer(world(), 500);
      await patch({ webhookEndpoint: receiver.url });
      await goTo(world(), "09:00:02.000");
      expect(receiver.types()).toEqual(["TEST", "TEST"]);
    },
  );

  test.each(["receiver", "ftp://a.example/x", "http://", "://a.example", "javascript:1", 5, {}])(
    "is no %j",
    async (webhookEndpoint) => {
      expectRefused(await patch({ webhookEndpoint }), invalid("webhookEndpoint"));
      expect(await get()).not.toHaveProperty("webhookEndpoint");
    },
  );

  test("that rejects everything does not make the change fail", async () => {
    receiver.behaviour = (_event, response) => {
      response.statusCode = 500;
      response.end();
    };
    expect((await patch({ webhookEndpoint: receiver.url })).status).toBe(200);
    await goTo(world(), "10:00:00.000");
    expect(receiver.types()).toEqual(["TEST"]);
  });

  test.each([
    { status: 200, text: "ok" },
    { status: 204, text: "" },
    { status: 404, text: "nobody here" },
    { status: 500, text: "broken" },
  ])("that answers a test with $status is shown with that status", async ({ status, text }) => {
    await patch({ webhookEndpoint: receiver.url });
    await goTo(world(), "09:00:01.000");
    receiver.behaviour = (_event, response) => {
      response.statusCode = status;
      response.end(text);
    };
    const answer = await world().call("POST", "/sandbox/webhooks/test");
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: { response_status: status, url: receiver.url, response_body: text },
    });
    await goTo(world(), "10:00:00.000");
    expect(receiver.types()).toEqual(["TEST", "TEST"]);
  });
});
