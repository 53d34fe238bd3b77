import { Connections } from "./kept-connections.ts";
import { noAnswer, parsed, type Send } from "./send.ts";

/** A body as the bytes that a request carries, with the header that names a form's boundary. */
const bytesOf = async (body: string | FormData | undefined) => {
  if (body === undefined) return { bytes: undefined };
  if (typeof body === "string") return { bytes: Buffer.from(body) };
  const form = new Response(body);
  const type = form.headers.get("content-type") ?? "";
  return { bytes: Buffer.from(await form.arrayBuffer()), type };
};

/**
 * Sends calls to a simulator over HTTP, by connections that are kept. They work while a test fakes
 * timers; `fetch` waits for faked ones.
 */
export class SocketSender {
  readonly origin: string;
  private readonly connections: Connections;

  constructor(origin: string) {
    this.origin = origin;
    this.connections = new Connections(origin);
  }

  readonly send: Send = async (sent) => {
    const { method, path } = sent;
    const { bytes: body, type } = await bytesOf(sent.body);
    const headers = type === undefined ? sent.headers : { ...sent.headers, "content-type": type };
    try {
      const answer = await this.connections.send({ method, path, headers, body });
      return {
        status: answer.status,
        body: parsed(answer.text, answer.headers.get("content-type")),
        requestId: answer.headers.get("x-sim-request-id"),
      };
    } catch (error) {
      throw noAnswer(sent, error);
    }
  };

  /** Closes the connections that are kept; calls that wait get the reason as their error. */
  close(reason?: Error) {
    this.connections.close(reason);
  }
}
