import { readFileSync } from "node:fs";
import { connect } from "node:net";

// Sends requests over connections that stay open, and prints how long each took. It reads no more
// of an answer than it must, so that the sender costs little. Argument: a file of JSON:
// {origin, headers, requests: [{method, path, headers?, body?}], connections, total, perSecond?, asksIds?}.
const { origin, headers, requests, connections, total, perSecond, asksIds } = JSON.parse(
  readFileSync(process.argv[2], "utf8"),
);
const { hostname, port, host } = new URL(origin);

const bytesOf = ({ method, path, headers: own, body }) => {
  const text = body === undefined ? "" : JSON.stringify(body);
  const sized = body === undefined ? {} : { "content-type": "application/json" };
  const all = { host, ...headers, ...own, ...sized, "content-length": Buffer.byteLength(text) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${text}`);
};

const messages = requests.map(bytesOf);
const tookMs = [];
const ids = [];
let sent = 0;

const lengthOf = (head) => {
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  if (!/^HTTP\/1\.1 2/.test(head) || length === undefined)
    throw new Error(`Expected a success with a length but found ${head.slice(0, 200)}`);
  return Number(length);
};

/** One connection; `send` resolves when the next request is answered. */
const open = () => {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let received = Buffer.alloc(0);
  let isAnswered = () => {};
  socket.on("data", (bytes) => {
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes]);
    const end = received.indexOf("\r\n\r\n");
    if (end === -1) return;
    const head = received.toString("latin1", 0, end);
    const whole = end + 4 + lengthOf(head);
    if (received.length < whole) return;
    if (asksIds) ids.push(JSON.parse(received.toString("utf8", end + 4, whole)).id);
    received = received.subarray(whole);
    isAnswered();
  });
  socket.on("error", (error) => {
    throw error;
  });
  socket.on("close", () => {
    throw new Error("Expected the connection to stay open but it was closed");
  });
  const send = () =>
    new Promise((resolve) => {
      const message = messages[sent % messages.length];
      sent += 1;
      const startedMs = performance.now();
      isAnswered = () => {
        tookMs.push(performance.now() - startedMs);
        resolve();
      };
      socket.write(message);
    });
  return new Promise((resolve) => socket.once("connect", () => resolve(send)));
};

const turnAt = (startedMs) =>
  perSecond === undefined
    ? undefined
    : new Promise((resolve) =>
        setTimeout(resolve, startedMs + (sent * 1000) / perSecond - performance.now()),
      );

const senders = await Promise.all(Array.from({ length: connections }, open));
const startedMs = performance.now();
await Promise.all(
  senders.map(async (send) => {
    while (sent < total) {
      await turnAt(startedMs);
      if (sent < total) await send();
    }
  }),
);
const seconds = (performance.now() - startedMs) / 1000;
process.stdout.write(`${JSON.stringify({ seconds, tookMs, ...(asksIds && { ids }) })}\n`, () =>
  process.exit(0),
);
