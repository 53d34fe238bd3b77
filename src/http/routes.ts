import { getRouterParams, type H3, type H3Event } from "h3";
import { defined } from "../contract/core/defined.ts";
import { requireAgentMay } from "../domain/agents/agent-access.ts";
import { Refusal } from "../domain/core/refusal.ts";
import { Challenged, requireUnused } from "../domain/wallets/signed-retry.ts";
import { caughtUp } from "../runtime/caught-up.ts";
import { hostTime } from "../runtime/host-time.ts";
import { wantsPages } from "./accept.ts";
import { Call, type Caller } from "./call.ts";
import type { Endpoint, EndpointInput } from "./endpoint.ts";
import type { Bodies, RequestReport } from "./log-entry.ts";
import { skipForLimit, skipForPoll } from "./polls.ts";
import { redactPath, secretsInQuery } from "./redaction.ts";
import { headOf, jsonReply, type Reply, toResponse } from "./reply.ts";
import { replyTo } from "./reply-to.ts";
import { readJsonBody } from "./request-body.ts";
import {
  isAtPath,
  methodNotAllowed,
  methodsOf,
  requestLineOf,
  unknownOperation,
} from "./request-line.ts";
import { ruleHeader, rulesIn } from "./rule-header.ts";
import { tellSentValue } from "./sent-value.ts";
import type { Asked, ServedWorld, WorldSet } from "./served-world.ts";
import { inShape, queryInShape } from "./shape.ts";
import { StreamReply } from "./stream-reply.ts";
import { idOf, tapOf } from "./tapped-request.ts";
import { TextReply } from "./text-reply.ts";
import { loggedForm, readUpload } from "./upload-body.ts";

/** A half of the HTTP surface: where it is mounted, who may enter, how its errors look. */
export interface Surface<World> {
  base: string;
  endpoints: readonly Endpoint<World>[];
  /** Its requests are kept out of the log. */
  isUnlogged?: true;
  /** Fault switches strike its calls. */
  takesFaults?: true;
  /** HEAD is answered wherever GET is: link checkers and waiting scripts ask with it. */
  takesHead?: true;
  /**
   * Finds the world that a request means. Refuses credentials that are wrong, and names of worlds
   * that are not there; the starting world then tells of it.
   */
  locate(
    asked: Asked,
    endpoint: Endpoint<World> | undefined,
    worlds: WorldSet<World>,
  ): World | Promise<World>;
  /** Refuses whoever may not call; runs before anything of the request is read. */
  admit(request: Request, endpoint: Endpoint<World> | undefined, world: World): Caller;
  errorReply(error: Refusal, world: World): Reply;
}

/** A call of an operation, before its input is checked. */
interface Arrival<World> {
  surface: Surface<World>;
  endpoint: Endpoint<World>;
  event: H3Event;
  call: Call;
  world: World;
}

const admit = <World>({ surface, endpoint, event, world }: Arrival<World>) =>
  surface.admit(event.req, endpoint, world);

/**
 * Refuses a call whose world was replaced since it began. Where it goes on, its caller may be
 * unknown in the new world.
 */
const readmit = <World>(arrival: Arrival<World>) => {
  const { endpoint, call } = arrival;
  if (!call.isOvertaken) return;
  if (!endpoint.outlivesReset) call.requireSameWorld();
  call.admit(admit(arrival));
};

const paramsOf = (event: H3Event) =>
  (getRouterParams(event, { decode: true }) ?? {}) as Record<string, string>;

/** The path with its parameters decoded: `Quote:1` and `Quote%3A1` are one. */
const concretePath = ({ path }: Pick<Endpoint, "path">, event: H3Event) => {
  const params = paramsOf(event);
  return path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "");
};

const headerOf = (event: H3Event, name: string) => event.req.headers.get(name) ?? undefined;

