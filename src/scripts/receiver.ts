import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { httpServer } from "../http/sockets/http-server.ts";

/** A webhook as it came. */
export interface Delivery {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** An answer to a delivery: `drop` ends the connection without one, `hang` leaves it open. */
export interface GivenAnswer {
  status: number | "drop" | "hang";
  body?: unknown;
}

/** An answer of a script's receiver; those of the package may also fail to answer. */
export interface ReceiverAnswer extends GivenAnswer {
  /** Type of event that it answers; any when left out. */
  type?: string | undefined;
  /** Number of times to give it; always when left out. */
  times?: number | undefined;
}

/** A receiver of webhooks on loopback. */
export class Receiver {
  private readonly answerTo: (delivery: Delivery) => GivenAnswer | Promise<GivenAnswer>;
  private readonly server: Server = httpServer((request, response) => this.read(request, response));

  constructor(answerTo: (delivery: Delivery) => GivenAnswer | Promise<GivenAnswer>) {
    this.answerTo = answerTo;
  }

  /**
   * Starts the receiver and gives its URL.
   * @param port any free one when left out
   * @throws the error of a port that cannot be used
   */
  async start(port = 0): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.server.once("error", reject);
      this.server.listen(port, "127.0.0.1", resolve);
    });
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }

  private read(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const { headers } = request;
      const { status, body } = await this.answerTo({ headers, body: Buffer.concat(chunks) });
      if (status === "hang") return;
      if (status === "drop") response.destroy();
      else if (body === undefined) response.writeHead(status).end();
      else
        response
          .writeHead(status, { "content-type": "application/json" })
          .end(JSON.stringify(body));
    });
  }
}

/** Members of a JSON object; none for anything else. */
export const membersIn = (body: Buffer): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(body.toString("utf8"));
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
};

/** Answers as a script says: the first that fits an event, as often as it may be given. */
export const answersInTurn = (answers: readonly ReceiverAnswer[]) => {
  const usedTimes = new Map<ReceiverAnswer, number>();
  return ({ body }: Delivery): GivenAnswer => {
    const type = membersIn(body)?.type;
    const fits = (candidate: ReceiverAnswer) =>
      (candidate.type ?? type) === type &&
      (usedTimes.get(candidate) ?? 0) < (candidate.times ?? Infinity);
    const answer = answers.find(fits);
    if (!answer) return { status: 200 };
    usedTimes.set(answer, (usedTimes.get(answer) ?? 0) + 1);
    return answer;
  };
};
