import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { createServer as createSecureServer } from "node:tls";
import { onTestFinished } from "vitest";

/** Called for each request once it is whole, counted over all connections from 1. */
export type Answering = (socket: Socket, count: number) => void;

const wholeLength = (text: string): number => {
  const end = text.indexOf("\r\n\r\n");
  const [, length = "0"] = /^content-length: (\d+)/im.exec(text) ?? [];
  return end < 0 ? Number.POSITIVE_INFINITY : end + 4 + Number(length);
};

/** A receiver on plain sockets, which answers as it is told; it ends with its test. */
export const listenRaw = async (
  answer: Answering,
  options: { mayBeCut?: boolean; tls?: { key: string; cert: string } } = {},
) => {
  const sockets: Socket[] = [];
  const requests: string[] = [];
  const opened = (socket: Socket) => {
    sockets.push(socket);
    let text = "";
    socket.on("error", () => {});
    socket.on("end", () => socket.end());
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1");
      const length = wholeLength(text);
      if (text.length < (options.mayBeCut ? 1 : length)) return;
      requests.push(text);
      text = "";
      answer(socket, requests.length);
    });
  };
  const form = { noDelay: true, allowHalfOpen: true };
  const { tls } = options;
  const server = tls ? createSecureServer({ ...form, ...tls }, opened) : createServer(form, opened);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  const { port } = server.address() as AddressInfo;
  return { sockets, requests, url: `${tls ? "https" : "http"}://127.0.0.1:${port}/hooks` };
};
