import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { verifyBytes } from "../../src/crypto/ecdsa.ts";

export interface Received {
  id: string;
  type: string;
  timestamp: string;
  data: ReturnType<typeof JSON.parse>;
  /** The bytes as received. */
  body: string;
  signature: string;
  /** Name of the header with the signature, in small letters. */
  header?: string | undefined;
}

export type Behaviour = (
  event: Received,
  response: ServerResponse,
  count: number,
) => void | Promise<void>;

const accept: Behaviour = (_event, response) => {
  response.end();
};

/** A real webhook receiver on loopback. Tests set its behavior. */
export class Receiver {
  readonly received: Received[] = [];
  /** Events that came at once again, since it had ended a kept connection before an answer. */
  readonly repeated: Received[] = [];
  private readonly lost = new Set<string>();
  private readonly kept = new WeakSet<object>();
  behaviour: Behaviour = accept;
  private readonly server = createServer((request, response) => this.take(request, response));

  async start(port = 0): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(port, "127.0.0.1", resolve));
    return this;
  }

  get port() {
    return (this.server.address() as AddressInfo).port;
  }

  get url() {
    return `http://127.0.0.1:${this.port}/hooks`;
  }

  types(): string[] {
    return this.received.map(({ type }) => type);
  }

  allVerify(publicPem: string): boolean {
    return this.received.every(({ body, signature }) =>
      verifyBytes(publicPem, Buffer.from(body), signature),
    );
  }

  async stop() {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private take(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const header = Object.keys(request.headers).find((name) => /^x-\w+-signature$/.test(name));
      const signature = String(request.headers[header ?? ""]);
      const event: Received = { ...JSON.parse(body), body, signature, header };
      (this.lost.delete(event.id) ? this.repeated : this.received).push(event);
      const isKept = this.kept.has(request.socket);
      this.kept.add(request.socket);
      response.on("close", () => {
        const isOwnDoing = !request.socket.readableEnded && !request.socket.errored;
        if (isKept && isOwnDoing && !response.headersSent) this.lost.add(event.id);
      });
      void this.behaviour(event, response, this.received.length);
    });
  }
}
