import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { Connections } from "../../src/client/kept-connections.ts";

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
const END_OF_HEAD = "\r\n\r\n";

/** Answers the nth request of all connections; requests have no body. */
type Answering = (socket: Socket, n: number) => void;

/** A server that answers as it is told, and keeps what it was sent. */
const listen = async (answer: Answering) => {
  const sockets: Socket[] = [];
  const requests: string[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    let received = "";
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      received += bytes.toString("latin1");
      if (!received.includes(END_OF_HEAD)) return;
      requests.push(received);
      received = "";
      answer(socket, requests.length);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const connections = new Connections(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(async () => {
    connections.close();
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  const get = (path = "/a") =>
    connections.send({ method: "GET", path, headers: {}, body: undefined });
  return { sockets, requests, connections, get };
};

test("calls one after the other share a connection", async () => {
  const { sockets, get } = await listen((socket) => socket.write(OK));
  for (let n = 0; n < 3; n += 1) expect((await get()).text).toBe("ok");
  expect(sockets.length).toBe(1);
});

test("calls at the same time have one each, and share them later", async () => {
  const waiting: Socket[] = [];
  const { sockets, get } = await listen((socket) => {
    waiting.push(socket);
    if (waiting.length >= 3) for (const one of waiting.splice(0)) one.write(OK);
  });
  await Promise.all([get(), get(), get()]);
  await Promise.all([get(), get(), get()]);
  expect(sockets.length).toBe(3);
});

test("a request is as it was asked for", async () => {
  const { requests, connections } = await listen((socket) => socket.write(OK));
  const body = Buffer.from('{"ü":1}');
  const headers = { "x-one": "é" };
  await connections.send({ method: "POST", path: "/a?b=c", headers, body });
  await connections.send({ method: "POST", path: "/", headers: {}, body: undefined });
  await connections.send({ method: "DELETE", path: "/", headers: {}, body: undefined });
  const host = `host: ${new URL(connections.origin).host}`;
  expect(requests).toEqual([
    `POST /a?b=c HTTP/1.1\r\n${host}\r\nx-one: é\r\ncontent-length: 8\r\n\r\n${body.toString("latin1")}`,
    `POST / HTTP/1.1\r\n${host}\r\ncontent-length: 0\r\n\r\n`,
    `DELETE / HTTP/1.1\r\n${host}\r\n\r\n`,
  ]);
});

test.each([
  ["the answer says so", OK.replace("\r\n", "\r\nconnection: close\r\n")],
  ["it would be quiet for too long", OK.replace("\r\n", "\r\nkeep-alive: timeout=1\r\n")],
  ["more came than was asked for", `${OK}HTTP/1.1 200 OK\r\n`],
])("a connection is not used again: %s", async (_, answer) => {
  const { sockets, get } = await listen((socket) => socket.write(answer));
  await get();
  expect((await get()).text).toBe("ok");
  expect(sockets.length).toBe(2);
});

test("a connection that the server ended while it was quiet is not used again", async () => {
  const { sockets, get } = await listen((socket) => socket.write(OK));
  await get();
  const [first] = sockets as [Socket];
  first.end();
  await once(first, "close");
  expect((await get()).text).toBe("ok");
  expect(sockets.length).toBe(2);
});

test.each<[string, Answering, string]>([
  ["ends before the answer", (socket) => socket.end(), "the connection ended before the answer"],
  ["ends in its head", (socket) => socket.end("HTTP/1.1 2"), "the connection ended before the"],
  ["ends in its body", (socket) => socket.end(OK.slice(0, -1)), "the connection ended before the"],
  ["is reset", (socket) => socket.resetAndDestroy(), "ECONNRESET"],
  ["speaks something else", (socket) => socket.write("220 mail\r\n\r\n"), "the answer is not HTTP"],
])("a call gets no answer when its server %s, the next one does", async (_, answer, message) => {
  const { get } = await listen((socket, n) => (n === 1 ? answer(socket, n) : socket.write(OK)));
  await expect(get()).rejects.toThrow(message);
  expect((await get()).text).toBe("ok");
});

test("a call gets no answer when nothing listens", async () => {
  const { connections, sockets } = await listen((socket) => socket.write(OK));
  const elsewhere = new Connections("http://127.0.0.1:1");
  const call = { method: "GET", path: "/", headers: {}, body: undefined };
  await expect(elsewhere.send(call)).rejects.toThrow("connect ECONNREFUSED 127.0.0.1:1");
  expect((await connections.send(call)).status).toBe(200);
  expect(sockets.length).toBe(1);
});

test("closing ends calls that are under way", async () => {
  const { connections, get } = await listen(() => connections.close());
  await expect(get()).rejects.toThrow("the connection ended before the answer did");
});

test.each([
  ["a header that would begin another", { path: "/", headers: { "x-a": "b\r\nx-c: d" } }],
  ["a header beyond Latin-1", { path: "/", headers: { "x-a": "☃" } }],
  ["a path with a space", { path: "/a b", headers: {} }],
  ["a path with a line end", { path: "/a\r\n", headers: {} }],
])("sends nothing for %s", async (_, asked) => {
  const { sockets, connections } = await listen((socket) => socket.write(OK));
  const call = { method: "GET", body: undefined, ...asked };
  await expect(connections.send(call as never)).rejects.toThrow();
  expect(sockets.length).toBe(0);
});
