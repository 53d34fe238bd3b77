import { getRouterParams, type H3, type H3Event } from "h3";
import { closestOperation } from "../contract/closest-operation.ts";
import { requireAgentMay } from "../domain/agents/agent-access.ts";
import { Refusal, refuse } from "../domain/core/refusal.ts";
import { Challenged, requireUnused } from "../domain/wallets/signed-retry.ts";
import { caughtUp } from "../runtime/caught-up.ts";
import type { Engine } from "../runtime/engine.ts";
import { type Deliveries, type Files, type IdTokenKeys, JournalFailure } from "../runtime/ports.ts";
import { Call, type Caller, OVERTAKEN } from "./call.ts";
import type { Endpoint, EndpointInput } from "./endpoint.ts";
import type { FaultInjection } from "./fault-injection.ts";
import { Idempotency } from "./idempotency.ts";
import { redactPath, secretsInQuery } from "./redaction.ts";
import { jsonReply, type Reply, toResponse } from "./reply.ts";
import { readJsonBody } from "./request-body.ts";
import type { Bodies, RequestLog, RequestReport } from "./request-log.ts";
import { tellSentValue } from "./sent-value.ts";
import { inShape, queryInShape } from "./shape.ts";
import { StreamReply } from "./stream-reply.ts";
import { TextReply } from "./text-reply.ts";
import { loggedForm, readUpload } from "./upload-body.ts";

/** A half of the HTTP surface: where it is mounted, who may enter, how its errors look. */
export interface Surface {
  base: string;
  endpoints: readonly Endpoint[];
  /** Its requests are kept out of the log. */
  isUnlogged?: true;
  /** Fault switches strike its calls. */
  takesFaults?: true;
  /** Refuses whoever may not call; runs before anything of the request is read. */
  admit(request: Request, endpoint: Endpoint | undefined): Caller;
  errorReply(error: Refusal): Reply;
}

export interface SurfaceDeps {
  engine: Engine;
  deliveries: Deliveries;
  tokenKeys: IdTokenKeys;
  files: Files;
  /** `req-<start>-<n>`, fresh with each call. */
  nextRequestId(): string;
  /** A bug of ours met while answering. */
  onBug(error: unknown, requestId: string): void;
  onRequest(report: RequestReport): void;
  faults: FaultInjection;
  log: Pick<RequestLog, "take" | "passOver">;
  wallMs(): number;
}

let turnEnd: Promise<void> | undefined;

/**
 * The end of this turn of the event loop, shared by all that wait for it: replies that leave
 * together cost the system far fewer calls.
 */
const endOfTurn = () => {
  turnEnd ??= turn().then(() => {
    turnEnd = undefined;
  });
  return turnEnd;
};

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** What a request brought, before it is looked at. */
interface Arrival {
  endpoint: Endpoint;
  event: H3Event;
  call: Call;
  /** Refuses whoever may not call. */
  admit(): Caller;
}

const paramsOf = (event: H3Event) =>
  (getRouterParams(event, { decode: true }) ?? {}) as Record<string, string>;

/** The path with its parameters decoded: `Quote:1` and `Quote%3A1` are one. */
const concretePath = ({ path }: Endpoint, event: H3Event) => {
  const params = paramsOf(event);
  return path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "");
};

const headerOf = (event: H3Event, name: string) => event.req.headers.get(name) ?? undefined;

/** A Request-Id that was used is told before anything else (decisions, Used `Request-Id`). */
const takeSignature = ({ endpoint, event, call }: Arrival, body: unknown) => {
  call.signed = {
    method: endpoint.method,
    path: concretePath(endpoint, event),
    signature: headerOf(event, "service-wallet-signature"),
    requestId: headerOf(event, "request-id"),
  };
  if (endpoint.signing === "standing") delete call.signed.requestId;
  const { requestId } = call.signed;
  if (requestId === undefined) return;
  const input = { params: paramsOf(event), body, call: call.signed };
  const isIgnored = endpoint.isUnsigned && call.read(endpoint.isUnsigned as never, input as never);
  if (!isIgnored) call.read((view) => requireUnused(view, requestId), undefined);
};

/** What an agent's policy says before the body is looked at; 403 after 404, before 400. */
const requireAccess = ({ agentAccess: access, method }: Endpoint, call: Call) => {
  const { agentId } = call;
  if (access) call.read(requireAgentMay, { agentId, access, initiates: method !== "GET" });
};

/** Everything after the body was read; a refusal tells the value of its field as it was sent. */
const work = async (arrival: Arrival, body: unknown): Promise<Reply> => {
  try {
    return await answerTo(arrival, body);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { event } = arrival;
    throw tellSentValue(error, { params: paramsOf(event), search: event.url.searchParams, body });
  }
};

