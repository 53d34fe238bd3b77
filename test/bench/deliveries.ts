import { fileURLToPath } from "node:url";
import { type Figure, type Found, pairsInTurn } from "./figure.ts";
import { control, createQuotes, payerBodies } from "./payers.ts";
import { wallMsOf } from "./processor-time.ts";
import { type Accepted, startReceiver } from "./receiver-process.ts";
import { startSimulator } from "./simulator-process.ts";
import type { Workplace } from "./workplace.ts";

const WEBHOOK_LOOP = fileURLToPath(new URL("webhook-loop.js", import.meta.url));
const LOOP_LIMIT_MS = 60_000;
const MS_PER_SECOND = 1000;
/** Webhooks of one measurement, fewer than the deliveries that may be open. */
const WEBHOOKS = 4_000;
/** Attempts that one world may have under way. */
const AT_ONCE = 64;
const SIGNATURE = "A".repeat(96);

/** Webhooks a second that a loop of bare requests can send. */
const barePerSecond = async (
  workplace: Workplace,
  url: string,
  { connections, body }: Accepted,
) => {
  const asked = workplace.file({
    url,
    headers: {
      "content-type": "application/json",
      "user-agent": "bare",
      "x-service-signature": SIGNATURE,
    },
    body,
    count: WEBHOOKS,
    atOnce: AT_ONCE,
    keepsConnections: connections < WEBHOOKS / 2,
  });
  const child = workplace.start([WEBHOOK_LOOP, asked], workplace.directory());
  const { seconds } = JSON.parse(await child.text(LOOP_LIMIT_MS)) as { seconds: number };
  await workplace.end(child);
  return WEBHOOKS / seconds;
};

/** Webhooks about many payments, from their release until the last is accepted. */
export const deliveryFigure: Figure = {
  name: "webhooks delivered to a fast receiver",
  floor: "a bare loop of node:http requests",
  unit: "/s",
  target: { atLeast: 0.3 },
  from: "short",
  measure: async (workplace): Promise<Found> => {
    const receiver = await startReceiver(workplace);
    const options = ["--clock", "manual", "--webhook-endpoint", receiver.url];
    const simulator = await startSimulator(workplace, ["--storage", "file:state", ...options]);
    const bodies = await payerBodies(simulator, 1);
    let last: Accepted = { connections: 0, body: "" };
    const measured = async () => {
      await control(simulator, "/webhooks/troubles", { do: "hold" });
      await createQuotes(workplace, simulator, { bodies, count: WEBHOOKS });
      await receiver.forget();
      const tookMs = await wallMsOf(async () => {
        await control(simulator, "/webhooks/release", {});
        last = await receiver.accepted(WEBHOOKS);
      });
      return WEBHOOKS / (tookMs / MS_PER_SECOND);
    };
    const floor = () => barePerSecond(workplace, receiver.url, last);
    const counts = { warmUps: 1, pairs: workplace.of({ short: 2, usual: 5 }) };
    const pairs = await pairsInTurn(counts, { measured, floor });
    return { pairs, notes: [`${last.connections} connections for ${WEBHOOKS} webhooks`] };
  },
};
