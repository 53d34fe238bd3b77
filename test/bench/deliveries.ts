import { bareWebhookSeconds } from "./bare-webhooks.ts";
import { type Figure, type Found, pairsInTurn } from "./figure.ts";
import { control, createQuotes, payerBodies } from "./payers.ts";
import { wallMsOf } from "./processor-time.ts";
import { type Accepted, startReceiver } from "./receiver-process.ts";
import { startSimulator } from "./simulator-process.ts";

const MS_PER_SECOND = 1000;
/** Webhooks of one measurement, fewer than the deliveries that may be open. */
const WEBHOOKS = 4_000;

/** Webhooks about many payments, from their release until the last is accepted. */
export const deliveryFigure: Figure = {
  name: "webhooks delivered to a fast receiver",
  floor: "a bare loop of node:http requests",
  unit: "/s",
  target: { atLeast: 0.6 },
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
    const floor = async () =>
      WEBHOOKS / (await bareWebhookSeconds(workplace, receiver.url, { last, count: WEBHOOKS }));
    const counts = { warmUps: 1, pairs: workplace.of({ short: 2, usual: 5 }) };
    const pairs = await pairsInTurn(counts, { measured, floor });
    return { pairs, notes: [`${last.connections} connections for ${WEBHOOKS} webhooks`] };
  },
};
