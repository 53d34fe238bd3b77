import { createHash, verify } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A delivery as it came over the socket, and the answer. */
export interface Judged {
  header: string;
  body: Buffer;
  verifies: boolean;
  status: number;
}

/** A way of checking; each of the usual mistakes is one. */
export type Check = (header: string, body: Buffer, publicPem: string) => boolean;

const check = (header: string, bytes: Buffer, publicPem: string) => {
  try {
    return verify("sha256", bytes, publicPem, Buffer.from(header, "base64"));
  } catch {
    return false;
  }
};

const parse = (body: Buffer) => JSON.parse(body.toString("utf8"));

const spaced = (text: string) => text.replace(/":/g, '": ').replace(/,"/g, ', "');

/** Receivers as people write them, right and wrong, with Node's own functions only. */
export const CHECKS = {
  right: check,
  indents: (header, body, pem) =>
    check(header, Buffer.from(JSON.stringify(parse(body), null, 2)), pem),
  spaces: (header, body, pem) => check(header, Buffer.from(spaced(body.toString("utf8"))), pem),
  addsLineEnd: (header, body, pem) => check(header, Buffer.concat([body, Buffer.from("\n")]), pem),
  wantsRaw: (header, body, pem) =>
    verify("sha256", body, { key: pem, dsaEncoding: "ieee-p1363" }, Buffer.from(header, "base64")),
  wantsWrapper: (header, body, pem) => {
    try {
      return check(JSON.parse(header).s, body, pem);
    } catch {
      return false;
    }
  },
  hashesTwice: (header, body, pem) =>
    check(header, createHash("sha256").update(body).digest(), pem),
  cutsHeader: (header, body, pem) => check(header.slice(0, 64), body, pem),
  never: () => true,
} as const satisfies Record<string, Check>;

/** A receiver on loopback that verifies raw bytes before it answers 200, 409 or 401. */
export class VerifyingReceiver {
  readonly judged: Judged[] = [];
  publicPem = "";
  check: Check = CHECKS.right;
  /** Answer to verified deliveries, in place of 200 and 409. */
  answer: number | undefined;
  /** Answer to the others. */
  refusal = 401;
  private readonly seen = new Set<string>();
  private readonly server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      const header = String(request.headers["x-service-signature"]);
      const verifies = this.check(header, body, this.publicPem);
      const status = verifies ? this.take(body) : this.refusal;
      this.judged.push({ header, body, verifies, status });
      response.writeHead(status).end();
    });
  });

  async start(port = 0): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(port, "127.0.0.1", resolve));
    return this;
  }

  get url() {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hooks`;
  }

  get texts() {
    return this.judged.map(({ body }) => body.toString("utf8"));
  }

  /** Received bodies, parsed. */
  get events() {
    return this.texts.map((text) => JSON.parse(text));
  }

  get statuses() {
    return this.judged.map(({ status }) => status);
  }

  async stop() {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private take(body: Buffer) {
    if (this.answer !== undefined) return this.answer;
    const text = body.toString("utf8");
    const id = /"id":"(Webhook:[^"]+)"/.exec(text)?.[1] ?? text;
    const status = this.seen.has(id) ? 409 : 200;
    this.seen.add(id);
    return status;
  }
}
