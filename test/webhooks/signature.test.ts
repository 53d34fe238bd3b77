import { createPublicKey, createVerify } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { derOf } from "../crypto/setup/der.ts";
import { createPayee, createPayer, quoteInput } from "../setup/platform.ts";
import { allEnded, fund, greetedPerTest, openAccount, startGreeted } from "./setup/greeted.ts";

const { world } = greetedPerTest();

/** Verifies as a receiver in any language would, without our code. */
const verifies = (pem: string, body: string, signature: string) =>
  createVerify("sha256").update(body).verify(pem, signature, "base64");

const received = async () => {
  await fund(world(), await openAccount(world()), 12_345);
  await allEnded(world());
  const [event] = world().receiver.received;
  if (!event) throw new Error("Expected an event but found none");
  return event;
};

test("the header is plain base64 of a DER signature over the exact bytes", async () => {
  const { body, signature } = await received();
  const der = Buffer.from(signature, "base64");
  expect(der.toString("base64")).toBe(signature);
  expect(() => derOf(der)).not.toThrow();
  expect(verifies(world().sim.webhookPublicKey, body, signature)).toBe(true);
  expect(verifies(world().sim.webhookPublicKey, `${body} `, signature)).toBe(false);
  expect(verifies(world().sim.webhookPublicKey, body.replace("12345", "12346"), signature)).toBe(
    false,
  );
});

test("the key is a P-256 key, the same for every caller, and unique to the world", async () => {
  const { body, signature } = await received();
  const { body: pem } = await world().control("GET", "/webhooks/key");
  expect(pem).toBe(world().sim.webhookPublicKey);
  expect(createPublicKey(pem).asymmetricKeyDetails?.namedCurve).toBe("prime256v1");
  const other = await startGreeted({ seed: "another" });
  expect(verifies(other.sim.webhookPublicKey, body, signature)).toBe(false);
  await other.stop();
});

// spec/events.md#envelope
test("a body is compact JSON: id, type, timestamp and data, in this order", async () => {
  const { body } = await received();
  expect(JSON.stringify(JSON.parse(body))).toBe(body);
  const event = JSON.parse(body);
  expect(Object.keys(event)).toEqual(["id", "type", "timestamp", "data"]);
  expect(event).toMatchObject({
    id: expect.stringMatching(/^Webhook:[0-9a-f-]{36}$/),
    type: "INTERNAL_ACCOUNT.BALANCE_UPDATED",
    timestamp: "2026-01-05T09:00:00.000Z",
    data: { balance: { amount: 12_345 } },
  });
});

// spec/events.md#payloads
test("the data of an event is the resource as a read shows it", async () => {
  const payer = await createPayer(world());
  const payee = await createPayee(world(), payer.customerId, "003");
  const { body: quote } = await world().call("POST", "/quotes", quoteInput(payer.accountId, payee));
  const { body: transaction } = await world().call("GET", `/transactions/${quote.transactionId}`);
  await allEnded(world());
  const pending = world().receiver.received.find(({ type }) => type === "OUTGOING_PAYMENT.PENDING");
  expect(pending?.data).toEqual(transaction);
});

test("an attempt is a POST of JSON with its length, to the path and query configured", async () => {
  const calls: {
    method?: string | undefined;
    url?: string | undefined;
    headers: IncomingHttpHeaders;
  }[] = [];
  const server = createServer((request, response) => {
    calls.push({ method: request.method, url: request.url, headers: request.headers });
    request.resume().on("end", () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  await world().call("PATCH", "/config", {
    webhookEndpoint: `http://127.0.0.1:${port}/a%20path?tenant=1`,
  });
  await allEnded(world());
  const [call] = calls;
  expect(call).toMatchObject({
    method: "POST",
    url: "/a%20path?tenant=1",
    headers: { "content-type": "application/json", host: `127.0.0.1:${port}` },
  });
  const { id } = (await world().control("GET", "/webhooks")).body.data[0];
  const { body } = await world().control("GET", `/webhooks/${id}`);
  expect(call?.headers["content-length"]).toBe(String(Buffer.byteLength(body.body)));
});
