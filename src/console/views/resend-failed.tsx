import type { SentWebhook, WebhookIds } from "../../contract/control/webhooks.ts";
import { counted } from "../../text/layout.ts";
import { Act } from "../parts/act.tsx";
import { useConsole, useWatched } from "../use-console.ts";

const FAILED: ReadonlySet<string> = new Set(["GIVEN_UP", "UNDELIVERABLE", "RETRYING"]);

/** Resends every webhook that was not accepted, oldest first, as `webhooks resend --failed` does. */
export const ResendFailed = () => {
  const { control } = useConsole();
  const { lists, webhookEndpoint } = useWatched();
  if (!webhookEndpoint || !lists.deliveries.some(({ state }) => FAILED.has(state))) return null;
  const resend = async () => {
    const { data: ids } = await control.get<WebhookIds>("/webhooks/ids?failed=true");
    if (ids.length === 0) return { text: "No webhook to resend: each was accepted" };
    let accepted = 0;
    // One after the other: events about one record keep their order.
    for (const id of ids) {
      const path = `/webhooks/${encodeURIComponent(id)}/resend`;
      const { state } = await control.send<SentWebhook>("POST", path);
      if (state === "ACCEPTED") accepted += 1;
    }
    const text = `Resent: ${accepted} of ${counted(ids.length, "webhook")} accepted`;
    return { text, isFailure: accepted < ids.length };
  };
  return (
    <Act isSmall onAct={resend}>
      Resend failed
    </Act>
  );
};
