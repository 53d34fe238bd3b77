import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** An answer as its bytes tell it; names of headers in small letters. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  /** Everything behind the head, so a body that must not be there is seen. */
  body: string;
  /** Statuses that came before the last one, as 100. */
  interim: number[];
}

const headOf = (head: string) => {
  const [first = "", ...lines] = head.split("\r\n");
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    // Two headers of one name would hide each other.
    if (name in headers) throw new Error(`Expected ${name} once but found it twice`);
    headers[name] = line.slice(colon + 1).trim();
  }
  return { status: Number(first.split(" ")[1]), headers };
};

/** The answer in everything that came back on a connection with one request. */
export const answerIn = (text: string): RawAnswer => {
  const interim: number[] = [];
  let rest = text;
  for (;;) {
    const end = rest.indexOf("\r\n\r\n");
    const { status, headers } = headOf(end < 0 ? rest : rest.slice(0, end));
    rest = end < 0 ? "" : rest.slice(end + 4);
    if (status >= 200 || end < 0) return { status, headers, body: rest, interim };
    interim.push(status);
  }
};

/** One connection of bytes alone. */
export class RawSocket {
  /** Everything that came back so far. */
  text = "";
  private readonly socket: Socket;
  private isOver = false;

  constructor(port: number) {
    this.socket = connect(port, "127.0.0.1").setNoDelay(true);
    this.socket.setEncoding("latin1").on("data", (chunk: string) => {
      this.text += chunk;
    });
    this.socket.on("error", () => {});
    this.socket.on("close", () => {
      this.isOver = true;
    });
  }

  write(text: string) {
    this.socket.write(Buffer.from(text, "latin1"));
  }

  /** Waits until the text fits; fails when the connection ends before. */
  async until(pattern: RegExp) {
    while (!pattern.test(this.text)) {
      if (this.isOver) throw new Error(`Expected ${pattern} but found ${this.text}`);
      await Promise.race([once(this.socket, "data"), once(this.socket, "close")]);
    }
  }

  async closed() {
    if (!this.isOver) await once(this.socket, "close");
    return this.text;
  }

  destroy() {
    this.socket.destroy();
  }
}

/** A request of which each line is chosen. */
export interface RawRequest {
  method?: string;
  target: string;
  headers?: readonly string[];
  body?: string;
}

/** The bytes of a request; nothing is added that is not given. */
export const bytesOf = ({ method = "GET", target, headers = [], body = "" }: RawRequest) =>
  `${[`${method} ${target} HTTP/1.1`, ...headers].join("\r\n")}\r\n\r\n${body}`;

/** Sends a request on a connection of its own, which the server closes behind its answer. */
export const exchange = async (port: number, request: RawRequest): Promise<RawAnswer> => {
  const socket = new RawSocket(port);
  const { headers = [] } = request;
  const own = ["host: 127.0.0.1", "connection: close"];
  socket.write(bytesOf({ ...request, headers: [...own, ...headers] }));
  return answerIn(await socket.closed());
};
