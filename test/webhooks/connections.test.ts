import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { attemptDelivery } from "../../src/webhooks/attempt.ts";
import { CutOff } from "../../src/webhooks/cut-off.ts";
import { WebhookTargets } from "../../src/webhooks/targets.ts";
import { until } from "../runtime/setup/turns.ts";
import { listenRaw } from "./setup/raw-receiver.ts";

const sockets: Socket[] = [];
let server: Server | undefined;

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
  sockets.length = 0;
});

const listen = async (answer: RequestListener): Promise<number> => {
  server = createServer((request, response) => {
    request.resume().on("end", () => answer(request, response));
  });
  server.on("connection", (socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
};

const targets = () =>
  new WebhookTargets({
    isLoopback: () => true,
    resolve: (_name, _options, done) => done(null, [{ address: "127.0.0.1", family: 4 }]),
  });

const send = async (url: string, count: number) => {
  const attempt = { url, body: Buffer.from("{}"), headers: {}, timeoutMs: 5000 };
  const rules = targets();
  const statuses: unknown[] = [];
  for (let made = 0; made < count; made += 1)
    statuses.push((await attemptDelivery({ ...attempt, targets: rules })).httpStatus);
  return statuses;
};

// spec/webhooks.md#connections
test.each([
  { host: "127.0.0.1", announces: "keep-alive", attempts: 33, connections: 2 },
  { host: "localhost", announces: "keep-alive", attempts: 32, connections: 1 },
  { host: "127.0.0.1", announces: "close", attempts: 5, connections: 5 },
  { host: "hooks.example", announces: "keep-alive", attempts: 5, connections: 5 },
])(
  "$attempts attempts to $host, whose answers say $announces, take $connections connections",
  async (row) => {
    const port = await listen((_request, response) => {
      response.writeHead(200, { connection: row.announces }).end("ok");
    });
    const statuses = await send(`http://${row.host}:${port}/`, row.attempts);
    expect(statuses).toEqual(Array(row.attempts).fill(200));
    expect(sockets).toHaveLength(row.connections);
  },
);

test("a receiver that does not say that it keeps the connection gets a new one each time", async () => {
  const port = await listen((_request, response) => {
    // As servers do that write their head by hand.
    response.socket?.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
  });
  expect(await send(`http://127.0.0.1:${port}/`, 3)).toEqual([200, 200, 200]);
  expect(sockets).toHaveLength(3);
});

test("an idle connection is closed, so that a receiver with one at a time serves others", async () => {
  const port = await listen((_request, response) => void response.end("ok"));
  expect(await send(`http://127.0.0.1:${port}/`, 2)).toEqual([200, 200]);
  expect(sockets).toHaveLength(1);
  await until("the idle connection to be closed", () => sockets[0]?.destroyed === true);
});

const KEPT = "HTTP/1.1 200 OK\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\nok";
const KEPT_500 = KEPT.replace("200 OK", "500 Oops");

/** Attempts one after the other over connections of their own. */
const attempting = (url: string) => {
  const attempt = { url, body: Buffer.from("{}"), headers: {}, timeoutMs: 60_000 };
  const rules = targets();
  return () => attemptDelivery({ ...attempt, targets: rules });
};

test.each([
  { says: "in the same packet", isSame: true },
  { says: "in a packet of its own", isSame: false },
])("an answer that nobody asked for, $says, answers no attempt", async ({ isSame }) => {
  const { url, sockets: opened } = await listenRaw((socket, count) => {
    if (count > 1) return void socket.write(KEPT_500);
    if (isSame) return void socket.write(KEPT + KEPT);
    // The second one is there before the next attempt begins.
    socket.write(KEPT, () => socket.write(KEPT));
  });
  const attempt = attempting(url);
  expect(await attempt()).toMatchObject({ httpStatus: 200 });
  expect(await attempt()).toMatchObject({ httpStatus: 500 });
  expect(opened).toHaveLength(2);
});

test.each([
  { says: "an end", next: (socket: Socket) => void socket.end() },
  { says: "a reset", next: (socket: Socket) => void socket.resetAndDestroy() },
  { says: "a byte", next: (socket: Socket) => void socket.write("\n") },
])("a kept connection with $says between two requests is not used again", async ({ next }) => {
  const {
    url,
    sockets: opened,
    requests,
  } = await listenRaw((socket) => {
    socket.write(KEPT, () => next(socket));
  });
  const attempt = attempting(url);
  for (let made = 0; made < 5; made += 1)
    expect(await attempt()).toMatchObject({ httpStatus: 200 });
  expect(opened).toHaveLength(5);
  expect(requests).toHaveLength(5);
});

test.each([
  { says: "ends", next: (socket: Socket) => void socket.end() },
  { says: "is reset", next: (socket: Socket) => void socket.resetAndDestroy() },
])(
  "a request on a kept connection that $says without a byte is written once more",
  async ({ next }) => {
    const {
      url,
      sockets: opened,
      requests,
    } = await listenRaw((socket, count) => {
      if (count === 2) next(socket);
      else socket.write(KEPT);
    });
    const attempt = attempting(url);
    expect(await attempt()).toMatchObject({ httpStatus: 200 });
    expect(await attempt()).toMatchObject({ httpStatus: 200 });
    expect(requests).toHaveLength(3);
    expect(requests[2]).toBe(requests[1]);
    expect(opened).toHaveLength(2);
  },
);

test("it is written once more only: a receiver that closes each connection fails the attempt", async () => {
  const { url, requests } = await listenRaw((socket, count) => {
    if (count === 1) socket.write(KEPT);
    else socket.end();
  });
  const attempt = attempting(url);
  await attempt();
  expect(await attempt()).toMatchObject({ error: "ECONNRESET" });
  expect(requests).toHaveLength(3);
  expect(await attempt()).toMatchObject({ error: "ECONNRESET" });
  expect(requests).toHaveLength(4);
});

test("a request that got one byte of an answer is not written again", async () => {
  const { url, requests } = await listenRaw((socket, count) => {
    if (count === 1) socket.write(KEPT);
    else socket.end("H");
  });
  const attempt = attempting(url);
  await attempt();
  expect(await attempt()).toMatchObject({ error: expect.stringMatching(/within the head/) });
  expect(requests).toHaveLength(2);
});

test("an attempt that was cut off while it waits for its connection writes nothing", async () => {
  const { url, requests } = await listenRaw((socket) => void socket.write(KEPT));
  const rules = targets();
  const attempt = { url, body: Buffer.from("{}"), headers: {}, timeoutMs: 60_000, targets: rules };
  await attemptDelivery(attempt);
  const cutOff = new CutOff();
  const cut = attemptDelivery({ ...attempt, cutOff });
  cutOff.cut();
  expect(await cut).toMatchObject({ error: "ABORT_ERR" });
  await attemptDelivery(attempt);
  expect(requests).toHaveLength(2);
});