/** Takes the signature headers. A used Request-Id is refused before anything else. */
const takeSignature = <World>({ endpoint, event, call }: Arrival<World>, body: unknown) => {
  call.signed = {
    method: endpoint.method,
    path: concretePath(endpoint, event),
    signature: headerOf(event, "service-wallet-signature"),
    requestId: endpoint.signing === "standing" ? undefined : headerOf(event, "request-id"),
    find: call.find,
  };
  const { requestId } = call.signed;
  if (requestId === undefined) return;
  const input = { params: paramsOf(event), body, call: call.signed };
  const isIgnored = endpoint.isUnsigned && call.read(endpoint.isUnsigned as never, input as never);
  if (!isIgnored) call.read((view) => requireUnused(view, requestId), undefined);
};

/** Applies an agent's policy before the body is checked: 403 after 404, before 400. */
const requireAccess = (
  { agentAccess: access, method }: Pick<Endpoint, "agentAccess" | "method">,
  call: Call,
) => {
  const { agentId } = call;
  if (access) call.read(requireAgentMay, { agentId, access, initiates: method !== "GET" });
};

/** Answers a call whose body was read; a refusal shows the value of its field as it was sent. */
const work = async <World extends ServedWorld>(
  arrival: Arrival<World>,
  body: unknown,
): Promise<Reply> => {
  try {
    return await answerTo(arrival, body);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { event, call } = arrival;
    call.refusedBy(error);
    throw tellSentValue(error, { params: paramsOf(event), search: event.url.searchParams, body });
  }
};

/** Checks subject and shape, runs the rule and forms the reply. */
const answerTo = async <World extends ServedWorld>(
  arrival: Arrival<World>,
  body: unknown,
): Promise<Reply> => {
  const { endpoint, event, call } = arrival;
  const params = paramsOf(event);
  if (!endpoint.isAtOnce) await caughtUp(call.engine);
  if (arrival.world.autoClock.isOn) await skipForPoll(arrival);
  readmit(arrival);
  tapOf(event.req)?.begin?.();
  if (endpoint.signing) takeSignature(arrival, body);
  const { agentId } = call;
  if (endpoint.subject) call.read(endpoint.subject as never, { params, agentId } as never);
  requireAccess(endpoint, call);
  const query = queryInShape(endpoint.query, event.url.searchParams);
  const input = { params, query, body: endpoint.body && inShape(endpoint.body, body, "body") };
  if (endpoint.redirects !== undefined && wantsPages(headerOf(event, "accept") ?? ""))
    return { status: 302, headers: { location: endpoint.redirects, ...TOLD_APART } };
  const reply = await handle(arrival, input).finally(() => tapOf(event.req)?.worked?.());
  const [status] = endpoint.replies;
  if (reply instanceof Challenged) return jsonReply(202, reply.body);
  if (reply instanceof TextReply)
    return { status, text: reply.text, headers: { ...reply.headers } };
  if (reply instanceof StreamReply)
    return {
      status,
      ...(event.req.method !== "HEAD" && { stream: reply.open(event.req) }),
      headers: { "content-type": reply.contentType, "cache-control": "no-store" },
    };
  if (status === 204) return { status };
  return { ...jsonReply(status, reply), ...(endpoint.redirects && { headers: TOLD_APART }) };
};

/** Keeps caches from giving the answer for one kind of client to another. */
const TOLD_APART = { vary: "accept" };

/** Runs the rule. Its answer is dropped together with the world that it was found in. */
const handle = async <World>(
  { endpoint, call, world }: Arrival<World>,
  input: EndpointInput,
): Promise<unknown> => {
  const requireSameWorld = () => endpoint.outlivesReset || call.requireSameWorld();
  try {
    const reply = await endpoint.handle(input, call, world);
    requireSameWorld();
    return reply;
  } catch (error) {
    requireSameWorld();
    throw error;
  }
};

