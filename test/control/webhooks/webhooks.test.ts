import { createVerify } from "node:crypto";
import { expect, test } from "vitest";
import { allEnded, BALANCE_UPDATED, fund, greetedPerTest } from "../../webhooks/setup/greeted.ts";

const { world, account } = greetedPerTest();

const list = async (query = "") => (await world().control("GET", `/webhooks${query}`)).body;

const show = async (id: string) => (await world().control("GET", `/webhooks/${id}`)).body;

test("deliveries are listed newest first, each with how it went", async () => {
  await fund(world(), account());
  await allEnded(world());
  const { data, hasMore } = await list();
  expect(hasMore).toBe(false);
  expect(data).toEqual([
    {
      id: expect.stringMatching(/^Webhook:/),
      type: BALANCE_UPDATED,
      about: account(),
      status: 200,
      state: "ACCEPTED",
      attempt: 1,
      createdAt: "2026-01-05T09:00:00.000Z",
      sentAt: "2026-01-05T09:00:00.000Z",
      tookMs: expect.any(Number),
    },
    expect.objectContaining({ type: "TEST", status: 200, state: "ACCEPTED" }),
  ]);
});

test("a delivery that waits for its retry says when, one that nobody answered says why", async () => {
  world().receiver.behaviour = (_event, response) => void response.socket?.destroy();
  await fund(world(), account());
  await allEnded(world());
  expect((await list()).data[0]).toMatchObject({
    status: null,
    state: "RETRYING",
    attempt: 1,
    error: "ECONNRESET",
    nextAttemptAt: "2026-01-05T09:00:01.000Z",
  });
});

test("pages hold every delivery once", async () => {
  for (let count = 0; count < 5; count += 1) await fund(world(), account());
  await allEnded(world());
  const seen: string[] = [];
  let query = "?limit=2";
  for (;;) {
    const { data, hasMore, nextCursor } = await list(query);
    seen.push(...data.map(({ id }: { id: string }) => id));
    if (!hasMore) break;
    query = `?limit=2&cursor=${nextCursor}`;
  }
  expect(seen).toHaveLength(6);
  expect(seen).toEqual(seen.toSorted().reverse());
});

test("one delivery is shown with its cause, its attempts and the bytes that were sent", async () => {
  world().receiver.behaviour = (_event, response, count) => {
    response.writeHead(count === 1 ? 503 : 200).end(count === 1 ? "not yet" : "thanks");
  };
  const { headers } = await fund(world(), account());
  await world().sim.advance("1s");
  const [first, second] = world().receiver.received;
  const shown = await show(first?.id ?? "");
  expect(shown).toMatchObject({
    id: first?.id,
    cause: { id: headers.get("x-sim-request-id") },
    attempts: [
      { attempt: 1, at: "2026-01-05T09:00:00.000Z", status: 503, reply: "not yet" },
      { attempt: 2, at: "2026-01-05T09:00:01.000Z", status: 200, reply: "thanks" },
    ],
    headers: { "content-type": "application/json", "X-Service-Signature": second?.signature },
    signature: { valid: true, key: expect.stringMatching(/^[0-9a-f]{8}$/) },
    body: second?.body,
  });
});

test("the key is plain PEM text that verifies what is shown", async () => {
  await fund(world(), account());
  await allEnded(world());
  const { body: pem, headers } = await world().control("GET", "/webhooks/key");
  expect(headers.get("content-type")).toMatch(/^text\/plain/);
  expect(pem).toMatch(/^-----BEGIN PUBLIC KEY-----\n[^-]+-----END PUBLIC KEY-----\n$/);
  const { id } = (await list()).data[0];
  const { body, headers: sent } = await show(id);
  const check = createVerify("sha256").update(body);
  expect(check.verify(pem, sent["X-Service-Signature"], "base64")).toBe(true);
});

test("an event without an endpoint is listed as undeliverable", async () => {
  await world().call("PATCH", "/config", { webhookEndpoint: null });
  await fund(world(), account());
  const [delivery] = (await list()).data;
  expect(delivery).toMatchObject({ state: "UNDELIVERABLE", status: null, attempt: 0 });
  expect(delivery).not.toHaveProperty("sentAt");
  expect(await show(delivery.id)).toMatchObject({
    attempts: [],
    signature: { key: expect.any(String) },
  });
});
