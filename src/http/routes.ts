import type { H3 } from "h3";
import { OWN } from "../contract/core/brand-words.ts";
import { defined } from "../contract/core/defined.ts";
import type { Revision } from "../contract/core/revisions.ts";
import { requireAgentMay } from "../domain/agents/agent-access.ts";
import { brandIn } from "../domain/core/brand.ts";
import { Refusal } from "../domain/core/refusal.ts";
import { asSentence, revisionOf, takenElsewhere } from "../domain/core/revision.ts";
import { Challenged, requireUnused } from "../domain/wallets/signed-retry.ts";
import { caughtUp } from "../runtime/caught-up.ts";
import { wantsPages } from "./accept.ts";
import { type Arrived, route } from "./arrived.ts";
import type { Call } from "./call.ts";
import { type Endpoint, type EndpointInput, formIn } from "./endpoint.ts";
import type { HttpRequest } from "./http-request.ts";
import { skipForPoll } from "./polls.ts";
import { jsonReply, type Reply } from "./reply.ts";
import { readJsonBody } from "./request-body.ts";
import {
  isAtPath,
  methodNotAllowed,
  methodsOf,
  requestLineOf,
  unknownOperation,
} from "./request-line.ts";
import { tellSentValue } from "./sent-value.ts";
import { serve } from "./serve.ts";
import type { ServedWorld, WorldSet } from "./served-world.ts";
import { inShape, isQueryInShape, queryInShape } from "./shape.ts";
import { ended, lastly, type Soon, soon } from "./soon.ts";
import { StreamReply } from "./stream-reply.ts";
import type { Surface } from "./surface.ts";
import { tapOf } from "./tapped-request.ts";
import { TextReply } from "./text-reply.ts";
import { loggedForm, readUpload } from "./upload-body.ts";

/** A call of an operation, before its input is checked. */
interface Arrival<World> {
  surface: Surface<World>;
  endpoint: Endpoint<World>;
  /** The operation as it is declared; another object where a revision changed its form. */
  declared: Endpoint<World>;
  event: Arrived;
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

const headerOf = (event: Arrived, name: string) => event.req.headers.get(name) ?? undefined;

/** Takes the signature headers. A used Request-Id is refused before anything else. */
const takeSignature = <World>({ endpoint, event, call }: Arrival<World>, body: unknown) => {
  call.signed = {
    method: endpoint.method,
    path: event.pathOf(endpoint),
    signature:
      headerOf(event, OWN.walletHeader) ??
      headerOf(event, brandIn(call.engine.state)?.walletHeader ?? OWN.walletHeader),
    requestId: endpoint.signing === "standing" ? undefined : headerOf(event, "request-id"),
    find: call.find,
  };
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
      throw tellSentValue(error, { params, url, body });
    },
  );

/** Lets what is due happen, and a clock of mode `auto` skip, before the call. */
const timeCaughtUp = <World extends ServedWorld>(arrival: Arrival<World>): Soon<void> => {
  const { endpoint, call, world } = arrival;
  const skip = () => (world.autoClock.isOn ? skipForPoll(arrival) : undefined);
  return soon(endpoint.isAtOnce ? undefined : caughtUp(call.engine), skip);
};

/** Checks subject and shape, runs the rule and forms the reply. */
const answerTo = <World extends ServedWorld>(arrival: Arrival<World>, body: unknown): Soon<Reply> =>
  soon(timeCaughtUp(arrival), () => {
    const { endpoint, event } = arrival;
    readmit(arrival);
    const tap = tapOf(event.req);
    tap?.begin?.();
    const input = inputOf(arrival, body);
    if (endpoint.redirects !== undefined && wantsPages(headerOf(event, "accept") ?? ""))
      return {
        status: 302,
        headers: { location: endpoint.redirects, "content-length": "0", ...TOLD_APART },
      };
    const handled = lastly(
      () => handle(arrival, input),
      () => tap?.worked?.(),
    );
    return soon(handled, (reply) => replyOf(arrival, reply));
  });

/** The query; a refusal names the revision that takes it, where there is one. */
const queryOf = <World>({ endpoint, declared, event, call }: Arrival<World>) => {
  const { searchParams } = event.url;
  const { later } = declared;
  if (!later?.query) return queryInShape(endpoint.query, searchParams);
  try {
    return queryInShape(endpoint.query, searchParams);
  } catch (error) {
    const other = endpoint === declared ? later.query : declared.query;
    if (!(error instanceof Refusal) || !isQueryInShape(other, searchParams)) throw error;
    const { word, details, sentence: says } = error;
    const next = asSentence(takenElsewhere(call.engine.state, later.change));
    throw new Refusal(word, details, { ...defined({ says }), next });
  }
};

