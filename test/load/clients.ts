import type { FuzzedWorld } from "../fuzz/fuzzed-world.ts";
import type { WireAnswer, WireConnection } from "../fuzz/wire.ts";

/** Time for an answer; a connection counts as hanging afterwards. */
const DEADLINE_MS = 30_000;

/** A request of a load, as its bytes. */
export interface LoadRequest {
  method: string;
  bytes: Buffer;
}

/** Times of answers, and everything that was no success. */
export interface Load {
  tookMs: number[];
  errors: string[];
}

export const emptyLoad = (): Load => ({ tookMs: [], errors: [] });

const VERSION = "/2025-10-13";

/** A request of the platform, in the default world or another one. */
export const platformRequest = (
  { clientId, clientSecret }: FuzzedWorld,
  { method, path, body, world }: { method: string; path: string; body?: object; world?: string },
): LoadRequest => {
  const user = world === undefined ? clientId : `${clientId}+${world}`;
  const text = body === undefined ? "" : JSON.stringify(body);
  const lines = [
    `${method} ${VERSION}${path} HTTP/1.1`,
    "host: 127.0.0.1",
    `authorization: Basic ${btoa(`${user}:${clientSecret}`)}`,
    ...(body ? ["content-type: application/json", `content-length: ${text.length}`] : []),
  ];
  return { method, bytes: Buffer.from(`${lines.join("\r\n")}\r\n\r\n${text}`) };
};

const isSuccess = ({ status }: WireAnswer) => status >= 200 && status < 300;

/** Sends requests in one write, and reads all their answers. */
export const exchangeAll = async (
  connection: WireConnection,
  requests: readonly LoadRequest[],
): Promise<{ answers: WireAnswer[]; problem: string | undefined }> => {
  const sending = {
    chunks: [Buffer.concat(requests.map(({ bytes }) => bytes))],
    methods: requests.map(({ method }) => method),
    end: "keep" as const,
    untilClosed: false,
  };
  const { answers, isLate } = await connection.exchange(sending, DEADLINE_MS);
  const failed = answers.find((one) => !isSuccess(one));
  if (failed) return { answers, problem: `${failed.status} ${failed.body.slice(0, 200)}` };
  if (isLate) return { answers, problem: "no answer came in time" };
  const isShort = answers.length < requests.length;
  return { answers, problem: isShort ? "the connection closed early" : undefined };
};

/** Requests of a client, and the end of its work. */
export interface Work {
  requests: readonly LoadRequest[];
  isOver(calls: number): boolean;
}

/** Calls over one connection, one request after the other, until it is time to stop. */
export const callInTurn = async (
  connection: WireConnection,
  { requests, isOver }: Work,
  load: Load,
) => {
  for (let calls = 0; !isOver(calls); calls += 1) {
    const request = requests[calls % requests.length] as LoadRequest;
    const startedMs = performance.now();
    const { problem } = await exchangeAll(connection, [request]);
    load.tookMs.push(performance.now() - startedMs);
    if (problem === undefined) continue;
    load.errors.push(problem);
    break;
  }
  connection.destroy();
};

/** The value below which a share of the times lies. */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};
