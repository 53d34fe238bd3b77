import { type AddressInfo, createServer, type Server, type Socket } from "node:net";

/** Time between two pieces of an answer that never ends. */
const DRIP_MS = 20;

const drip = (socket: Socket, piece: string) => {
  const timer = setInterval(() => socket.write(piece), DRIP_MS);
  socket.on("close", () => clearInterval(timer));
};

const answer = (socket: Socket, lines: readonly string[], body = "") =>
  socket.write(`${["HTTP/1.1 200 OK", ...lines].join("\r\n")}\r\n\r\n${body}`);

/** Ways of a receiver to harm the one who calls it. */
export const HOSTILE_RECEIVERS: readonly { way: string; take(socket: Socket): void }[] = [
  { way: "never answers", take: () => {} },
  { way: "resets the connection", take: (socket) => socket.resetAndDestroy() },
  { way: "answers what is no HTTP", take: (socket) => socket.end("SSH-2.0-none\r\n") },
  {
    way: "drips its head",
    take: (socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      drip(socket, "x-more: 1\r\n");
    },
  },
  {
    way: "drips a body without end",
    take: (socket) => {
      answer(socket, ["transfer-encoding: chunked"]);
      drip(socket, "1\r\nx\r\n");
    },
  },
  {
    way: "floods with a body",
    take: (socket) => {
      answer(socket, ["content-length: 104857600"]);
      const piece = "x".repeat(65_536);
      const flood = () => {
        while (socket.writable && socket.write(piece));
      };
      socket.on("drain", flood);
      flood();
    },
  },
  {
    way: "breaks its body off",
    take: (socket) => {
      answer(socket, ["content-length: 1000"], "x");
      socket.end();
    },
  },
  {
    way: "leads to itself",
    take: (socket) =>
      void socket.end("HTTP/1.1 307 Again\r\nlocation: /\r\ncontent-length: 0\r\n\r\n"),
  },
  {
    way: "fails at once",
    take: (socket) => void socket.end("HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n"),
  },
];

/** A server on loopback that treats each connection in one hostile way. */
export class HostileReceiver {
  calls = 0;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  constructor(take: (socket: Socket) => void) {
    this.server = createServer((socket) => {
      this.sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => this.sockets.delete(socket));
      socket.once("data", () => {
        this.calls += 1;
        take(socket);
      });
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  async stop() {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}
