import type { ShownKeys } from "../../../contract/control/webhook-keys.ts";
import { defined } from "../../../contract/core/defined.ts";
import type { SignatureVerdict } from "../../../crypto/signature-diagnosis.ts";
import { membersIn, Receiver } from "../../../scripts/receiver.ts";
import { counted } from "../../../text/layout.ts";
import {
  CLIENT_OPTIONS,
  type Command,
  CommandError,
  EXIT,
  type Invocation,
  usageError,
} from "../../frame/command.ts";
import { interrupted } from "../../frame/interruption.ts";
import { findInstance, reach } from "../../frame/reach.ts";
import {
  judgeDelivery,
  keyFileOf,
  knownKeysOf,
  sentUnder,
} from "../../tasks/signature-evidence.ts";
import { signatureIn } from "../../tasks/signature-header.ts";
import { eventLine, instantsInTurn } from "../../text/activity.ts";
import type { Style } from "../../text/terminal.ts";

/** A delivery as received, and the answer. */
interface ReceivedDelivery {
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

interface ReceiverOptions {
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
class WebhookReceiver extends Receiver {
  private readonly seenIds = new Set<string>();
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
    const isDuplicate = id !== undefined && this.seenIds.has(id);
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
    this.seenIds.add(id);
    const [oldest] = this.seenIds;
    if (this.seenIds.size > MAX_REMEMBERED && oldest !== undefined) this.seenIds.delete(oldest);
  }
}

const NEXT = "service-sim webhooks receive --port 3000";

const wholeNumber = (name: string, value: string, { min, max }: { min: number; max: number }) => {
  const number = Number(value);
  if (/^[0-9]+$/.test(value) && number >= min && number <= max) return number;
  throw usageError(`Expected --${name} from ${min} to ${max} but found "${value}"`, NEXT);
};

const resultOf = ({ verdict, isDuplicate, answered }: ReceivedDelivery) => {
  if (!verdict) return `${answered}, not verified: no key`;
  if (!verdict.ok) return `${answered}, DOES NOT VERIFY`;
  return `${answered}, verified${isDuplicate ? ", duplicate" : ""}`;
};

/** Room for `Webhook:…0c41d8`: all ids are of webhooks. */
const ID_WIDTH = 15;

/** Prints one line per delivery, and the reason below it when the signature does not verify. */
export const formatReceived = (
  delivery: ReceivedDelivery,
  style: Style,
  shown = instantsInTurn(),
): string[] => {
  const { type = "no event", timestamp, verdict } = delivery;
  const cells = {
    at: timestamp === undefined ? "--:--:--" : shown(timestamp),
    sign: ">",
    what: type,
    result: `${style.mark(verdict?.ok ? "done" : "failed")} ${resultOf(delivery)}`,
    id: delivery.id === undefined ? "" : style.id(delivery.id),
    idWidth: ID_WIDTH,
  };
  const why = verdict?.diagnosis;
  return [
    eventLine(cells, style).trimEnd(),
    ...(why ? [`           ${why.code}: ${why.message}`] : []),
  ];
};

const documentOf = ({
  id,
  type,
  verdict,
  isDuplicate,
  answered,
  body,
  header,
}: ReceivedDelivery) => ({
  event: "delivery",
  ...defined({ id, type }),
  verified: verdict?.ok === true,
  isDuplicate,
  status: answered,
  bytes: body.length,
  header,
  body: body.toString("utf8"),
  ...(verdict?.diagnosis && { diagnosis: verdict.diagnosis }),
});

/** Asks the sending simulator for its keys at each delivery, since they may be rotated. */
const verifierOf =
  (invocation: Invocation, keyPem: string | undefined): ReceiverOptions["verify"] =>
  async (delivery) => {
    try {
      const { client } = findInstance(invocation);
      const reply = await reach(client.get<ShownKeys>("/webhooks/keys"));
      const keys = knownKeysOf(reply, keyPem);
      return keys && judgeDelivery(delivery, keys, await sentUnder(client, delivery.body));
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      const keys = knownKeysOf(undefined, keyPem);
      return keys && judgeDelivery(delivery, keys, undefined);
    }
  };

const startOn = async (receiver: WebhookReceiver, port: number) => {
  try {
    return await receiver.start(port);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(
      { code: "PORT_TAKEN", exitCode: EXIT.couldNotStart },
      `cannot listen on port ${port}: ${code}`,
      ["service-sim webhooks receive --port 0    takes any free port"],
    );
  }
};

export const command: Command = {
  name: "receive",
  summary: "receive webhooks: print, verify and answer each one as a receiver should",
  options: [
    ...CLIENT_OPTIONS,
    {
      flags: "--port <number>",
      summary: "port to listen on at 127.0.0.1; 0 picks a free one",
      default: "3000",
      noEnvironment: true,
    },
    {
      flags: "--key <pem file>",
      summary: "public key to verify with (default: the simulator's)",
      noEnvironment: true,
    },
    {
      flags: "--answer <status>",
      summary: "answer verified deliveries with this status, like a failing receiver",
      noEnvironment: true,
    },
  ],
  examples: ["service-sim webhooks receive --port 3000"],
  run: async (invocation, terminal) => {
    const { port, key, answer } = invocation.options;
    const keyPem = typeof key === "string" ? keyFileOf(key) : undefined;
    const shown = instantsInTurn();
    const counts = { received: 0, verified: 0 };
    const receiver = new WebhookReceiver({
      verify: verifierOf(invocation, keyPem),
      ...(typeof answer === "string" && {
        answer: wholeNumber("answer", answer, { min: 200, max: 599 }),
      }),
      onDelivery: (delivery) => {
        counts.received += 1;
        if (delivery.verdict?.ok) counts.verified += 1;
        terminal.document(documentOf(delivery));
        terminal.print(...formatReceived(delivery, terminal.style, shown));
      },
    });
    const stop = interrupted();
    const url = await startOn(receiver, wholeNumber("port", String(port), { min: 0, max: 65_535 }));
    terminal.document({ event: "ready", url });
    terminal.print(`${terminal.style.mark("done")} receives at ${url}    Ctrl-C stops it`);
    terminal.next(`service-sim webhooks endpoint ${url}    sends here`);
    await stop;
    receiver.stop();
    terminal.document({ event: "stopped", ...counts });
    const { received, verified } = counts;
    terminal.print(`${counted(received, "webhook")}, ${verified} verified`);
    return EXIT.done;
  },
};
