import type { AwaitedWebhooks } from "../../../contract/control/webhooks.ts";
import { EVENT_TYPES } from "../../../contract/webhooks/events.ts";
import { counted } from "../../../text/layout.ts";
import { clientCommand } from "../../frame/client-command.ts";
import { CLIENT_OPTIONS, usageError } from "../../frame/command.ts";
import type { PageRequest } from "../../frame/page.ts";
import { queryOf } from "../../frame/query.ts";
import type { Style } from "../../text/terminal.ts";
import { formatWebhooks } from "./list.ts";

const arrivedText = ({ data }: AwaitedWebhooks) => {
  const collected = data.filter((one) => one.collected).length;
  if (collected === 0) return "accepted";
  return collected === data.length
    ? "stored, not sent: no endpoint"
    : "accepted, or stored without an endpoint";
};

/** A wait for one type leaves out the others, so an empty list hides nothing else. */
const ASKED: PageRequest = { line: "service-sim webhooks list", isFiltered: true };

export const formatWait = (reply: AwaitedWebhooks, style: Style): string[] => [
  ...formatWebhooks({ data: reply.data, hasMore: false }, ASKED, style),
  `${style.mark("done")} ${counted(reply.count, "webhook")} ${arrivedText(reply)}`,
];

export const command = clientCommand<AwaitedWebhooks>({
  name: "wait",
  summary:
    "wait until N webhooks have been accepted, counting earlier ones; without endpoint: stored",
  options: [
    ...CLIENT_OPTIONS,
    {
      flags: "--type <type>",
      summary: "type of the webhooks",
      choices: EVENT_TYPES,
      noEnvironment: true,
    },
    { flags: "--count <n>", summary: "wait for this many (default: 1)", noEnvironment: true },
    { flags: "--about <id>", summary: "only webhooks about this record", noEnvironment: true },
    {
      flags: "--since <id or instant>",
      summary: "only webhooks after this one, or from this simulated instant on",
      noEnvironment: true,
    },
    {
      flags: "--timeout <span>",
      summary: "wait at most this long in real time, up to 10m (default: 5s)",
      noEnvironment: true,
    },
  ],
  examples: [
    "service-sim webhooks wait --type TEST --timeout 1s",
    "service-sim webhooks wait --type OUTGOING_PAYMENT.COMPLETED --count 2 --timeout 1s",
  ],
  call: (invocation) => {
    if (invocation.options.type === undefined)
      throw usageError(
        "say which type to wait for, for example: --type OUTGOING_PAYMENT.COMPLETED",
        "service-sim webhooks wait --type OUTGOING_PAYMENT.COMPLETED",
      );
    const query = queryOf(invocation, ["type", "count", "about", "since", "timeout"]);
    return ["GET", `/webhooks/wait${query}`];
  },
  lines: formatWait,
});
