import { createServer, type Server, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { Connections } from "../../../src/storage/postgres/connection.ts";
import { plain } from "../../../src/storage/postgres/statement.ts";

let server: Server;

afterEach(() => new Promise((closed) => server.close(closed)));

/** A message of the protocol: its type, then its length with itself, then its bytes. */
const message = (type: string, body: Buffer) => {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};

const AUTHENTICATED = message("R", Buffer.alloc(4));
const READY = message("Z", Buffer.from("I"));
const ENDED = message(
  "E",
  Buffer.from("SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0"),
);

const serve = async (answer: (socket: Socket) => void): Promise<string> => {
  server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => answer(socket));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as { port: number };
  return `postgres://sim@127.0.0.1:${port}/sim`;
};

test("a connection that ends with the message that it is ready ends no process", async () => {
  // All in one chunk: the connection is ready, and gone before somebody has it.
  const url = await serve((socket) => socket.end(Buffer.concat([AUTHENTICATED, READY, ENDED])));
  const connections = new Connections(url);
  await expect(connections.ask(plain("select 1"))).rejects.toThrow("The store");
  await connections.close();
});
