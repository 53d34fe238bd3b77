import { nodeFaked } from "../../machine/faked-timers.ts";
import { hostTime, nextTurn } from "../../machine/host-time.ts";
import { damagedBody } from "../message/damaged-body.ts";
import type { HttpRequest } from "../message/http-request.ts";
import type { MaybePromise } from "../message/maybe-promise.ts";
import { DROPPED_HEADER, type WholeReply } from "../message/reply.ts";

const responseOf = ({ status, text, stream, headers, damage }: WholeReply): Response => {
  if (text === undefined) return new Response(stream ?? null, { status, headers });
  if (!damage) return new Response(text, { status, headers });
  const { body, length } = damagedBody(text, damage);
  return new Response(body, { status, headers: { ...headers, "content-length": `${length}` } });
};

const withHeaders = ({ method, url, body }: Request, headers: Headers): HttpRequest => ({
  method,
  url,
  headers,
  body,
});

/**
 * Answers a request in this process, as `fetch` would, in a later turn of the event loop.
 * @param others headers in place of its own: a `Request` made again costs as much as a cheap call
 * @throws TypeError when a fault switch loses the answer
 * @throws TimersFaked while `queueMicrotask` is faked for Node.js itself
 */
export const fetchFrom = async (
  answer: (request: HttpRequest) => MaybePromise<WholeReply>,
  request: Request,
  others?: Headers,
): Promise<Response> => {
  const faked = nodeFaked("queueMicrotask");
  if (faked) throw faked;
  const reply = await answer(others ? withHeaders(request, others) : request);
  // Otherwise a caller that asks again and again would keep timers and webhooks from happening.
  await nextTurn();
  const { onSent: left } = reply;
  if (left) hostTime.setImmediate(left);
  const fault = reply.headers[DROPPED_HEADER];
  if (fault !== undefined) throw new TypeError(`fetch failed: ${fault} lost the answer`);
  return responseOf(reply);
};
