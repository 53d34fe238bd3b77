import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/**
 * Fate of the next message: it is lost on its way there with its connection, its answer is on its way
 * back, or nothing is heard of it any more.
 */
export type Cut = "request" | "answer" | "silence";

/** Passes connections on to a port of loopback, and cuts one where a test wants it. */
export class TcpRelay {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #next: Cut | undefined;

  private constructor(target: number) {
    this.#server = createServer((near) => this.#join(near, connect(target, "127.0.0.1")));
  }

  static async start(target: number): Promise<TcpRelay> {
    const relay = new TcpRelay(target);
    await new Promise<void>((resolve) => relay.#server.listen(0, "127.0.0.1", resolve));
    return relay;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Cuts the connection of the next message. */
  cut(what: Cut): void {
    this.#next = what;
  }

  #join(near: Socket, far: Socket) {
    let losesAnswer = false;
    let isSilent = false;
    const end = () => {
      for (const socket of [near, far]) {
        this.#sockets.delete(socket);
        socket.destroy();
      }
    };
    for (const socket of [near, far]) this.#sockets.add(socket.on("close", end).on("error", end));
    near.on("data", (bytes) => {
      const cut = this.#next;
      this.#next = undefined;
      if (cut === "request") return end();
      if (cut === "answer") losesAnswer = true;
      if (cut === "silence") isSilent = true;
      if (!isSilent) far.write(bytes);
    });
    far.on("data", (bytes) => {
      if (losesAnswer) return end();
      near.write(bytes);
    });
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
