import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { attemptDelivery } from "../../src/webhooks/attempt.ts";
import { WebhookTargets } from "../../src/webhooks/targets.ts";
import { until } from "../runtime/setup/turns.ts";

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
