import type { AddressInfo } from "node:net";
import { connect, createServer, type Server, type Socket } from "node:net";

/** A bug that stands between client and simulator, and the words by which it must be found. */
export interface Plant {
  bug: string;
  /** True for requests that meet the bug; the text has one character a byte. */
  strikes(request: string): boolean;
  /** The answer in place of the right one; nothing for no answer at all. */
  corrupt(answer: string): string | undefined;
  /** Closes the connection behind the answer. */
  closes?: true;
  found: RegExp;
}

const HEAD_END = "\r\n\r\n";

/** An answer with another body, and the length of that. */
const withBody = (answer: string, change: (body: string) => string) => {
  const at = answer.indexOf(HEAD_END);
  if (at < 0 || !/content-length: [1-9]/.test(answer)) return answer;
  const body = change(answer.slice(at + HEAD_END.length));
  const head = answer.slice(0, at).replace(/content-length: \d+/, `content-length: ${body.length}`);
  return head + HEAD_END + body;
};

const errorAnswer = (status: string, code: string) => {
  const body = JSON.stringify({ status: Number(status.slice(0, 3)), code, message: "Planted" });
  const lines = [
    `HTTP/1.1 ${status}`,
    "content-type: application/json",
    "x-sim-request-id: req-1-1",
    `content-length: ${body.length}`,
  ];
  return lines.join("\r\n") + HEAD_END + body;
};

const always = () => true;
const isGet = (request: string) => request.startsWith("GET ");

/** Bugs of many kinds; a campaign must find each. */
export const PLANTS: readonly Plant[] = [
  {
    bug: "a handler that throws at a lone surrogate",
    strikes: (request) => /\\ud[89a-f]/.test(request),
    corrupt: () => errorAnswer("500 Internal Server Error", "INTERNAL_ERROR"),
    found: /the server failed with 500 INTERNAL_ERROR/,
  },
  {
    bug: "a gateway that fails",
    strikes: (request) => /9007199254740993|9007199254740991|1e400|1e21/.test(request),
    corrupt: () => errorAnswer("502 Bad Gateway", "BAD_GATEWAY"),
    found: /the server failed with 502/,
  },
  {
    bug: "a success with an undocumented status",
    strikes: always,
    corrupt: (answer) => answer.replace(/^HTTP\/1.1 200 OK/, "HTTP/1.1 206 Partial Content"),
    found: /206 is not documented/,
  },
  {
    bug: "a refusal with an undocumented status",
    strikes: isGet,
    corrupt: () => errorAnswer("418 I'm a Teapot", "TEAPOT"),
    found: /418 is not documented/,
  },
  {
    bug: "an undocumented member",
    strikes: isGet,
    corrupt: (answer) => withBody(answer, (body) => body.replace("{", '{"planted":1,')),
    found: /must NOT have additional properties/,
  },
  {
    bug: "a missing member",
    strikes: isGet,
    corrupt: (answer) =>
      withBody(answer, (body) => body.replace(/"(createdAt|storage)":("[^"]*"|\{[^}]*\}),?/, "")),
    found: /must have required property/,
  },
  {
    bug: "a flag that is a text",
    strikes: isGet,
    corrupt: (answer) => withBody(answer, (body) => body.replace(/:(true|false)\b/, ':"$1"')),
    found: /must be boolean/,
  },
  {
    bug: "a code that its operation does not declare",
    strikes: always,
    corrupt: (answer) =>
      /^HTTP\/1.1 400/.test(answer)
        ? withBody(answer, (body) => body.replace(/"code":"\w+"/, '"code":"SELF_DESTRUCTION"'))
        : answer,
    found: /add \w+ to the refuses/,
  },
  {
    bug: "an error page in place of JSON",
    strikes: isGet,
    corrupt: (answer) => withBody(answer, () => "<h1>It works</h1>"),
    found: /is no JSON/,
  },
  {
    bug: "an answer of another content type",
    strikes: isGet,
    corrupt: (answer) => answer.replace("content-type: application/json", "content-type: text/css"),
    found: /content type text\/css is not documented/,
  },
  {
    bug: "an answer without its request id",
    strikes: isGet,
    corrupt: (answer) => answer.replace(/x-sim-request-id: [^\r]*\r\n/, ""),
    found: /x-sim-request-id is missing/,
  },
  {
    bug: "a hang at a member __proto__",
    strikes: (request) => request.includes("__proto__"),
    corrupt: () => undefined,
    found: /no answer came, and the connection stayed open/,
  },
  {
    bug: "an answer that breaks off",
    strikes: isGet,
    corrupt: (answer) => answer.slice(0, -5),
    closes: true,
    found: /the connection closed after 0 of 1 answers/,
  },
  {
    bug: "an answer that comes twice",
    strikes: isGet,
    corrupt: (answer) => answer + answer,
    found: /2 answers came to 1 requests/,
  },
  {
    bug: "a lost answer among pipelined ones",
    strikes: (request) => request.split(" HTTP/1.1\r\n").length > 2,
    corrupt: (answer) => {
      const next = answer.indexOf("HTTP/1.1 ", 1);
      return next < 0 ? "" : answer.slice(next);
    },
    found: /no answer came, and the connection stayed open/,
  },
  {
    bug: "bytes that are no answer",
    strikes: isGet,
    corrupt: (answer) => answer.replace("HTTP/1.1", "HTTQ/1.1"),
    found: /the answer is no HTTP/,
  },
];

/** A server on loopback that hands all bytes on, and plants a bug into what comes back. */
export class PlantedProxy {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();

  constructor(port: number, plant: Plant | undefined, onRequest: () => void = () => {}) {
    this.server = createServer({ allowHalfOpen: true }, (client) => {
      const upstream = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
      let request = "";
      for (const socket of [client, upstream]) {
        this.sockets.add(socket.setEncoding("latin1").setNoDelay(true));
        socket.on("error", () => socket.destroy());
        socket.on("close", () => this.sockets.delete(socket));
      }
      client.on("data", (text: string) => {
        request = text;
        onRequest();
        upstream.write(text, "latin1");
      });
      client.on("end", () => upstream.end());
      client.on("close", () => upstream.destroy());
      upstream.on("data", (text: string) => {
        const struck = plant?.strikes(request) ? plant.corrupt(text) : text;
        if (struck !== undefined) client.write(struck, "latin1");
        if (struck !== text && plant?.closes) client.destroy();
      });
      upstream.on("end", () => client.end());
      upstream.on("close", () => client.destroy());
    });
  }

  async start(): Promise<number> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return (this.server.address() as AddressInfo).port;
  }

  async stop() {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}
