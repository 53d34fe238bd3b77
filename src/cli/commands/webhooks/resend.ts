import type { ControlClient } from "../../../client/control-client.ts";
import type { SentWebhook, Webhook, WebhookIds } from "../../../contract/control/webhooks.ts";
import { isAccepted } from "../../../contract/webhooks/events.ts";
import { counted } from "../../../text/layout.ts";
import {
  CLIENT_OPTIONS,
  type Command,
  EXIT,
  type Invocation,
  usageError,
} from "../../frame/command.ts";
import { findInstance, reach } from "../../frame/reach.ts";
import type { Style, Terminal } from "../../text/terminal.ts";

export const formatResent = (webhook: Webhook, { mark, id }: Style): string[] => {
  const { status, error, tookMs = 0, type, attempt } = webhook;
  const answer = `${status ?? error ?? "no answer"}`;
  return [
    `${mark(isAccepted(type, status) ? "done" : "failed")} ${answer}  ${tookMs} ms  ` +
      `${id(webhook.id)}  ${type}, attempt ${attempt}`,
  ];
};

/** Splits `a..b`. Dots may also be the ellipsis of a short id, which follows no digit. */
const RANGE = /^(.*?[0-9a-f]{4})\.\.(.+)$/i;

const NEXT = "service-sim webhooks list";

/** The deliveries to resend: one by id, or several by a query. */
const wantedOf = ({ args: [text], options: { failed } }: Invocation) => {
  if ((text === undefined) === (failed !== true))
    throw usageError("say what to resend: an id, a range a..b, or --failed", NEXT);
  if (failed === true) return { query: "?failed=true" };
  const [, from, to] = RANGE.exec(text as string) ?? [];
  if (from === undefined || to === undefined) return { id: text as string };
  return { query: `?${new URLSearchParams({ from, to })}` };
};

const resend = (client: ControlClient, id: string, body: object) =>
  reach(client.post<SentWebhook>(`/webhooks/${encodeURIComponent(id)}/resend`, body));

/** Resends one after the other, oldest first, so that events about one record keep their order. */
const resendAll = async (
  { client, query, body }: { client: ControlClient; query: string; body: object },
  terminal: Terminal,
) => {
  const { data: ids } = await reach(client.get<WebhookIds>(`/webhooks/ids${query}`));
  const data: SentWebhook[] = [];
  for (const id of ids) {
    const webhook = await resend(client, id, body);
    terminal.print(...formatResent(webhook, terminal.style));
    data.push(webhook);
  }
  const accepted = data.filter(({ type, status }) => isAccepted(type, status)).length;
  terminal.document({ data, count: data.length, accepted });
  const isAll = accepted === data.length;
  const { mark } = terminal.style;
  terminal.print(
    data.length === 0
      ? `${mark("over")} nothing to redeliver`
      : `${mark(isAll ? "done" : "failed")} ${accepted} of ${counted(data.length, "webhook")} accepted`,
  );
  return isAll ? EXIT.done : EXIT.notDone;
};

export const command: Command = {
  name: "resend",
  summary: "redeliver the same bytes, id and signature at once, without retries",
  operands: "[id|from..to]",
  options: [
    ...CLIENT_OPTIONS,
    {
      flags: "--failed",
      summary: "every webhook not yet accepted, oldest first",
      noEnvironment: true,
    },
    {
      flags: "--resign",
      summary: "sign again with the current key",
      noEnvironment: true,
    },
  ],
  examples: [
    "service-sim webhooks resend 0c41d8",
    "service-sim webhooks resend 71b0dc..0c41d8",
    "service-sim webhooks resend --failed --resign",
  ],
  run: async (invocation, terminal) => {
    const { id, query } = wantedOf(invocation);
    const { client } = findInstance(invocation);
    const body = invocation.options.resign === true ? { resign: true } : {};
    if (query !== undefined) return resendAll({ client, query, body }, terminal);
    const webhook = await resend(client, id, body);
    terminal.document(webhook);
    terminal.print(...formatResent(webhook, terminal.style));
    return isAccepted(webhook.type, webhook.status) ? EXIT.done : EXIT.notDone;
  },
};
