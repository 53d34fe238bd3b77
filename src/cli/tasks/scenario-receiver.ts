import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ReceiverAnswer } from "../../contract/control/scenarios.ts";
import { httpServer } from "../../http/sockets/http-server.ts";

/** A receiver of webhooks that answers as a scenario says. */
export class ScenarioReceiver {
  private readonly answers: readonly ReceiverAnswer[];
  private readonly given = new Map<ReceiverAnswer, number>();
  private readonly server: Server = httpServer((request, response) => this.read(request, response));

  constructor(answers: readonly ReceiverAnswer[]) {
    this.answers = answers;
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.server.once("error", reject);
      this.server.listen(0, "127.0.0.1", resolve);
    });
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hooks`;
  }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }

  private read(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { status, body } = this.answerTo(typeOf(Buffer.concat(chunks)));
      response.writeHead(status, { "content-type": "application/json" });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  private answerTo(type: unknown): Pick<ReceiverAnswer, "status" | "body"> {
    const fits = (one: ReceiverAnswer) =>
      (one.type ?? type) === type && (this.given.get(one) ?? 0) < (one.times ?? Infinity);
    const answer = this.answers.find(fits);
    if (!answer) return { status: 200 };
    this.given.set(answer, (this.given.get(answer) ?? 0) + 1);
    return answer;
  }
}

const typeOf = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString("utf8"))?.type;
  } catch {
    return undefined;
  }
};