/** Subject, shape, rule, reply. */
const answerTo = async (arrival: Arrival, body: unknown): Promise<Reply> => {
  const { endpoint, event, call, admit } = arrival;
  const params = paramsOf(event);
  if (!endpoint.isWorldless) await caughtUp(call.engine);
  // Whoever was let into the world before is asked again: a caller may not be in this one.
  if (call.isOvertaken) call.admit(admit());
  if (endpoint.signing) takeSignature(arrival, body);
  const { agentId } = call;
  if (endpoint.subject) call.read(endpoint.subject as never, { params, agentId } as never);
  requireAccess(endpoint, call);
  const query = queryInShape(endpoint.query, event.url.searchParams);
  const input = { params, query, body: endpoint.body && inShape(endpoint.body, body, "body") };
  const reply = await handle(endpoint, { input, call });
  const [status] = endpoint.replies;
  if (reply instanceof Challenged) return jsonReply(202, reply.body);
  if (reply instanceof TextReply)
    return { status, text: reply.text, headers: { ...reply.headers } };
  if (reply instanceof StreamReply)
    return {
      status,
      stream: reply.open(event.req),
      headers: { "content-type": reply.contentType, "cache-control": "no-store" },
    };
  return status === 204 ? { status } : jsonReply(status, reply);
};

/** Runs the rule. What it found in a world that was dropped meanwhile is no answer. */
const handle = async (
  endpoint: Endpoint,
  { input, call }: { input: EndpointInput; call: Call },
): Promise<unknown> => {
  const requireSameWorld = () => {
    if (!endpoint.outlivesReset) call.requireSameWorld();
  };
  try {
    const reply = await endpoint.handle(input, call);
    requireSameWorld();
    return reply;
  } catch (error) {
    requireSameWorld();
    throw error;
  }
};

/** The body in the form that the endpoint declares, as far as its bytes tell. */
const readBody = ({ body, upload }: Endpoint, request: Request) => {
  if (upload) return readUpload(request, upload);
  return body && readJsonBody(request);
};

const answer = async (
  arrival: Arrival,
  { surface, keys }: { surface: Surface; keys: Idempotency },
): Promise<Reply> => {
  const { endpoint, event, call, admit } = arrival;
  const body = await readBody(endpoint, event.req);
  call.body = endpoint.upload ? loggedForm(body) : body;
  const key = endpoint.idempotent ? event.req.headers.get("idempotency-key") : null;
  if (!key) return work(arrival, body);
  await caughtUp(call.engine);
  if (call.isOvertaken) call.admit(admit());
  const keyed = {
    endpoint,
    key,
    caller: call.caller.keySpace,
    path: concretePath(endpoint, event),
    body,
  };
  return keys.answer(keyed, call, {
    work: () => work(arrival, body),
    refused: surface.errorReply,
  });
};

const asRefusal = (error: unknown, call: Call, { onBug }: SurfaceDeps): Refusal => {
  if (error instanceof Refusal) return error;
  if (error instanceof JournalFailure) return new Refusal("UNAVAILABLE", { why: error.message });
  if (call.isOvertaken) return new Refusal("UNAVAILABLE", { why: OVERTAKEN });
  onBug(error, call.requestId);
  return new Refusal("INTERNAL_ERROR", { requestId: call.requestId });
};

/**
 * Runs one call to its reply, which leaves only when the journal has all it was made from: also a
 * refusal may tell of a change that is not written yet.
 */
const replyTo = async (
  run: () => Promise<Reply>,
  call: Call,
  { surface, deps }: { surface: Surface; deps: SurfaceDeps },
): Promise<Reply> => {
  let reply: Reply;
  try {
    reply = await run();
  } catch (error) {
    reply = surface.errorReply(asRefusal(error, call, deps));
    call.sawEverything();
  }
  try {
    await (call.durable() ?? endOfTurn());
    return reply;
  } catch (error) {
    return surface.errorReply(asRefusal(error, call, deps));
  }
};

const errorOf = ({ text }: Reply) => {
  const body = text === undefined ? {} : JSON.parse(text);
  const { code, reason } = body.error ?? body;
  return { error: { code, ...(reason !== undefined && { reason }) } };
};

const bodiesOf = (
  event: H3Event,
  call: Call,
  { reply: { text }, secrets }: { reply: Reply; secrets: readonly string[] },
): Bodies => ({
  input: call.body,
  inputBytes: Number(event.req.headers.get("content-length") ?? Number.POSITIVE_INFINITY),
  output: text,
  secrets: [...secrets, ...secretsInQuery(event.url.searchParams)],
});

