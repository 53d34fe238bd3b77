import type { RequestListener, Server } from "node:http";
import { HOP_HEADER } from "../http/hop/hop-header.ts";
import { type HopListening, hopListener } from "../http/hop/hop-server.ts";
import { misdirectedReply } from "../http/hop/misdirected.ts";
import { parsePeer } from "../http/hop/peer-address.ts";
import { orderConnections } from "../http/sockets/connections.ts";
import { hopHttpServer } from "../http/sockets/http-server.ts";
import type { Answer } from "../http/sockets/node-server.ts";
import { listeningAddress } from "../machine/loopback-lookup.ts";
import { shownText, unfit } from "../options/simulator-options.ts";

/** Until the simulator behind it is open, a call counts as one that did not arrive. */
const notYet: RequestListener = (incoming, outgoing) => {
  incoming.resume();
  outgoing.writeHead(403, { [HOP_HEADER]: "not open yet", "content-length": 0 }).end();
};

/** Once the simulator is about to end, its worlds are elsewhere. */
const noMore: RequestListener = (incoming, outgoing) => {
  incoming.resume();
  const { status, headers } = misdirectedReply();
  outgoing.writeHead(status, { ...headers, "content-length": 0 }).end();
};

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

  /** Says from now on that the worlds are no longer served here. */
  refuse() {
    this.listener = noMore;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }
}
