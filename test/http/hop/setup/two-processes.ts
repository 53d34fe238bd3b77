import { once } from "node:events";
import type { AddressInfo, Server, Socket } from "node:net";
import { hopBodyOf } from "../../../../src/http/hop/hop-body.ts";
import { HopClient, type HopResult } from "../../../../src/http/hop/hop-client.ts";
import { hopServer } from "../../../../src/http/hop/hop-server.ts";
import type { HttpRequest } from "../../../../src/http/message/http-request.ts";
import type { WholeReply } from "../../../../src/http/message/reply.ts";
import { orderConnections } from "../../../../src/http/sockets/connections.ts";
import { type Answer, nodeServer } from "../../../../src/http/sockets/node-server.ts";

export const KEY = Buffer.alloc(32, 7);

/** Ids of the process that clients ask, and of the one that serves the world. */
export const FIRST = "sim-1";
export const OWNER = "sim-2";

const listening = async (server: Server): Promise<number> => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
};

const ended = async (server: Server, sockets: readonly Socket[]) => {
  for (const socket of sockets) socket.destroy();
  if (!server.listening) return;
  server.close();
  await once(server, "close");
};

/** The reply of the first process to what came of a hop: one that is none says what it is. */
export const shownResult = (result: HopResult): WholeReply =>
  result.kind === "reply"
    ? result.reply
    : { status: 503, headers: { "x-result": "1" }, text: JSON.stringify(result) };

/** Two processes in this one, each behind a real socket: the first passes every request on. */
export class TwoProcesses {
  readonly client = new HopClient({ from: FIRST, key: KEY });
  /** Connections that the owner has taken. */
  readonly taken: Socket[] = [];
  /** Connections of clients. */
  readonly clients: Socket[] = [];
  /** The result of each hop. */
  readonly results: HopResult[] = [];
  /** Called before a request is passed on. */
  before: (request: HttpRequest) => Promise<unknown> = async () => undefined;
  port = 0;
  peer = "";
  private first!: Server;
  owner!: Server;

  /** @param answer of the owner; or a server of any kind */
  static async start(answer: Answer | Server): Promise<TwoProcesses> {
    const both = new TwoProcesses();
    both.owner =
      typeof answer === "function" ? hopServer(answer, { process: OWNER, key: KEY }) : answer;
    both.owner.on("connection", (socket: Socket) => both.taken.push(socket));
    both.peer = `127.0.0.1:${await listening(both.owner)}`;
    const first = nodeServer(async (request) => {
      await both.before(request);
      return shownResult(await both.pass(request));
    });
    orderConnections(first);
    both.first = first;
    both.first.on("connection", (socket: Socket) => both.clients.push(socket));
    both.port = await listening(both.first);
    return both;
  }

  /** Passes a request on to the owner. */
  async pass(request: HttpRequest): Promise<HopResult> {
    const body = await hopBodyOf(request);
    const result = await this.client.send(request, { id: OWNER, peer: this.peer }, body);
    this.results.push(result);
    return result;
  }

  /** Ends the owner as a kill does: its connections are reset. */
  kill() {
    this.owner.close();
    for (const socket of this.taken) socket.resetAndDestroy();
  }

  async close() {
    this.client.close();
    await Promise.all([ended(this.first, this.clients), ended(this.owner, this.taken)]);
  }
}