/** Serves the endpoints of a surface, and answers everything else below its base. */
export const mountSurface = (app: H3, surface: Surface, deps: SurfaceDeps) => {
  const serve = async (
    event: H3Event,
    endpoint: Endpoint | undefined,
    run: (call: Call) => Promise<Reply>,
  ) => {
    const startedMs = deps.wallMs();
    const requestId = deps.nextRequestId();
    const operationId = endpoint?.operationId ?? "none";
    const call = new Call({ ...deps, requestId, operationId, origin: event.url.origin });
    const guarded = async () => {
      const { gate } = deps.engine;
      if (gate.opens && !endpoint?.isWorldless) await gate.whenOpen();
      call.admit(surface.admit(event.req, endpoint));
      return run(call);
    };
    const answered = () => replyTo(guarded, call, { surface, deps });
    const fault = faultFor(surface, endpoint, event);
    const reply = fault ? await deps.faults.run(fault, event.req, answered) : await answered();
    const atMs = deps.engine.clock.now();
    const path = redactPath(event.url.pathname.slice(surface.base.length) || "/");
    const report: RequestReport = {
      id: requestId,
      atMs,
      method: event.req.method,
      path: path.text,
      ...(endpoint && { operation: operationId }),
      status: reply.status,
      tookMs: Math.round(deps.wallMs() - startedMs),
      ...(reply.status >= 400 && errorOf(reply)),
      ...(fault && { fault: fault.id }),
      ...(call.replay && { replay: call.replay }),
    };
    deps.onRequest(report);
    if (surface.isUnlogged) deps.log.passOver(requestId);
    else deps.log.take(report, bodiesOf(event, call, { reply, secrets: path.secrets }));
    if (call.hasCommitted) setImmediate(() => call.finish());
    const headers = { ...reply.headers, "x-sim-request-id": requestId };
    return toResponse({ ...reply, headers }, atMs);
  };

  const faultFor = ({ takesFaults }: Surface, endpoint: Endpoint | undefined, event: H3Event) =>
    endpoint && takesFaults
      ? deps.faults.strike({
          operationId: endpoint.operationId,
          method: endpoint.method,
          template: endpoint.path,
          path: concretePath(endpoint, event),
        })
      : undefined;

  const keys = new Idempotency();
  const routeOf = (path: string) => surface.base + path.replace(/\{(\w+)\}/g, ":$1");
  const unknown = (event: H3Event) =>
    serve(event, undefined, async () => unknownOperation(surface, event));
  for (const endpoint of surface.endpoints)
    app.on(endpoint.method as Parameters<H3["on"]>[0], routeOf(endpoint.path), (event) =>
      hasEmptySegment(askedOf(surface, event))
        ? unknown(event)
        : serve(event, endpoint, (call) => {
            const admit = () => surface.admit(event.req, endpoint);
            return answer({ endpoint, event, call, admit }, { surface, keys });
          }),
    );
  // Else a method that only `/customers/{customerId}` takes would reach it by a longer path's name.
  for (const path of new Set(surface.endpoints.map((one) => one.path)))
    app.all(routeOf(path), (event) =>
      hasEmptySegment(askedOf(surface, event))
        ? unknown(event)
        : serve(event, undefined, async () => methodNotAllowed(surface, event, path)),
    );
  app.all(`${surface.base}/**`, unknown);
};

const askedOf = ({ base }: Surface, event: H3Event) => ({
  method: event.req.method,
  path: event.url.pathname.slice(base.length),
});

const methodNotAllowed = (surface: Surface, event: H3Event, template: string): Reply => {
  const allow = surface.endpoints.filter((one) => one.path === template).map((one) => one.method);
  return refuse("METHOD_NOT_ALLOWED", { ...askedOf(surface, event), allow: allow.join(", ") });
};

/** An empty segment is left by an id that is empty: it must not reach another operation. */
const hasEmptySegment = ({ path }: { path: string }) => path.split("/").slice(1).includes("");

const EMPTY_SEGMENT = "an empty segment of a path names nothing; an id may be empty";

const unknownOperation = (surface: Surface, event: H3Event): Reply => {
  const { method, path } = askedOf(surface, event);
  const why = path !== "/" && hasEmptySegment({ path }) ? `: ${EMPTY_SEGMENT}` : "";
  const says = `There is no operation ${method} ${path}${why}`;
  const details = { method, path, resource: path };
  const closest = closestOperation(details, surface.endpoints);
  if (closest === undefined) return refuse("NO_CLOSE_OPERATION", details, says);
  return refuse("UNKNOWN_OPERATION", { ...details, closest }, says);
};
