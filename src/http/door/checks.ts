import { OWN } from "../../contract/core/brand-words.ts";
import { defined } from "../../contract/core/defined.ts";
import { REVISIONS, type Revision } from "../../contract/core/revision-names.ts";
import { takenBy } from "../../contract/core/revisions.ts";
import { requireAgentMay } from "../../domain/agents/agent-access.ts";
import { brandIn } from "../../domain/core/brand.ts";
import { Refusal, refuse } from "../../domain/core/refusal.ts";
import { asSentence, revisionOf } from "../../domain/core/revision.ts";
import { Challenged, requireUnused } from "../../domain/wallets/signed-retry.ts";
import { caughtUp } from "../../runtime/caught-up.ts";
import { isUnavailable } from "../../runtime/store-unavailable.ts";
import { readJsonBody } from "../body/request-body.ts";
import { inShape, queryInShape } from "../body/shape.ts";
import { loggedForm, readUpload } from "../body/upload-body.ts";
import { wantsPages } from "../message/accept.ts";
import type { HttpRequest } from "../message/http-request.ts";
import { andFinally, andThen, type MaybePromise, settle } from "../message/maybe-promise.ts";
import { jsonReply, type Reply } from "../message/reply.ts";
import { StreamReply } from "../message/stream-reply.ts";
import { TextReply } from "../message/text-reply.ts";
import { type Endpoint, formIn } from "./endpoint.ts";
import type { Exchange } from "./exchange.ts";
import { bodyErrors, listField } from "./listed-fields.ts";

/** A step of an answer: it refuses, or waits, or makes the reply, which ends the checks. */
export type Check = (exchange: Exchange) => MaybePromise<void>;

/** Waits while another state is being loaded into the world of a request. */
export const open: Check = ({ route: { operation }, world: { engine } }) =>
  engine.gate.opens && !operation?.isAtOnce ? engine.gate.whenOpen() : undefined;

/** Has a fault strike a call (spec/faults.md#precedence). */
export const fault: Check = (exchange) => {
  const { fault: strike, world } = exchange;
  if (!strike) return undefined;
  return world.faults.act(strike).then((reply) => {
    exchange.reply = reply;
    return reply && noteBody(exchange);
  });
};

