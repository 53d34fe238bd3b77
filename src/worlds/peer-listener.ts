import type { RequestListener, Server } from "node:http";
import { type HopListening, hopListener } from "../http/hop/hop-server.ts";
import { parsePeer } from "../http/hop/peer-address.ts";
import { orderConnections } from "../http/sockets/connections.ts";
import { hopHttpServer } from "../http/sockets/http-server.ts";
import type { Answer } from "../http/sockets/node-server.ts";
import { listeningAddress } from "../machine/loopback-lookup.ts";
import { shownText, unfit } from "../options/simulator-options.ts";

/** Until the simulator behind it is open, its callers count as not arrived. */
const notYet: RequestListener = (incoming) => incoming.socket.destroy();

/**
 * The second listener of a process, for the other ones of its store (spec/store.md#hops). It is there
 * before the process joins the store, where its address stands.
 */
export class PeerListener {
  /** `host:port` that the others reach it at. */
  readonly address: string;
  private readonly server: Server;
  private listener = notYet;

  private constructor(host: string, server: Server) {
    this.server = server;
    server.on("request", (incoming, outgoing) => this.listener(incoming, outgoing));
    const bound = this.server.address();
    const port = typeof bound === "object" && bound ? bound.port : 0;
    this.address = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  }

  /**
   * Listens at `host:port`; port 0 takes any free one. Rejects with the system's error.
   * @throws OptionError for another text
   */
  static async open(text: string): Promise<PeerListener> {
    const address = parsePeer(text);
    if (!address) throw unfit("peer", "an address like 10.0.0.7:4748", shownText(text));
    const server = hopHttpServer();
    orderConnections(server);
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      const { host, port } = address;
      server.listen({ host: listeningAddress(host), port, exclusive: true }, resolve);
    });
    return new PeerListener(address.host, server);
  }

  /** Answers from now on. */
  serve(answer: Answer, listening: HopListening) {
    this.listener = hopListener(answer, listening);
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }
}
