import { fileURLToPath } from "node:url";
import type { Accepted } from "./receiver-process.ts";
import type { Workplace } from "./workplace.ts";

const WEBHOOK_LOOP = fileURLToPath(new URL("webhook-loop.js", import.meta.url));
const LOOP_LIMIT_MS = 60_000;
/** Attempts that one world may have under way. */
const AT_ONCE = 64;
const SIGNATURE = "A".repeat(96);

/**
 * Seconds in which a loop of bare requests sends as many webhooks as were just accepted, over kept
 * connections if those came over such.
 */
export const bareWebhookSeconds = async (
  workplace: Workplace,
  url: string,
  { last: { connections, body }, count }: { last: Accepted; count: number },
): Promise<number> => {
  const asked = workplace.file({
    url,
    headers: {
      "content-type": "application/json",
      "user-agent": "bare",
      "x-service-signature": SIGNATURE,
    },
    body,
    count,
    atOnce: AT_ONCE,
    keepsConnections: connections < count / 2,
  });
  const child = workplace.start([WEBHOOK_LOOP, asked], workplace.directory());
  const { seconds } = JSON.parse(await child.text(LOOP_LIMIT_MS)) as { seconds: number };
  await workplace.end(child);
  return seconds;
};
