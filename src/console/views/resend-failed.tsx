import { useState } from "react";
import type { SentWebhook, WebhookIds } from "../../contract/control/webhooks.ts";
import { inGroups } from "../../contract/core/digit-groups.ts";
import { counted } from "../../text/layout.ts";
import { Refused } from "../control.ts";
import { Act } from "../parts/act.tsx";
import { useConsole, useWatched } from "../use-console.ts";

/** A webhook that is gone since counts as not accepted; a lost simulator ends the round. */
const refusalOf = (error: unknown): Pick<SentWebhook, "state"> => {
  if (error instanceof Refused) return { state: "GIVEN_UP" };
  throw error;
};

/** Resends every webhook that was not accepted, oldest first, as `webhooks resend --failed` does. */
export const ResendFailed = () => {
  const { control } = useConsole();
  const { webhookEndpoint } = useWatched();
  const [progress, setProgress] = useState<string>();
  if (!webhookEndpoint) return null;
  const resend = async () => {
    const { data: ids } = await control.get<WebhookIds>("/webhooks/ids?failed=true");
    if (ids.length === 0) return { text: "No failed webhook to resend" };
    let accepted = 0;
    // One after the other: events about one record keep their order.
    for (const [at, id] of ids.entries()) {
      setProgress(`Resending ${inGroups(at + 1)} of ${inGroups(ids.length)}`);
      const path = `/webhooks/${encodeURIComponent(id)}/resend`;
      const sent = await control.send<SentWebhook>("POST", path).catch(refusalOf);
      if (sent.state === "ACCEPTED") accepted += 1;
    }
    const text = `Resent: ${accepted} of ${counted(ids.length, "webhook")} accepted`;
    return { text, isFailure: accepted < ids.length };
  };
  return (
    <Act isSmall onAct={() => resend().finally(() => setProgress(undefined))}>
      {progress ?? "Resend failed"}
    </Act>
  );
};
