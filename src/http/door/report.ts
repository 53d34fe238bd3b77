import type { Brand } from "../../contract/core/brand-words.ts";
import { defined } from "../../contract/core/defined.ts";
import { FIRST_REVISION, REVISIONS, type Revision } from "../../contract/core/revision-names.ts";
import { sinceOf } from "../../contract/core/revisions.ts";
import { revisionOf } from "../../domain/core/revision.ts";
import { hostTime } from "../../machine/host-time.ts";
import type { Bodies, RequestReport, TakenInRevision } from "../log/log-entry.ts";
import { redactPath, secretsInQuery } from "../log/redaction.ts";
import type { Reply, WholeReply } from "../message/reply.ts";
import { rulesIn } from "../message/rule-header.ts";
import { type Endpoint, formIn } from "./endpoint.ts";
import type { Exchange } from "./exchange.ts";

/** The error that a reply tells; nothing where a fault closed the connection instead. */
const errorOf = ({ text }: Reply) => {
  if (text === undefined) return undefined;
  const body = JSON.parse(text);
  const { code, reason } = body.error ?? body;
  return { code, ...defined({ reason }) };
};

const taken = new WeakMap<Endpoint, Map<Revision, TakenInRevision>>();

/** The shapes of an operation in a revision, made once for all requests that the log keeps. */
const takenIn = (declared: Endpoint, revision: Revision): TakenInRevision => {
  const known = taken.get(declared) ?? new Map<Revision, TakenInRevision>();
  taken.set(declared, known);
  const made = known.get(revision) ?? takenOf(declared, revision);
  known.set(revision, made);
  return made;
};

const takenOf = (declared: Endpoint, revision: Revision): TakenInRevision => {
  const { body, query } = formIn(declared, revision) ?? declared;
  const since = declared.since ? sinceOf(declared.since) : FIRST_REVISION;
  const others = () =>
    REVISIONS.flatMap((one) => {
      const form = one === revision ? undefined : formIn(declared, one);
      return form ? [{ revision: one, body: form.body, query: form.query }] : [];
    });
  return { body, query, revision, since, others };
};

const bodiesOf = (
  { call, request, route, url }: Exchange,
  { text }: Reply,
  secrets: readonly string[],
): Bodies => {
  const takes = route.operation && takenIn(route.operation, revisionOf(call.engine.state));
  const bodies: Bodies = { input: call.body, inputBytes: 0, output: text, secrets, takes };
  if (call.body !== undefined)
    bodies.inputBytes = Number(request.headers.get("content-length") ?? Number.POSITIVE_INFINITY);
  if (url.search === "") return bodies;
  bodies.query = url.search;
  bodies.secrets = [...secrets, ...secretsInQuery(url.searchParams)];
  return bodies;
};

/** Tells the log, and everyone who follows it, of a call that was answered. */
export const report = (
  exchange: Exchange,
  reply: WholeReply,
  { atMs, brand }: { atMs: number; brand: Brand | undefined },
) => {
  const { call, request, route, startedMs, fault: strike, url, world } = exchange;
  const { surface, operation } = route;
  const { reports } = world;
  const rules = rulesIn(reply.headers);
  const sent = url.pathname.slice(surface.base.length) || "/";
  const path = redactPath(brand?.inward(sent) ?? sent);
  const entry: RequestReport = {
    id: call.requestId,
    atMs,
    method: request.method,
    path: surface.isUnlogged ? surface.base + path.text : path.text,
    status: reply.status,
    tookMs: Math.round(hostTime.monotonicMs() - startedMs),
  };
  // A spread for each of these would cost more than all others together.
  if (surface.isUnlogged) entry.isControl = true;
  if (operation) entry.operation = call.operationId;
  const error = reply.status >= 400 ? errorOf(reply) : undefined;
  if (error) entry.error = error;
  if (strike) entry.fault = strike.id;
  if (rules.length > 0) entry.rules = rules;
  if (call.replay) entry.replay = call.replay;
  reports.onRequest(entry);
  if (surface.isUnlogged) reports.log.passOver(call.requestId);
  else reports.log.take(entry, bodiesOf(exchange, reply, path.secrets));
};