/** The body in the form that the endpoint declares, as far as its bytes tell. */
const readBody = (
  { body, upload, bodyLimitBytes }: Pick<Endpoint, "body" | "upload" | "bodyLimitBytes">,
  request: Request,
) => {
  if (upload) return readUpload(request, upload);
  return body && readJsonBody(request, bodyLimitBytes);
};

const answer = async <World extends ServedWorld>(arrival: Arrival<World>): Promise<Reply> => {
  const { surface, endpoint, event, call, world } = arrival;
  const body = await readBody(endpoint, event.req);
  call.body = endpoint.upload ? loggedForm(body) : body;
  const key = endpoint.idempotent ? event.req.headers.get("idempotency-key") : null;
  if (!key) return work(arrival, body);
  await caughtUp(call.engine);
  readmit(arrival);
  const keyed = {
    endpoint,
    key,
    caller: call.caller.keySpace,
    path: concretePath(endpoint, event),
    body,
  };
  return world.keyedCalls.answer(keyed, call, {
    work: () => work(arrival, body),
    refused: (refusal) => surface.errorReply(refusal, world),
  });
};

const errorOf = ({ text }: Reply) => {
  const body = text === undefined ? {} : JSON.parse(text);
  const { code, reason } = body.error ?? body;
  return { error: { code, ...defined({ reason }) } };
};

const bodiesOf = (
  event: H3Event,
  call: Call,
  { reply: { text }, secrets }: { reply: Reply; secrets: readonly string[] },
): Bodies => ({
  input: call.body,
  inputBytes: Number(event.req.headers.get("content-length") ?? Number.POSITIVE_INFINITY),
  output: text,
  ...(event.url.search !== "" && { query: event.url.search }),
  secrets: [...secrets, ...secretsInQuery(event.url.searchParams)],
});

/** A request as it came: its operation, if there is one, and its world. */
interface Served<World> {
  endpoint: Endpoint<World> | undefined;
  event: H3Event;
  world: World;
  /** Set when no world was found for it: it is refused, and the starting world tells of it. */
  lost?: unknown;
}

/** Finds the world of a request, and has it answered there. */
const serve = async <World extends ServedWorld>(
  surface: Surface<World>,
  { endpoint, event, worlds }: Omit<Served<World>, "world"> & { worlds: WorldSet<World> },
  run: (call: Call, world: World) => Promise<Reply>,
) => {
  const served: Served<World> = { endpoint, event, world: worlds.starting };
  const find = async () => {
    try {
      const asked = { request: event.req, params: paramsOf(event) };
      const located = surface.locate(asked, endpoint, worlds);
      served.world = located instanceof Promise ? await located : located;
    } catch (error) {
      served.lost = error;
    }
  };
  await find();
  // Its credentials may be those of a start that still goes on.
  if (served.lost !== undefined && worlds.starting.engine.gate.opens && !endpoint?.isAtOnce) {
    await worlds.starting.engine.gate.whenOpen();
    delete served.lost;
    await find();
  }
  served.world.enter();
  try {
    return await serveIn(surface, served, run);
  } finally {
    served.world.leave();
  }
};

/** What a request waits for while another state is being loaded into its world. */
const entrance = <World extends ServedWorld>({ endpoint, world }: Served<World>) => {
  const { gate } = world.engine;
  return gate.opens && !endpoint?.isAtOnce ? gate.whenOpen() : undefined;
};

