import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { attemptDelivery } from "../../src/webhooks/attempt.ts";
import { WebhookTargets } from "../../src/webhooks/targets.ts";
import { startTestSimulator } from "../setup/test-simulator.ts";
import { type Answering, listenRaw } from "./setup/raw-receiver.ts";

const isMissing = spawnSync("openssl", ["version"]).status !== 0;

const KEPT = "HTTP/1.1 200 OK\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\nok";
const KEPT_500 = KEPT.replace("200 OK", "500 Oops");

let tls: { key: string; cert: string };

const listen = (answer: Answering) => listenRaw(answer, { tls });

/** Attempts one after the other, which take any certificate of loopback. */
const attempting = (url: string) => {
  const targets = new WebhookTargets({ isLoopback: () => true, isInsecure: true });
  const attempt = { url, body: Buffer.from("{}"), headers: {}, timeoutMs: 60_000, targets };
  return () => attemptDelivery(attempt);
};

// spec/webhooks.md#connections
describe.skipIf(isMissing)("kept connections with TLS", () => {
  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), "secure-connections-"));
    const form = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2";
    const files = "-subj /CN=localhost -keyout key.pem -out cert.pem";
    execFileSync("openssl", `${form} ${files}`.split(" "), { cwd: folder, stdio: "pipe" });
    const read = (name: string) => readFileSync(join(folder, name), "utf8");
    tls = { key: read("key.pem"), cert: read("cert.pem") };
    rmSync(folder, { recursive: true });
  });

  test("serve the next attempt, too", async () => {
    const { url, sockets } = await listen((socket) => void socket.write(KEPT));
    const attempt = attempting(url);
    for (let made = 0; made < 3; made += 1)
      expect(await attempt()).toMatchObject({ httpStatus: 200 });
    expect(sockets).toHaveLength(1);
  });

  test.each([
    { says: "in the same packet", isSame: true },
    { says: "in a packet of its own", isSame: false },
  ])("an answer that nobody asked for, $says, answers no attempt", async ({ isSame }) => {
    const { url, sockets } = await listen((socket, count) => {
      if (count > 1) return void socket.write(KEPT_500);
      if (isSame) return void socket.write(KEPT + KEPT);
      socket.write(KEPT, () => socket.write(KEPT));
    });
    const attempt = attempting(url);
    expect(await attempt()).toMatchObject({ httpStatus: 200 });
    expect(await attempt()).toMatchObject({ httpStatus: 500 });
    expect(sockets).toHaveLength(2);
  });

  const closings: { says: string; close: (socket: Socket) => void }[] = [
    { says: "ended", close: (socket) => void socket.end() },
    { says: "cut without the end of its session", close: (socket) => void socket.destroy() },
  ];

  test.each(closings)("one that is $says at once costs no attempt", async ({ close }) => {
    const { url, sockets } = await listen((socket) => {
      socket.write(KEPT, () => close(socket));
    });
    const attempt = attempting(url);
    for (let made = 0; made < 5; made += 1)
      expect(await attempt()).toMatchObject({ httpStatus: 200 });
    expect(sockets).toHaveLength(5);
  });

  test.each(closings)(
    "a request on one that is $says without a byte is written once more",
    async ({ close }) => {
      const { url, sockets, requests } = await listen((socket, count) => {
        if (count === 2) close(socket);
        else socket.write(KEPT);
      });
      const attempt = attempting(url);
      expect(await attempt()).toMatchObject({ httpStatus: 200 });
      expect(await attempt()).toMatchObject({ httpStatus: 200 });
      expect(requests).toHaveLength(3);
      expect(requests[2]).toBe(requests[1]);
      expect(sockets).toHaveLength(2);
    },
  );

  test("the repeat is not counted as an attempt of the delivery", async () => {
    const { url, requests } = await listen((socket, count) => {
      if (count === 2) socket.end();
      else socket.write(KEPT);
    });
    const world = await startTestSimulator({ webhookEndpoint: url, insecureWebhooks: true });
    try {
      const sent = [];
      for (let made = 0; made < 2; made += 1) {
        const { body } = await world.control("POST", "/webhooks/trigger", { type: "TEST" });
        sent.push(body);
      }
      expect(sent).toMatchObject([
        { state: "ACCEPTED", status: 200, attempt: 1 },
        { state: "ACCEPTED", status: 200, attempt: 1 },
      ]);
      expect(requests).toHaveLength(3);
    } finally {
      await world.sim.close();
    }
  });
});