/** The input of the rule, after every check of the request. */
const inputOf = <World>(arrival: Arrival<World>, body: unknown): EndpointInput => {
  const { endpoint, event, call } = arrival;
  const { params } = event;
  if (endpoint.signing) takeSignature(arrival, body);
  const { agentId } = call;
  if (endpoint.subject) call.read(endpoint.subject as never, { params, agentId } as never);
  requireAccess(endpoint, call);
  const query = queryOf(arrival);
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
      headers: {
        "content-type": reply.contentType,
        "cache-control": "no-store",
        ...reply.headersFor(event.req),
      },
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
      // The same refusal with a reason of its own says more.
      if (!(error instanceof Refusal && error.word === "UNAVAILABLE")) requireSameWorld();
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
  return soon(readBody(endpoint, event.req), (sent) => {
    const isAsSent = endpoint.upload || endpoint.isOfFile;
    const brand = isAsSent ? undefined : brandIn(call.engine.state);
    const body = brand?.inwardValue(sent) ?? sent;
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
  readmit(arrival);
  const keyed = {
    endpoint,
    key,
    caller: call.caller.keySpace,
    path: event.pathOf(endpoint),
    body,
  };
  return world.keyedCalls.answer(keyed, call, {
    work: () => work(arrival, body),
    refused: (refusal) => surface.errorReply(refusal, world),
  });
};

/** The name between base and next slash: `quotes` of `/2025-10-13/quotes/{quoteId}`. */
const roomOf = (path: string) => {
  const end = path.indexOf("/", 1);
  return end < 0 ? path.slice(1) : path.slice(1, end);
};

const byRoom = <World>({ endpoints }: Surface<World>) => {
  const rooms = new Map<string, Endpoint<World>[]>();
  for (const endpoint of endpoints) {
    const room = rooms.get(roomOf(endpoint.path)) ?? [];
    rooms.set(roomOf(endpoint.path), [...room, endpoint]);
  }
  return rooms;
};

/** An operation as the revision of a world has it. */
const formFor = <World extends ServedWorld>(endpoint: Endpoint<World>, { engine }: World) =>
  (endpoint.later && formIn(endpoint, revisionOf(engine.state))) ?? endpoint;

/** Makes the routes that a path needs, unless it has made them. */
export type Mount = (path: string) => void;

/**
 * Serves the endpoints of a surface, and answers everything else below its base. All routes take a
 * twentieth of a start: those below one name are made for the first request there.
 * @param worlds the worlds it serves; the world of each call is looked up when it comes
 * @returns what to call with the path of each request, before it is routed
 */
export const mountSurface = <World extends ServedWorld>(
  app: H3,
  surface: Surface<World>,
  worlds: WorldSet<World>,
): Mount => {
  const routeOf = (path: string) => surface.base + path.replace(/\{(\w+)\}/g, ":$1");
  const serveOther = (event: Arrived, run: (revision: Revision) => Reply) =>
    serve(surface, { endpoint: undefined, event, worlds }, ({ engine }) =>
      run(revisionOf(engine.state)),
    );
  const unknown = (event: Arrived) =>
    serveOther(event, (revision) => unknownOperation(surface, event, revision));
  const servedBy = (endpoint: Endpoint<World>) => (event: Arrived) =>
    serve(surface, { endpoint, event, worlds }, (call, world) =>
      answer({
        surface,
        endpoint: formFor(endpoint, world),
        declared: endpoint,
        event,
        call,
        world,
      }),
    );
  const mountPath = (endpoint: Endpoint<World>) => {
    const served = servedBy(endpoint);
    for (const method of methodsOf(endpoint))
      route(app, { method, path: routeOf(endpoint.path) }, (event) =>
        isAtPath(endpoint, requestLineOf(surface, event)) || event.url.pathname === endpoint.alsoAt
          ? served(event)
          : unknown(event),
      );
  };
  const mountAlso = (endpoint: Endpoint<World>) => {
    const { alsoAt: path } = endpoint;
    if (path === undefined) return;
    for (const method of methodsOf(endpoint)) route(app, { method, path }, servedBy(endpoint));
  };
  // Otherwise a longer path would be read as an id: only `/customers/{customerId}` takes PATCH.
  const refuseOthers = (path: string) =>
    route(app, { path: routeOf(path) }, (event) =>
      isAtPath({ path }, requestLineOf(surface, event))
        ? serveOther(event, (revision) => methodNotAllowed(surface, event, { path, revision }))
        : unknown(event),
    );
  const isBelow = (path: string) => path.startsWith(`${surface.base}/`) || path === surface.base;
  for (const endpoint of surface.endpoints)
    if (!isBelow(endpoint.alsoAt ?? surface.base)) mountAlso(endpoint);
  route(app, { path: `${surface.base}/**` }, unknown);
  const waiting = byRoom(surface);
  return (path) => {
    if (waiting.size === 0 || !isBelow(path)) return;
    const room = roomOf(path.slice(surface.base.length));
    const endpoints = waiting.get(room) ?? [];
    for (const endpoint of endpoints) {
      mountPath(endpoint);
      if (isBelow(endpoint.alsoAt ?? "")) mountAlso(endpoint);
    }
    for (const one of new Set(endpoints.map((endpoint) => endpoint.path))) refuseOthers(one);
    waiting.delete(room);
  };
};
