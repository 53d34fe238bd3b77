import type { ShownKeys } from "../../../contract/control/webhook-keys.ts";
import { defined } from "../../../contract/core/defined.ts";
import { inGroups } from "../../../contract/core/digit-groups.ts";
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
import {
  type ReceivedDelivery,
  type ReceiverOptions,
  WebhookReceiver,
} from "../../tasks/webhook-receiver.ts";
import { eventLine, instantsInTurn } from "../../text/activity.ts";
import type { Style } from "../../text/terminal.ts";

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

/** Prints one line per delivery, and the reason below it when the signature does not verify. */
export const formatReceived = (
  delivery: ReceivedDelivery,
  style: Style,
  shown = instantsInTurn(),
): string[] => {
  const { type = "no event", timestamp, verdict, body } = delivery;
  const cells = {
    at: timestamp === undefined ? "--:--:--" : shown(timestamp),
    sign: ">",
    what: type,
    result: `${style.mark(verdict?.ok ? "done" : "failed")} ${resultOf(delivery)}`,
    took: `${inGroups(body.length)} bytes`,
    id: delivery.id === undefined ? "" : style.id(delivery.id),
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
  (invocation: Invocation, given: string | undefined): ReceiverOptions["verify"] =>
  async (delivery) => {
    try {
      const { client } = findInstance(invocation);
      const reply = await reach(client.get<ShownKeys>("/webhooks/keys"));
      const keys = knownKeysOf(reply, given);
      return keys && judgeDelivery(delivery, keys, await sentUnder(client, delivery.body));
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      const keys = knownKeysOf(undefined, given);
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
    const given = typeof key === "string" ? keyFileOf(key) : undefined;
    const shown = instantsInTurn();
    const counts = { received: 0, verified: 0 };
    const receiver = new WebhookReceiver({
      verify: verifierOf(invocation, given),
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
