import { Agent, type IncomingHttpHeaders, request } from "node:http";

/** An answer as it came over the wire. */
export interface WireAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface WireCall {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
}

/** Answers without an end, of which the head is enough. */
const ENDLESS = /^text\/event-stream|^application\/(?:x-ndjson|vnd\.)|capsule/;
const MOST_BYTES = 200_000;

/** Calls a port of this machine; path and headers, `Host` too, go over the wire unchanged. */
export class Wire {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 8 });
  private readonly port: number;

  constructor(port: number) {
    this.port = port;
  }

  call({ method, path, headers, body }: WireCall): Promise<WireAnswer> {
    return new Promise((resolve, reject) => {
      const { port, agent } = this;
      const all = { ...headers, ...(body !== undefined && { "content-length": `${body.length}` }) };
      const to = { host: "127.0.0.1", port, method, path, agent, setHost: false, headers: all };
      const sent = request(to, (response) => {
        const chunks: Buffer[] = [];
        let length = 0;
        const { statusCode: status = 0, headers } = response;
        const done = () => {
          resolve({ status, headers, text: Buffer.concat(chunks).toString("utf8") });
        };
        const cut = () => {
          done();
          response.destroy();
        };
        response.on("error", done);
        response.on("end", done);
        if (ENDLESS.test(headers["content-type"] ?? "")) return cut();
        response.on("data", (chunk: Buffer) => {
          chunks.push(chunk);
          length += chunk.length;
          if (length > MOST_BYTES) cut();
        });
      });
      sent.on("error", reject);
      sent.end(body);
    });
  }

  close() {
    this.agent.destroy();
  }
}

/** Does something with each row, some at a time. */
export const eachOf = async <Row>(
  rows: readonly Row[],
  work: (row: Row) => Promise<void>,
  atOnce = 8,
) => {
  const left = rows.values();
  const worker = async () => {
    for (const row of left) await work(row);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
};
