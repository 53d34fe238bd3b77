import { fileURLToPath } from "node:url";
import type { Workplace } from "./workplace.ts";

const FAST_RECEIVER = fileURLToPath(new URL("fast-receiver.js", import.meta.url));
const LIMIT_MS = 60_000;

/** Webhooks that a receiver has accepted. */
export interface Accepted {
  /** New connections that they came over. */
  connections: number;
  /** The first of the bodies. */
  body: string;
}

/** A receiver of webhooks that does nothing but accept, in a process of its own. */
export interface ReceiverProcess {
  /** URL for webhooks. */
  url: string;
  /** Begins to count again. */
  forget(): Promise<void>;
  /** Resolves once this many were accepted. */
  accepted(count: number): Promise<Accepted>;
}

export const startReceiver = async (workplace: Workplace): Promise<ReceiverProcess> => {
  const child = workplace.start([FAST_RECEIVER], workplace.directory());
  const { url } = JSON.parse(await child.firstLine()) as { url: string };
  const ask = async (question: string) => {
    const answer = await fetch(url + question, { signal: AbortSignal.timeout(LIMIT_MS) });
    return (await answer.json()) as Accepted;
  };
  return {
    url: `${url}/webhooks`,
    forget: async () => void (await ask("/forget")),
    accepted: (count) => ask(`/wait?count=${count}`),
  };
};
