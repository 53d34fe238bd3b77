import type { H3 } from "h3";
import { defined } from "../contract/core/defined.ts";
import { requireAgentMay } from "../domain/agents/agent-access.ts";
import { Refusal } from "../domain/core/refusal.ts";
import { Challenged, requireUnused } from "../domain/wallets/signed-retry.ts";
import { caughtUp } from "../runtime/caught-up.ts";
import { hostTime } from "../runtime/host-time.ts";
import { JournalFailure } from "../runtime/ports.ts";
import { wantsPages } from "./accept.ts";
import { type Arrived, route } from "./arrived.ts";
import { Call, type Caller, OVERTAKEN } from "./call.ts";
import type { Endpoint, EndpointInput } from "./endpoint.ts";
import type { HttpRequest } from "./http-request.ts";
import { skipForLimit, skipForPoll } from "./polls.ts";
import { redactPath, secretsInQuery } from "./redaction.ts";
import { headOf, jsonReply, type Reply, type WholeReply, wholeReply } from "./reply.ts";
import { readJsonBody } from "./request-body.ts";
import {
  isAtPath,
  methodNotAllowed,
  methodsOf,
  requestLineOf,
  unknownOperation,
} from "./request-line.ts";
import type { Bodies, RequestReport } from "./request-log.ts";
import { ruleHeader, rulesIn } from "./rule-header.ts";
import { tellSentValue } from "./sent-value.ts";
import type { Asked, ServedWorld, WorldSet } from "./served-world.ts";
import { inShape, queryInShape } from "./shape.ts";
import { ended, lastly, type Soon, soon } from "./soon.ts";
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
  admit(request: HttpRequest, endpoint: Endpoint<World> | undefined, world: World): Caller;
  errorReply(error: Refusal, world: World): Reply;
}

/** A call of an operation, before its input is checked. */
interface Arrival<World> {
  surface: Surface<World>;
  endpoint: Endpoint<World>;
  event: Arrived;
  call: Call;
  world: World;
}

const admit = <World>({ surface, endpoint, event, world }: Arrival<World>) =>
  surface.admit(event.req, endpoint, world);

/** The path with its parameters decoded: `Quote:1` and `Quote%3A1` are one. */
const concretePath = ({ path }: Pick<Endpoint, "path">, event: Arrived) => {
  const { params } = event;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "");
};

const headerOf = (event: Arrived, name: string) => event.req.headers.get(name) ?? undefined;

