import { expect, test } from "vitest";
import { worldPerTest } from "../api/setup/world-per-test.ts";

const world = worldPerTest();

// spec/webhooks.md#endpoint-passwords
test.each(["ftp://hook:s3cr3t-pw@host/x", "http://hook:s3cr3t-pw@host:99999/"])(
  "a refused endpoint is shown without its password: %s",
  async (webhookEndpoint) => {
    const refused = await world().call("PATCH", "/config", { webhookEndpoint });
    await world().call("GET", `/config?to=${encodeURIComponent(webhookEndpoint)}`);
    const { body } = await world().control("GET", "/requests?limit=2");
    const one = await world().control("GET", `/requests/${body.data[0].id}`);
    expect(refused.status).toBe(400);
    expect(refused.body.message).toContain("hook:***@host");
    const shown = decodeURIComponent(JSON.stringify([refused.body, body, one.body]));
    expect(shown).not.toContain("s3cr3t-pw");
  },
);
