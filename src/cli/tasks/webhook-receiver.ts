import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { SignatureVerdict } from "../../crypto/signature-diagnosis.ts";

/** A delivery as it came, and what was answered. */
export interface ReceivedDelivery {
  id?: string;
  type?: string;
  timestamp?: string;
  body: Buffer;
  header: string;
  /** Nothing where there was no key to check it with. */
  verdict?: SignatureVerdict;
  isDuplicate: boolean;
  answered: number;
}

export interface ReceiverOptions {
  /** Checks a delivery; nothing where there is no key to check it with. */
  verify(delivery: { header: string; body: Buffer }): Promise<SignatureVerdict | undefined>;
  onDelivery(delivery: ReceivedDelivery): void;
  /** Answers this to whatever verifies, in place of 200 or 409. */
  answer?: number;
}

/** Deliveries whose ids are remembered, to tell a duplicate. */
const MAX_REMEMBERED = 10_000;

/** What a body says of itself; nothing if it is no JSON. */
const membersOf = (body: Buffer): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(body.toString("utf8"));
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
};

/** What an event says of itself; whatever else stands there steers no terminal. */
const FORMS: Readonly<Record<"id" | "type" | "timestamp", RegExp>> = {
  id: /^Webhook:[0-9a-f-]{36}$/,
  type: /^[A-Za-z_]{1,40}(\.[A-Za-z_]{1,40})?$/,
  timestamp: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[.\d]{0,10}Z$/,
};

const textIn = (name: keyof typeof FORMS, members: Record<string, unknown> = {}) => {
  const value = members[name];
  return typeof value === "string" && FORMS[name].test(value) ? { [name]: value } : {};
};

/**
 * A receiver as it should be: verifies the raw bytes first, then reads them. 401 to a signature
 * that does not verify, 400 to what is no JSON, 409 to an id it has taken already.
 */
export class WebhookReceiver {
  private readonly taken = new Set<string>();
  private readonly options: ReceiverOptions;
  private readonly server: Server = createServer((request, response) =>
    this.read(request, response),
  );

  constructor(options: ReceiverOptions) {
    this.options = options;
  }

  /** @throws the error of a port that cannot be taken */
  async start(port: number): Promise<string> {
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
      const header = String(request.headers["x-service-signature"] ?? "");
      const delivery = await this.take(header, Buffer.concat(chunks));
      response.writeHead(delivery.answered).end();
      this.options.onDelivery(delivery);
    });
  }

  private async take(header: string, body: Buffer): Promise<ReceivedDelivery> {
    const verdict = await this.options.verify({ header, body });
    const members = membersOf(body);
    const { id } = textIn("id", members) as { id?: string };
    const isDuplicate = id !== undefined && this.taken.has(id);
    const isGood = verdict?.ok === true && members !== undefined;
    const answered = this.answerTo({ verdict, isReadable: members !== undefined, isDuplicate });
    if (isGood && id !== undefined && answered < 300) this.remember(id);
    return {
      ...textIn("id", members),
      ...textIn("type", members),
      ...textIn("timestamp", members),
      body,
      header,
      ...(verdict && { verdict }),
      isDuplicate,
      answered,
    };
  }

  private answerTo({
    verdict,
    isReadable,
    isDuplicate,
  }: {
    verdict: SignatureVerdict | undefined;
    isReadable: boolean;
    isDuplicate: boolean;
  }) {
    if (!verdict) return 503;
    if (!verdict.ok) return 401;
    if (!isReadable) return 400;
    return this.options.answer ?? (isDuplicate ? 409 : 200);
  }

  private remember(id: string) {
    this.taken.add(id);
    const [oldest] = this.taken;
    if (this.taken.size > MAX_REMEMBERED && oldest !== undefined) this.taken.delete(oldest);
  }
}
