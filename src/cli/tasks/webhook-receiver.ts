import type { SignatureVerdict } from "../../crypto/signature-diagnosis.ts";
import { membersIn, Receiver } from "../../scripts/receiver.ts";
import { signatureIn } from "./signature-header.ts";

/** A delivery as received, and the answer. */
export interface ReceivedDelivery {
  id?: string;
  type?: string;
  timestamp?: string;
  body: Buffer;
  header: string;
  /** Absent when there was no key to verify with. */
  verdict?: SignatureVerdict;
  isDuplicate: boolean;
  answered: number;
}

export interface ReceiverOptions {
  /** Verifies a delivery; undefined when there is no key. */
  verify(delivery: { header: string; body: Buffer }): Promise<SignatureVerdict | undefined>;
  onDelivery(delivery: ReceivedDelivery): void;
  /** Status for verified deliveries, in place of 200 or 409. */
  answer?: number;
}

/** Number of delivery ids remembered to detect duplicates. */
const MAX_REMEMBERED = 10_000;

/** Describes an event; escapes control characters, since the body may hold anything. */
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
 * A correct receiver: verifies the raw bytes first, then reads them. Answers 401 to a bad
 * signature, 400 to a body that is not JSON, and 409 to a known id.
 */
export class WebhookReceiver extends Receiver {
  private readonly taken = new Set<string>();
  private readonly options: ReceiverOptions;

  constructor(options: ReceiverOptions) {
    super(async ({ headers, body }) => {
      const delivery = await this.take(signatureIn(headers)?.value ?? "", body);
      options.onDelivery(delivery);
      return { status: delivery.answered };
    });
    this.options = options;
  }

  private async take(header: string, body: Buffer): Promise<ReceivedDelivery> {
    const verdict = await this.options.verify({ header, body });
    const members = membersIn(body);
    const { id } = textIn("id", members) as { id?: string };
    const isDuplicate = id !== undefined && this.taken.has(id);
    const isGood = verdict?.ok === true && members !== undefined;
    const answered = this.statusOf({ verdict, isReadable: members !== undefined, isDuplicate });
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

  private statusOf({
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
