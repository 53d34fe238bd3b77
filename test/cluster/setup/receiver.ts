import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Chance } from "../../simulation/setup/chance.ts";
import type { Delivered } from "../checker/history.ts";

/** One attempt in eight fails, and one in sixteen is left without an answer. */
const REFUSES = 8;
const HANGS_UP = 16;

/** A receiver of webhooks that fails now and then, and notes what it got. */
export class ClusterReceiver {
  readonly deliveries: Delivered[] = [];
  private readonly server = createServer((request, response) => this.take(request, response));
  private readonly chance: Chance;
  isReliable = false;

  constructor(chance: Chance) {
    this.chance = chance;
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hooks`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private take(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const hangsUp = !this.isReliable && this.chance.oneIn(HANGS_UP);
      const isAccepted = !hangsUp && (this.isReliable || !this.chance.oneIn(REFUSES));
      this.deliveries.push({ id: JSON.parse(body).id, body, isAccepted });
      if (hangsUp) request.socket.destroy();
      else response.writeHead(isAccepted ? 204 : 503).end();
    });
  }
}