/** Takes the signature headers. A used Request-Id is refused before anything else. */
const takeSignature = <World>({ endpoint, event, call }: Arrival<World>, body: unknown) => {
  call.signed = {
    method: endpoint.method,
    path: concretePath(endpoint, event),
    signature: headerOf(event, "service-wallet-signature"),
    requestId: headerOf(event, "request-id"),
  };
  if (endpoint.signing === "standing") delete call.signed.requestId;
  const { requestId } = call.signed;
  if (requestId === undefined) return;
  const input = { params: event.params, body, call: call.signed };
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
const work = <World extends ServedWorld>(arrival: Arrival<World>, body: unknown): Soon<Reply> =>
  ended(
    () => answerTo(arrival, body),
    (reply) => reply,
    (error) => {
      if (!(error instanceof Refusal)) throw error;
      const { event, call } = arrival;
      call.refusedBy(error);
      const { params, url } = event;
      throw tellSentValue(error, { params, search: url.searchParams, body });
    },
  );

/** Lets what is due happen, and a clock of mode `auto` skip, before the call. */
const timeCaughtUp = <World extends ServedWorld>(arrival: Arrival<World>): Soon<void> => {
  const { endpoint, call, world } = arrival;
  const skip = () => (world.autoClock.isOn ? skipForPoll(arrival) : undefined);
  return soon(endpoint.isWorldless ? undefined : caughtUp(call.engine), skip);
};

/** Checks subject and shape, runs the rule and forms the reply. */
const answerTo = <World extends ServedWorld>(arrival: Arrival<World>, body: unknown): Soon<Reply> =>
  soon(timeCaughtUp(arrival), () => {
    const { endpoint, event, call } = arrival;
    // The world was replaced since the caller was admitted, who may be unknown in the new one.
    if (call.isOvertaken) call.admit(admit(arrival));
    const tap = tapOf(event.req);
    tap?.begin?.();
    const input = inputOf(arrival, body);
    if (endpoint.redirects !== undefined && wantsPages(headerOf(event, "accept") ?? ""))
      return { status: 302, headers: { location: endpoint.redirects, ...TOLD_APART } };
    const handled = lastly(
      () => handle(arrival, input),
      () => tap?.worked?.(),
    );
    return soon(handled, (reply) => replyOf(arrival, reply));
  });

/** The input of the rule, after every check of the request. */
const inputOf = <World>(arrival: Arrival<World>, body: unknown): EndpointInput => {
  const { endpoint, event, call } = arrival;
  const { params } = event;
  if (endpoint.signing) takeSignature(arrival, body);
  const { agentId } = call;
  if (endpoint.subject) call.read(endpoint.subject as never, { params, agentId } as never);
  requireAccess(endpoint, call);
  const query = queryInShape(endpoint.query, event.url.searchParams);
  return { params, query, body: endpoint.body && inShape(endpoint.body, body, "body") };
};

/** The reply of what a rule answered. */
const replyOf = <World>({ endpoint, event }: Arrival<World>, reply: unknown): Reply => {
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
const handle = <World>(
  { endpoint, call, world }: Arrival<World>,
  input: EndpointInput,
): Soon<unknown> => {
  const requireSameWorld = () => endpoint.outlivesReset || call.requireSameWorld();
  return ended(
    () => endpoint.handle(input, call, world),
    (reply) => {
      requireSameWorld();
      return reply;
    },
    (error) => {
      requireSameWorld();
      throw error;
    },
  );
};

/** The body in the form that the endpoint declares, as far as its bytes tell. */
const readBody = (
  { body, upload, bodyLimitBytes }: Pick<Endpoint, "body" | "upload" | "bodyLimitBytes">,
  request: HttpRequest,
): Soon<unknown> => {
  if (upload) return readUpload(request, upload);
  return body && readJsonBody(request, bodyLimitBytes);
};

const answer = <World extends ServedWorld>(arrival: Arrival<World>): Soon<Reply> => {
  const { endpoint, event, call } = arrival;
  return soon(readBody(endpoint, event.req), (body) => {
    call.body = endpoint.upload ? loggedForm(body) : body;
    const key = endpoint.idempotent ? event.req.headers.get("idempotency-key") : null;
    return key ? answerKeyed(arrival, key, body) : work(arrival, body);
  });
};

/** Answers a call that carries an idempotency key. */
const answerKeyed = async <World extends ServedWorld>(
  arrival: Arrival<World>,
  key: string,
  body: unknown,
): Promise<Reply> => {
  const { surface, endpoint, event, call, world } = arrival;
  await caughtUp(call.engine);
  if (call.isOvertaken) call.admit(admit(arrival));
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

const asRefusal = (error: unknown, call: Call, { reports }: ServedWorld): Refusal => {
  if (error instanceof Refusal) return error;
  if (error instanceof JournalFailure) return new Refusal("UNAVAILABLE", { why: error.message });
  if (call.isOvertaken) return new Refusal("UNAVAILABLE", { why: OVERTAKEN });
  reports.onBug(error, call.requestId);
  return new Refusal("INTERNAL_ERROR", { requestId: call.requestId });
};

/**
 * Runs one call to its reply, which leaves once the journal has everything it was made from. A
 * refusal waits too: it may show a change that is not written yet.
 */
const replyTo = <World extends ServedWorld>(
  run: () => Soon<Reply>,
  call: Call,
  { surface, world }: { surface: Surface<World>; world: World },
): Soon<Reply> => {
  const refused = (error: unknown) => {
    const refusal = asRefusal(error, call, world);
    call.refusedBy(refusal);
    return surface.errorReply(refusal, world);
  };
  const made = ended(
    run,
    (reply) => reply,
    (error) => {
      const reply = refused(error);
      call.sawEverything();
      return reply;
    },
  );
  return soon(made, (reply) => {
    const durable = call.durable();
    return durable ? durable.then(() => reply, refused) : reply;
  });
};

const errorOf = ({ text }: Reply) => {
  const body = text === undefined ? {} : JSON.parse(text);
  const { code, reason } = body.error ?? body;
  return { error: { code, ...defined({ reason }) } };
};

const bodiesOf = (
  event: Arrived,
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
  event: Arrived;
  world: World;
  /** Set when no world was found for it: it is refused, and the starting world tells of it. */
  lost?: unknown;
}

/** What answers a call in its world. */
type Run<World> = (call: Call, world: World) => Soon<Reply>;

/** Finds the world of a request, and has it answered there. */
const serve = <World extends ServedWorld>(
  surface: Surface<World>,
  { endpoint, event, worlds }: Omit<Served<World>, "world"> & { worlds: WorldSet<World> },
  run: Run<World>,
): Soon<WholeReply> => {
  const served: Served<World> = { endpoint, event, world: worlds.starting };
  const find = (): Soon<void> =>
    ended<World, void>(
      () => surface.locate({ request: event.req, params: event.params }, endpoint, worlds),
      (world) => {
        served.world = world;
      },
      (error) => {
        served.lost = error;
      },
    );
  // Its credentials may be those of a start that still goes on.
  const findAgain = (): Soon<void> => {
    const { gate } = worlds.starting.engine;
    if (served.lost === undefined || !gate.opens || endpoint?.isWorldless) return undefined;
    return gate.whenOpen().then(() => {
      delete served.lost;
      return find();
    });
  };
  return soon(soon(find(), findAgain), () => {
    served.world.enter();
    return lastly(
      () => serveIn(surface, served, run),
      () => served.world.leave(),
    );
  });
};

/** Admits a request to its world, and has it answered. */
const admitted = <World extends ServedWorld>(
  surface: Surface<World>,
  served: Served<World>,
  { call, run }: { call: Call; run: Run<World> },
): Soon<Reply> => {
  const { endpoint, event, world } = served;
  const { gate } = world.engine;
  return soon(gate.opens && !endpoint?.isWorldless ? gate.whenOpen() : undefined, () => {
    if (served.lost !== undefined) throw served.lost;
    call.admit(surface.admit(event.req, endpoint, world));
    if (!surface.takesFaults) return run(call, world);
    return soon(world.autoClock.isOn ? skipForLimit(world, call.caller) : undefined, () => {
      world.faults.admit(call.caller);
      return run(call, world);
    });
  });
};

/** Answers a request in its world, and reports it. */
const serveIn = <World extends ServedWorld>(
  surface: Surface<World>,
  served: Served<World>,
  run: Run<World>,
): Soon<WholeReply> => {
  const { endpoint, event, world } = served;
  const { engine, reports, deliveries, tokenKeys, files } = world;
  const startedMs = hostTime.monotonicMs();
  const requestId = idOf(event.req, reports.nextRequestId());
  const operationId = endpoint?.operationId ?? "none";
  const { url } = event;
  const call = new Call({ requestId, operationId, url, engine, deliveries, tokenKeys, files });
  const guarded = () => admitted(surface, served, { call, run });
  const answered = () => replyTo(guarded, call, { surface, world });
  const fault =
    endpoint && surface.takesFaults
      ? world.faults.strikeAt(endpoint, () => concretePath(endpoint, event))
      : undefined;
  const replied = fault ? world.faults.run(fault, event.req, answered) : answered();
  return soon(replied, (reply) => {
    const atMs = call.atMs ?? engine.clock.now();
    const headers = { ...ruleHeader(call.rules), ...reply.headers };
    report(surface, served, { call, reply: { ...reply, headers }, atMs, startedMs, fault });
    tapOf(event.req)?.end?.(world, call);
    const whole = { ...reply, headers: { ...headers, "x-sim-request-id": requestId } };
    const leaves = wholeReply(event.req.method === "HEAD" ? headOf(whole) : whole, atMs);
    return call.hasCommitted ? { ...leaves, left: () => call.finish() } : leaves;
  });
};

/** Tells the log, and everyone who follows it, of a call that was answered. */
const report = <World extends ServedWorld>(
  surface: Surface<World>,
  { endpoint, event, world: { reports } }: Served<World>,
  answered: {
    call: Call;
    reply: Reply & { headers: Record<string, string> };
    atMs: number;
    startedMs: number;
    fault: { id: string } | undefined;
  },
) => {
  const { call, reply, atMs, startedMs, fault } = answered;
  const rules = rulesIn(reply.headers);
  const path = redactPath(event.url.pathname.slice(surface.base.length) || "/");
  const told: RequestReport = {
    id: call.requestId,
    atMs,
    method: event.req.method,
    path: surface.isUnlogged ? surface.base + path.text : path.text,
    ...(surface.isUnlogged && { isControl: true }),
    ...(endpoint && { operation: call.operationId }),
    status: reply.status,
    tookMs: Math.round(hostTime.monotonicMs() - startedMs),
    ...(reply.status >= 400 && errorOf(reply)),
    ...(fault && { fault: fault.id }),
    ...(rules.length > 0 && { rules }),
    ...(call.replay && { replay: call.replay }),
  };
  reports.onRequest(told);
  if (surface.isUnlogged) reports.log.passOver(call.requestId);
  else reports.log.take(told, bodiesOf(event, call, { reply, secrets: path.secrets }));
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
  const serveOther = (event: Arrived, run: () => Reply) =>
    serve(surface, { endpoint: undefined, event, worlds }, run);
  const unknown = (event: Arrived) => serveOther(event, () => unknownOperation(surface, event));
  for (const endpoint of surface.endpoints) {
    const served = (event: Arrived) =>
      serve(surface, { endpoint, event, worlds }, (call, world) =>
        answer({ surface, endpoint, event, call, world }),
      );
    const ways = methodsOf(surface, endpoint);
    for (const way of ways)
      route(app, { method: way, path: routeOf(endpoint.path) }, (event) =>
        isAtPath(endpoint, requestLineOf(surface, event)) || event.url.pathname === endpoint.alsoAt
          ? served(event)
          : unknown(event),
      );
    if (endpoint.alsoAt !== undefined)
      for (const way of ways) route(app, { method: way, path: endpoint.alsoAt }, served);
  }
  // Otherwise a longer path would be read as an id: only `/customers/{customerId}` takes PATCH.
  for (const path of new Set(surface.endpoints.map((one) => one.path)))
    route(app, { path: routeOf(path) }, (event) =>
      isAtPath({ path }, requestLineOf(surface, event))
        ? serveOther(event, () => methodNotAllowed(surface, event, path))
        : unknown(event),
    );
  route(app, { path: `${surface.base}/**` }, unknown);
};
