import { answerIn, bytesOf, type RawAnswer, type RawRequest, RawSocket } from "./raw-socket.ts";

/** The work of a client until it gave up or was content. */
export interface Retried {
  /** The last answer; nothing when the last connection ended without one. */
  answer: RawAnswer | undefined;
  /** Statuses of all answers in order, 0 for an answer that did not come whole. */
  statuses: number[];
  /** The waits that the answers asked for, in milliseconds. */
  waitsMs: number[];
}

/** An answer that came whole; nothing for one that was lost or cut. */
const wholeAnswer = async (port: number, request: RawRequest) => {
  const socket = new RawSocket(port);
  socket.write(bytesOf(request));
  const text = await socket.closed();
  if (text === "") return undefined;
  const answer = answerIn(text);
  const { "content-length": length } = answer.headers;
  return length === `${answer.body.length}` ? answer : undefined;
};

const RETRIED = new Set([409, 429, 500, 502, 503, 504]);

/** Whether client libraries that are made from OpenAPI documents would send the call again. */
const isRetried = ({ status, headers }: RawAnswer) => {
  const { "x-should-retry": told } = headers;
  return told === undefined ? RETRIED.has(status) : told === "true";
};

/** The wait that an answer asks for; the milliseconds go first, as in those libraries. */
const waitOf = ({ "retry-after-ms": ms, "retry-after": seconds = "0" }: RawAnswer["headers"]) =>
  ms === undefined ? Number(seconds) * 1000 : Number(ms);

/**
 * Sends a request up to four times with the same bytes, as long as it is refused for now or lost.
 * @param wait waits as long as an answer asks for, in milliseconds
 */
export const retrying = async (
  port: number,
  request: RawRequest,
  wait: (waitMs: number) => Promise<unknown>,
): Promise<Retried> => {
  const done: Retried = { answer: undefined, statuses: [], waitsMs: [] };
  for (;;) {
    done.answer = await wholeAnswer(port, request);
    done.statuses.push(done.answer?.status ?? 0);
    const isLast = done.statuses.length === 4;
    if (isLast || (done.answer && !isRetried(done.answer))) return done;
    const waitMs = done.answer ? waitOf(done.answer.headers) : 0;
    done.waitsMs.push(waitMs);
    if (waitMs > 0) await wait(waitMs);
  }
};