/** Reads the body of a call that does nothing, for the log alone: one that is wrong is left out. */
const noteBody = async (exchange: Exchange): Promise<void> => {
  operation(exchange);
  try {
    await body(exchange);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
};

/** Admits the caller, with the permission of its token. */
export const admit: Check = (exchange) => {
  if (exchange.locateError !== undefined) throw exchange.locateError;
  enter(exchange);
};

const enter: Check = ({ route: { surface, operation }, call, request, world }) => {
  if (!operation?.outlivesReset) call.requireSameWorld();
  call.admit(surface.admit(request, operation, world));
};

/** Admits a call again whose world was replaced since: its caller may be unknown in the new one. */
const readmit: Check = (exchange) => (exchange.call.isOvertaken ? enter(exchange) : undefined);

/**
 * Lets a clock of mode `auto` skip to the instant at which a token that was refused by the rate
 * limit has room again: its client waits (spec/clock.md#automatic).
 */
export const skipForLimit: Check = ({ route: { surface }, call, world: { autoClock, faults } }) => {
  if (!surface.takesFaults || !autoClock.isOn) return undefined;
  const roomAtMs = faults.retriesAt(call.caller);
  return roomAtMs === undefined ? undefined : autoClock.skipTo(roomAtMs);
};

/** Counts the call for the rate limit of its token. */
export const limit: Check = ({ route: { surface }, call, world }) => {
  if (surface.takesFaults) world.faults.admit(call.caller);
};

/** Refuses a path without an operation; an operation has the form of its world's revision. */
export const operation: Check = (exchange) => {
  const { route, routed, world } = exchange;
  const { operation: declared, refuse } = route;
  const revision = revisionOf(world.engine.state);
  refuse?.(routed, revision);
  if (declared) exchange.endpoint = formIn(declared, revision) ?? declared;
};

/** Reads the body in the form that the operation declares, as far as its bytes tell. */
export const body: Check = (exchange) => {
  const { request } = exchange;
  const { body: shape, upload, bodyLimitBytes } = exchange.endpoint;
  if (upload) return andThen(readUpload(request, upload), (sent) => takeBody(exchange, sent));
  if (shape)
    return andThen(readJsonBody(request, bodyLimitBytes), (sent) => takeBody(exchange, sent));
  return undefined;
};

const takeBody = (exchange: Exchange, sent: unknown) => {
  const { call, endpoint } = exchange;
  const brand = endpoint.upload || endpoint.isOfFile ? undefined : brandIn(call.engine.state);
  exchange.body = brand?.inwardValue(sent) ?? sent;
  call.body = endpoint.upload ? loggedForm(exchange.body) : exchange.body;
};

/** Gives a call that carries a used idempotency key the stored answer (spec/idempotency.md). */
export const idempotencyKey: Check = (exchange) => {
  const text = exchange.endpoint.idempotent ? exchange.header("idempotency-key") : undefined;
  return text ? storedAnswer(exchange, text) : undefined;
};

const storedAnswer = async (exchange: Exchange, text: string): Promise<void> => {
  const { call, endpoint, world } = exchange;
  await caughtUp(call.engine);
  readmit(exchange);
  const { path, body } = exchange;
  const result = await world.keyedCalls.take({ endpoint, key: text, path, body }, call);
  if ("stored" in result) exchange.reply = result.stored;
  else exchange.heldKey = result;
};

/** Lets what is due happen before the call. */
export const dueTimers: Check = (exchange) => {
  exchange.hasBegun = true;
  return exchange.endpoint.isAtOnce ? undefined : caughtUp(exchange.call.engine);
};

/**
 * Lets a clock of mode `auto` skip before a read of the platform that was answered already
 * (spec/clock.md#automatic).
 */
export const skipForPoll: Check = ({ route: { surface }, endpoint, world, call, url }) => {
  if (!world.autoClock.isOn || !surface.takesFaults || endpoint.method !== "GET") return undefined;
  const { tokenId, keySpace } = call.caller;
  return world.autoClock.beforeRead(`${tokenId ?? keySpace} ${url.pathname}${url.search}`);
};

/** Begins the work of the operation: from here to the end of its rule nothing comes between. */
export const begin: Check = (exchange) => {
  readmit(exchange);
  exchange.tap?.begin?.();
};

/** Takes the signature headers. A used Request-Id is refused before anything else. */
export const signature: Check = (exchange) => {
  const { endpoint, call, params, body } = exchange;
  if (!endpoint.signing) return;
  call.signed = {
    method: endpoint.method,
    path: exchange.path,
    signature:
      exchange.header(OWN.walletHeader) ??
      exchange.header(brandIn(call.engine.state)?.walletHeader ?? OWN.walletHeader),
    requestId: endpoint.signing === "standing" ? undefined : exchange.header("request-id"),
    find: call.find,
  };
  const { requestId } = call.signed;
  if (requestId === undefined) return;
  const input = { params, body, call: call.signed };
  const isIgnored = endpoint.isUnsigned && call.read(endpoint.isUnsigned as never, input as never);
  if (!isIgnored) call.read((view) => requireUnused(view, requestId), undefined);
};

/** Finds what the path names: its 404 comes before the body is looked at. */
export const subject: Check = ({ endpoint, call, params, url: { searchParams: search } }) => {
  const { agentId } = call;
  if (endpoint.subject) call.read(endpoint.subject as never, { params, agentId, search } as never);
};

/** Applies an agent's policy before the body is checked: 403 after 404, before 400. */
export const access: Check = ({ endpoint: { agentAccess, method }, call }) => {
  const { agentId } = call;
  if (!agentAccess) return;
  call.read(requireAgentMay, { agentId, access: agentAccess, initiates: method !== "GET" });
};

/** Longest idempotency key of the operations that need one. */
const MAX_KEY_LENGTH = 255;

/** Refuses a call without the idempotency key that its operation needs. */
export const neededKey: Check = (exchange) => {
  if (!exchange.endpoint.needsKey) return;
  const value = exchange.header("idempotency-key") ?? "";
  if (value === "" || value.length > MAX_KEY_LENGTH)
    refuse(
      "INVALID_INPUT",
      { field: "Idempotency-Key", value },
      `Expected a header Idempotency-Key of 1 to ${MAX_KEY_LENGTH} characters`,
    );
};

/**
 * Takes query and body in their published shapes. A refusal names the revision that takes them,
 * where there is one.
 */
export const shape: Check = (exchange) => {
  const { endpoint, params, body, call, route, url } = exchange;
  const inForm = ({ query, body: wanted }: Endpoint) => ({
    query: queryInShape(query, url.searchParams),
    body: wanted && inShape(wanted, body, "body"),
  });
  try {
    exchange.input = { params, ...inForm(endpoint) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const mine = revisionOf(call.engine.state);
    const other = revisionThatTakes(route.operation ?? endpoint, mine, inForm);
    const { word, details, sentence: says } = error;
    const next = other && asSentence(takenBy(other));
    throw new Refusal(word, { ...details, ...bodyErrors(exchange) }, defined({ says, next }));
  }
};

/** The latest revision but one's own whose form of an operation takes a request. */
const revisionThatTakes = (
  declared: Endpoint,
  mine: Revision,
  inForm: (form: Endpoint) => unknown,
): Revision | undefined =>
  REVISIONS.toReversed().find((revision) => {
    const form = revision === mine ? undefined : formIn(declared, revision);
    if (!form) return false;
    try {
      inForm(form);
      return true;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  });

/** Keeps caches from giving the answer for one kind of client to another. */
const TOLD_APART = { vary: "accept" };

/** The reply of what a rule answered. */
const replyOf = (
  made: unknown,
  { replies: [status], redirects }: Pick<Endpoint, "replies" | "redirects">,
  request: HttpRequest,
): Reply => {
  if (made instanceof Challenged) return jsonReply(202, made.body);
  if (made instanceof TextReply) return { status, text: made.text, headers: { ...made.headers } };
  if (made instanceof StreamReply)
    return {
      status,
      ...(request.method !== "HEAD" && { stream: made.open(request) }),
      headers: {
        "content-type": made.contentType,
        "cache-control": "no-store",
        ...made.headersFor(request),
      },
    };
  if (status === 204) return { status };
  return { ...jsonReply(status, made), ...(redirects && { headers: TOLD_APART }) };
};

/** The same place in the world that a link names. */
const inWorld = (place: string, world: string | null) => {
  if (world === null) return place;
  const [path, fragment] = place.split("#");
  const hash = fragment === undefined ? "" : `#${fragment}`;
  return `${path}?world=${encodeURIComponent(world)}${hash}`;
};

/** Sends browsers to the page of an operation that has one. */
export const browserPage: Check = (exchange) => {
  const { redirects } = exchange.endpoint;
  if (redirects === undefined || !wantsPages(exchange.header("accept") ?? "")) return;
  const place = typeof redirects === "string" ? redirects : redirects(exchange.params);
  const location = inWorld(place, new URL(exchange.request.url).searchParams.get("world"));
  const headers = { location, "content-length": "0", ...TOLD_APART };
  exchange.reply = { status: 302, headers };
};

/** Runs the rule. Its answer is dropped together with the world that it was found in. */
export const rule: Check = (exchange) => {
  const { call, endpoint, input, request, tap, world } = exchange;
  const requireSameWorld = () => {
    if (!endpoint.outlivesReset) call.requireSameWorld();
  };
  return settle(
    () =>
      andFinally(
        () => endpoint.handle(input, call, world),
        () => tap?.worked?.(),
      ),
    (made) => {
      requireSameWorld();
      exchange.reply = replyOf(made, endpoint, request);
    },
    (error) => {
      if (error instanceof Refusal) listField(exchange, error);
      // The same refusal with a reason of its own says more.
      if (!isUnavailable(error)) requireSameWorld();
      throw error;
    },
  );
};