/** Admits, answers and reports one request. */
const serveIn = async <World extends ServedWorld>(
  surface: Surface<World>,
  served: Served<World>,
  run: (call: Call, world: World) => Promise<Reply>,
) => {
  const { endpoint, event, world } = served;
  const { engine, reports } = world;
  const startedMs = hostTime.monotonicMs();
  const opens = entrance(served);
  if (opens) await opens;
  const requestId = idOf(event.req, reports.nextRequestId());
  const operationId = endpoint?.operationId ?? "none";
  const { origin } = event.url;
  const call = new Call({ requestId, operationId, origin, world, find: tapOf(event.req)?.find });
  const guarded = async () => {
    // Another state may be on its way in since a fault made the call wait.
    const opensAgain = entrance(served);
    if (opensAgain) await opensAgain;
    if (served.lost !== undefined) throw served.lost;
    if (!endpoint?.outlivesReset) call.requireSameWorld();
    call.admit(surface.admit(event.req, endpoint, world));
    if (surface.takesFaults && world.autoClock.isOn) await skipForLimit(world, call.caller);
    if (surface.takesFaults) world.faults.admit(call.caller);
    return run(call, world);
  };
  const answered = () => replyTo(guarded, call, { surface, world });
  const isStruck = endpoint !== undefined && surface.takesFaults;
  const fault = isStruck && world.faults.strikeAt(endpoint, concretePath(endpoint, event));
  const reply = fault ? await world.faults.run(fault, event.req, answered) : await answered();
  const atMs = call.atMs ?? engine.clock.now();
  const headers = { ...ruleHeader(call.rules), ...reply.headers };
  const rules = rulesIn(headers);
  const path = redactPath(event.url.pathname.slice(surface.base.length) || "/");
  const report: RequestReport = {
    id: requestId,
    atMs,
    method: event.req.method,
    path: surface.isUnlogged ? surface.base + path.text : path.text,
    ...(surface.isUnlogged && { isControl: true }),
    ...(endpoint && { operation: operationId }),
    status: reply.status,
    tookMs: Math.round(hostTime.monotonicMs() - startedMs),
    ...(reply.status >= 400 && errorOf(reply)),
    ...(fault && { fault: fault.id }),
    ...(rules.length > 0 && { rules }),
    ...(call.replay && { replay: call.replay }),
  };
  reports.onRequest(report);
  if (surface.isUnlogged) reports.log.passOver(requestId);
  else reports.log.take(report, bodiesOf(event, call, { reply, secrets: path.secrets }));
  tapOf(event.req)?.end?.(world, call);
  if (call.hasCommitted) hostTime.setImmediate(() => call.finish());
  const whole = { ...reply, headers: { ...headers, "x-sim-request-id": requestId } };
  return toResponse(event.req.method === "HEAD" ? headOf(whole) : whole, atMs);
};

/**
 * Serves the endpoints of a surface, and answers everything else below its base.
 * @param worlds the worlds it serves; the world of each call is looked up when it comes
 */
export const mountSurface = <World extends ServedWorld>(
  app: H3,
  surface: Surface<World>,
  worlds: WorldSet<World>,
) => {
  const routeOf = (path: string) => surface.base + path.replace(/\{(\w+)\}/g, ":$1");
  const serveOther = (event: H3Event, run: () => Reply) =>
    serve(surface, { endpoint: undefined, event, worlds }, async () => run());
  const unknown = (event: H3Event) => serveOther(event, () => unknownOperation(surface, event));
  for (const endpoint of surface.endpoints) {
    const served = (event: H3Event) =>
      serve(surface, { endpoint, event, worlds }, (call, world) =>
        answer({ surface, endpoint, event, call, world }),
      );
    const ways = methodsOf(surface, endpoint);
    for (const way of ways)
      app.on(way, routeOf(endpoint.path), (event) =>
        isAtPath(endpoint, requestLineOf(surface, event)) || event.url.pathname === endpoint.alsoAt
          ? served(event)
          : unknown(event),
      );
    if (endpoint.alsoAt !== undefined) for (const way of ways) app.on(way, endpoint.alsoAt, served);
  }
  // Otherwise a longer path would be read as an id: only `/customers/{customerId}` takes PATCH.
  for (const path of new Set(surface.endpoints.map((one) => one.path)))
    app.all(routeOf(path), (event) =>
      isAtPath({ path }, requestLineOf(surface, event))
        ? serveOther(event, () => methodNotAllowed(surface, event, path))
        : unknown(event),
    );
  app.all(`${surface.base}/**`, unknown);
};
