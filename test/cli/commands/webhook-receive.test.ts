import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { formatReceived } from "../../../src/cli/commands/webhooks/receive.ts";
import type { RunningCli, Started } from "../../setup/cli.ts";
import { styleAt } from "../setup/styles.ts";
import { Workbench } from "../setup/workbench.ts";

let place: Workbench;
let simulator: RunningCli;
let started: Started;
let url: string;

const linesOf = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

const receive = async (more = "") => {
  started = place.command(`webhooks receive --port 0 --json ${more}`);
  ({ url } = JSON.parse((await started.firstLine()) as string));
  await simulator.call("PATCH", "/config", { webhookEndpoint: url });
  await started.printed('"TEST"');
};

const vector = async (name: string) =>
  (await simulator.control("POST", "/webhooks/vectors", { vector: name })).body;

beforeEach(async () => {
  place = new Workbench();
  simulator = await place.start("--clock manual --seed 7");
});

afterEach(() => place.close());

describe("receive", () => {
  test("verifies what comes, tells duplicates, and refuses what is wrong", async () => {
    await receive();
    expect(await vector("duplicate")).toMatchObject({ ok: true });
    expect(await vector("wrong-key")).toMatchObject({ ok: true });
    const { code, stdout } = await started.kill("SIGINT");
    expect(code).toBe(0);
    expect(linesOf(stdout)).toMatchObject([
      { event: "ready" },
      { event: "delivery", type: "TEST", verified: true, status: 200 },
      { verified: true, isDuplicate: false, status: 200 },
      { verified: true, isDuplicate: true, status: 409 },
      { verified: false, status: 401, diagnosis: { code: "WRONG_KEY" } },
      { event: "stopped", received: 4, verified: 3 },
    ]);
  });

  test("says of a tampered body that it is not the one that was signed", async () => {
    await receive();
    await vector("tampered-body");
    const { stdout } = await started.kill("SIGINT");
    expect(linesOf(stdout)[2]).toMatchObject({ status: 401, diagnosis: { code: "BODY_CHANGED" } });
  });

  test("knows the new key after a rotation", async () => {
    await receive();
    await simulator.control("POST", "/webhooks/keys/rotate");
    expect(await vector("duplicate")).toMatchObject({ ok: true });
    expect(await vector("old-key")).toMatchObject({ ok: true });
  });

  test("keeps to a key that it is given, which an old one may be", async () => {
    writeFileSync(
      place.file("webhook.pem"),
      (await simulator.control("GET", "/webhooks/key")).body,
    );
    await receive("--key webhook.pem");
    await simulator.control("POST", "/webhooks/keys/rotate");
    expect(await vector("duplicate")).toMatchObject({ ok: false });
    expect(await vector("old-key")).toMatchObject({ ok: false });
  });

  test("fails when it is told to, for whoever wants to see retries", async () => {
    await receive("--answer 500");
    const { body } = await simulator.control("POST", "/webhooks/trigger", { type: "TEST" });
    expect(body.status).toBe(500);
  });

  test("refuses what is no event with 400, and what has no signature with 401", async () => {
    await receive();
    const raw = Buffer.from("no JSON").toString("base64");
    const { body } = await simulator.control("POST", "/webhooks/trigger", { type: "TEST", raw });
    expect(body.status).toBe(400);
    expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(401);
  });
});

test("what is no event steers no terminal", async () => {
  await receive();
  const event = JSON.stringify({ id: "\u001b[2J", type: "\u001b[31mred", timestamp: "now\u0007" });
  const raw = Buffer.from(event).toString("base64");
  await simulator.control("POST", "/webhooks/trigger", { type: "TEST", raw });
  const { stdout } = await started.kill("SIGINT");
  const { id, type } = linesOf(stdout)[2];
  expect({ id, type }).toEqual({ id: undefined, type: undefined });
});

test("a port that is taken is exit 4, one that is none exit 2", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  expect((await place.run(`webhooks receive --port ${port}`)).code).toBe(4);
  server.close();
  expect((await place.run("webhooks receive --port many")).code).toBe(2);
  expect((await place.run("webhooks receive --port 0 --answer 99")).code).toBe(2);
  expect((await place.run("webhooks receive --port 0 --key none.pem")).code).toBe(2);
});

test("a line in the form of requests --follow, and why it does not verify below it", async () => {
  const style = await styleAt(80);
  const delivery = {
    id: "Webhook:019b8d68-27a0-7000-8000-c12f910c41d8",
    type: "OUTGOING_PAYMENT.COMPLETED",
    timestamp: "2026-01-05T09:06:12.000Z",
    body: Buffer.alloc(1264),
    header: "MEUC",
    isDuplicate: false,
    answered: 200,
  };
  expect(formatReceived({ ...delivery, verdict: { ok: true, checks: [] } }, style)).toEqual([
    "09:06:12 > OUTGOING_PAYMENT.COMPLETED           ✓ 200, verified  Webhook:…0c41d8",
  ]);
  const diagnosis = { code: "WRONG_KEY", message: "another key", fix: "take it" } as const;
  const wrong = { ok: false, checks: [], diagnosis };
  expect(formatReceived({ ...delivery, answered: 401, verdict: wrong }, style)).toEqual([
    "09:06:12 > OUTGOING_PAYMENT.COMPLETED    ✗ 401, DOES NOT VERIFY  Webhook:…0c41d8",
    "           WRONG_KEY: another key",
  ]);
  expect(formatReceived({ ...delivery, answered: 503 }, style)[0]).toContain(
    "not verified: no key",
  );
});
