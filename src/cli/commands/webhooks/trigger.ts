import { readFileSync } from "node:fs";
import type { SimulatorStatus } from "../../../contract/control/status.ts";
import type { SentWebhook } from "../../../contract/control/webhooks.ts";
import type { Revision } from "../../../contract/core/revision-names.ts";
import {
  EVENT_TYPES,
  type EventType,
  hasEvent,
  isAccepted,
} from "../../../contract/webhooks/events.ts";
import { fileFault } from "../../../machine/file-fault.ts";
import {
  CLIENT_OPTIONS,
  type Command,
  EXIT,
  type Invocation,
  usageError,
} from "../../frame/command.ts";
import { findInstance, reach } from "../../frame/reach.ts";
import { readStandardInput } from "../../frame/standard-input.ts";
import { askedWorld } from "../../tasks/asked-world.ts";
import { eventTypeOf, SET_OPTION } from "../../tasks/lab-options.ts";
import { formatResent } from "./resend.ts";

const NEXT = "service-sim webhooks trigger OUTGOING_PAYMENT.COMPLETED --raw body.json";

const bytesIn = async (file: string) => {
  if (file === "-") return readStandardInput();
  try {
    return readFileSync(file);
  } catch (error) {
    throw usageError(`--raw: cannot read ${file}: ${fileFault(error)}`, NEXT);
  }
};

const bodyOf = async ({ options: { raw }, lists }: Invocation) => {
  const set = lists?.set;
  if (typeof raw !== "string") return set ? { set } : {};
  if (set) throw usageError("use only one of --set and --raw", NEXT);
  return { raw: (await bytesIn(raw)).toString("base64") };
};

/** Types of the world that answers, else those of every revision. */
const typesFor = async (invocation: Invocation): Promise<readonly EventType[]> => {
  const status = await askedWorld<SimulatorStatus>(invocation, "/status");
  if (!status) return EVENT_TYPES;
  const revision = status.settings.revision as Revision;
  return EVENT_TYPES.filter((type) => hasEvent(revision, type));
};

export const command: Command = {
  name: "trigger",
  summary:
    "send a correctly signed event of any type to the endpoint; without a type, list the types",
  operands: "[type]",
  options: [
    ...CLIENT_OPTIONS,
    SET_OPTION,
    {
      flags: "--raw <file>",
      summary: "send the exact bytes of a file instead of an example; - reads stdin",
      noEnvironment: true,
    },
  ],
  examples: [
    "service-sim webhooks trigger CUSTOMER.KYC_APPROVED",
    "service-sim webhooks trigger OUTGOING_PAYMENT.COMPLETED --set data.sentAmount.amount=500",
  ],
  run: async (invocation, terminal) => {
    const [name] = invocation.args;
    if (name === undefined) {
      const types = await typesFor(invocation);
      terminal.document({ data: types });
      if (!terminal.json) for (const type of types) terminal.answer(type);
      return EXIT.done;
    }
    const type = eventTypeOf(name);
    const { client } = findInstance(invocation);
    const body = { type, ...(await bodyOf(invocation)) };
    const webhook = await reach(client.post<SentWebhook>("/webhooks/trigger", body));
    terminal.document(webhook);
    if (terminal.quiet && !terminal.json) terminal.answer(webhook.id);
    terminal.print(...formatResent(webhook, terminal.style));
    const { id } = webhook;
    terminal.next(`service-sim webhooks show ${terminal.style.id(id)}`);
    return isAccepted(type, webhook.status) ? EXIT.done : EXIT.notDone;
  },
};
