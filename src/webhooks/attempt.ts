import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import { urlToHttpOptions } from "node:url";
import { DELIVERY_BOUNDS } from "../domain/webhooks/deliveries.ts";
import { nodeFaked } from "../runtime/faked-timers.ts";
import { hostTime } from "../runtime/host-time.ts";
import type { AttemptAnswer } from "../runtime/ports.ts";
import type { CutOff } from "./cut-off.ts";
import { httpsModule, noteAnswer, type Reached } from "./receiver-connections.ts";
import { Remembered } from "./remembered.ts";
import { hasFixedAddress, LOCAL_TARGETS, reachKnown, type WebhookTargets } from "./targets.ts";

/** Bytes of an answer that are read before the connection is closed (spec/webhooks.md#timeouts). */
export const ANSWER_LIMIT_BYTES = 64 * 1024;

export interface AttemptRequest {
  url: string;
  body: Buffer;
  headers: Record<string, string>;
  /** Time from connecting to the last byte, in wall milliseconds. */
  timeoutMs: number;
  /** Aborts the attempt when the simulator stops. */
  cutOff?: CutOff;
  /** Rules for targets; by default those of a program on loopback. */
  targets?: WebhookTargets;
}

/** The parts of a request that its URL tells. */
const toUrl = (url: string): { options: RequestOptions; reached: Reached } => ({
  options: { ...urlToHttpOptions(new URL(url)), method: "POST" },
  reached: { isSecure: /^https:/i.test(url), mayKeep: hasFixedAddress(url) },
});

const parts = new Remembered(toUrl);

const startRequest = (attempt: AttemptRequest): ClientRequest => {
  const { url, headers, body, targets = LOCAL_TARGETS } = attempt;
  // An address needs no look-up, so it is judged here.
  targets.requireWrittenAddress(url);
  const faked = nodeFaked("nextTick");
  if (faked) throw faked;
  const { options, reached } = parts.of(url);
  const start = reached.isSecure ? httpsModule().request : httpRequest;
  return start({
    ...options,
    agent: targets.connections.agentFor(reached),
    lookup: targets.lookup,
    headers: { ...headers, "content-length": body.length },
  });
};

const readAnswer = (response: IncomingMessage, done: (bytes: Buffer) => void) => {
  const chunks: Buffer[] = [];
  let length = 0;
  const finish = () => done(Buffer.concat(chunks).subarray(0, ANSWER_LIMIT_BYTES));
  response.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= ANSWER_LIMIT_BYTES) {
      finish();
      response.destroy();
    }
  });
  response.on("end", finish);
};

/** Whether the answer came from this machine. */
const cameFromLoopback = ({ socket }: IncomingMessage) =>
  reachKnown(socket.remoteAddress ?? "") === "loopback";

/**
 * POSTs a signed body once (spec/webhooks.md#request). Redirects are not followed. Every failure
 * becomes an answer without status; nothing is thrown.
 */
export const attemptDelivery = (attempt: AttemptRequest): Promise<AttemptAnswer> =>
  new Promise((resolve) => {
    const startedAt = hostTime.monotonicMs();
    let request: ClientRequest | undefined;
    const end = (answer: Omit<AttemptAnswer, "tookMs">) => {
      hostTime.clearTimeout(timeout);
      resolve({ tookMs: Math.round(hostTime.monotonicMs() - startedAt), ...answer });
    };
    const timeout = hostTime.setTimeout(() => {
      end({ error: `no whole answer within ${attempt.timeoutMs} ms`, isTimeout: true });
      request?.destroy();
    }, attempt.timeoutMs);
    const failed = (error: NodeJS.ErrnoException) => end({ error: error.code ?? error.message });
    try {
      request = startRequest(attempt);
      attempt.cutOff?.onCut(() => {
        end({ error: "ABORT_ERR" });
        request?.destroy();
      });
      request.on("error", failed);
      request.on("response", (response) => {
        const httpStatus = response.statusCode ?? 0;
        const isLoopback = cameFromLoopback(response);
        noteAnswer(response);
        response.on("error", failed);
        readAnswer(response, (bytes) => {
          const reply = bytes.toString("utf8", 0, DELIVERY_BOUNDS.replyBytes);
          end({ httpStatus, reply, body: bytes.toString("utf8"), isLoopback });
        });
      });
      request.end(attempt.body);
    } catch (error) {
      failed(error as NodeJS.ErrnoException);
    }
  });
