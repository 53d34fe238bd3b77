import { isAccepted } from "../../../contract/events.ts";
import { CLIENT_OPTIONS, type Command, EXIT } from "../../command.ts";
import { findInstance, reach } from "../../reach.ts";
import type { Style } from "../../terminal.ts";
import type { WebhookItem } from "./list.ts";

/** Reply of POST /_sim/webhooks/{id}/resend: the webhook, and how this attempt was answered. */
export interface ResentWebhook extends WebhookItem {
  reply?: string;
}

export const formatResent = (webhook: ResentWebhook, { mark, id }: Style): string[] => {
  const { status, error, tookMs = 0, type, attempt } = webhook;
  const answer = `${status ?? error ?? "no answer"}`;
  return [
    `${mark(isAccepted(type, status) ? "done" : "failed")} ${answer}  ${tookMs} ms  ` +
      `${id(webhook.id)}  ${type}, attempt ${attempt}`,
  ];
};

export const command: Command = {
  name: "resend",
  summary: "send the same bytes and id once more, at once and without retries",
  operands: "<id>",
  options: CLIENT_OPTIONS,
  examples: ["service-sim webhooks resend 0c41d8"],
  run: async (invocation, terminal) => {
    const [id = ""] = invocation.args;
    const { client } = findInstance(invocation);
    const path = `/webhooks/${encodeURIComponent(id)}/resend`;
    const webhook = await reach(client.post<ResentWebhook>(path));
    terminal.document(webhook);
    terminal.print(...formatResent(webhook, terminal.style));
    return isAccepted(webhook.type, webhook.status) ? EXIT.done : EXIT.notDone;
  },
};
