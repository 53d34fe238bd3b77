import type { Brand } from "../contract/core/brand-words.ts";
import { defined } from "../contract/core/defined.ts";
import { brandIn } from "../domain/core/brand.ts";
import { hostTime } from "../machine/host-time.ts";
import type { Arrived } from "./arrived.ts";
import { Call } from "./call.ts";
import type { Endpoint } from "./endpoint.ts";
import type { TakenShapes } from "./ignored-members.ts";
import type { Bodies, RequestReport } from "./log-entry.ts";
import { skipForLimit } from "./polls.ts";
import { redactPath, secretsInQuery } from "./redaction.ts";
import { type Reply, type WholeReply, wholeReply } from "./reply.ts";
import { replyTo } from "./reply-to.ts";
import { ruleHeader, rulesIn } from "./rule-header.ts";
import type { ServedWorld, WorldSet } from "./served-world.ts";
import { ended, lastly, type Soon, soon } from "./soon.ts";
import type { Surface } from "./surface.ts";
import { idOf, tapOf } from "./tapped-request.ts";

const errorOf = ({ text }: Reply) => {
  const body = text === undefined ? {} : JSON.parse(text);
  const { code, reason } = body.error ?? body;
  return { code, ...defined({ reason }) };
};

const bodiesOf = (
  event: Arrived,
  call: Call,
  {
    reply: { text },
    secrets,
    takes,
  }: { reply: Reply; secrets: readonly string[]; takes: TakenShapes | undefined },
): Bodies => {
  const bodies: Bodies = { input: call.body, inputBytes: 0, output: text, secrets, takes };
  if (call.body !== undefined)
    bodies.inputBytes = Number(event.req.headers.get("content-length") ?? Number.POSITIVE_INFINITY);
  if (event.url.search === "") return bodies;
  bodies.query = event.url.search;
  bodies.secrets = [...secrets, ...secretsInQuery(event.url.searchParams)];
  return bodies;
};

/** A request as it came: its operation, if there is one, and its world. */
interface Served<World> {
  endpoint: Endpoint<World> | undefined;
  event: Arrived;
  world: World;
  /** Set when no world was found for it: it is refused, and the starting world tells of it. */
  lost?: unknown;
}

/** Answers a call in its world. */
type Run<World> = (call: Call, world: World) => Soon<Reply>;

/** Finds the world of a request, and has it answered there. */
export const serve = <World extends ServedWorld>(
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
    if (served.lost === undefined || !gate.opens || endpoint?.isAtOnce) return undefined;
    return gate.whenOpen().then(() => {
      delete served.lost;
      return find();
    });
  };
  return soon(soon(find(), findAgain), () => {
    served.world.enter();
    return lastly(
      () => soon(entrance(served), () => serveIn(surface, served, run)),
      () => served.world.leave(),
    );
  });
};

/** Waits while another state is being loaded into the world of a request. */
const entrance = <World extends ServedWorld>({ endpoint, world }: Served<World>): Soon<void> => {
  const { gate } = world.engine;
  return gate.opens && !endpoint?.isAtOnce ? gate.whenOpen() : undefined;
};

/** Admits a request to its world, and has it answered. */
const admitted = <World extends ServedWorld>(
  surface: Surface<World>,
  served: Served<World>,
  { call, run }: { call: Call; run: Run<World> },
): Soon<Reply> =>
  // Another state may be on its way in since a fault made the call wait.
  soon(entrance(served), () => {
    const { endpoint, event, world } = served;
    if (served.lost !== undefined) throw served.lost;
    if (!endpoint?.outlivesReset) call.requireSameWorld();
    call.admit(surface.admit(event.req, endpoint, world));
    if (!surface.takesFaults) return run(call, world);
    return soon(world.autoClock.isOn ? skipForLimit(world, call.caller) : undefined, () => {
      world.faults.admit(call.caller);
      return run(call, world);
    });
  });

/** Answers a request in its world, and reports it. */
const serveIn = <World extends ServedWorld>(
  surface: Surface<World>,
  served: Served<World>,
  run: Run<World>,
): Soon<WholeReply> => {
  const { endpoint, event, world } = served;
  const { engine, reports } = world;
  const startedMs = hostTime.monotonicMs();
  const requestId = idOf(event.req, reports.nextRequestId());
  const operationId = endpoint?.operationId ?? "none";
  const tap = tapOf(event.req);
  const call = new Call({ requestId, operationId, url: event.url, world, find: tap?.find });
  const guarded = () => admitted(surface, served, { call, run });
  const answered = () => replyTo(guarded, call, { surface, world });
  const fault =
    endpoint && surface.takesFaults
      ? world.faults.strikeAt(endpoint, () => event.pathOf(endpoint))
      : undefined;
  const replied = fault ? world.faults.run(fault, event.req, answered) : answered();
  return soon(replied, (reply) => {
    const atMs = call.atMs ?? engine.clock.now();
    const whole = wholeReply(reply, atMs, ruleHeader(call.rules));
    const brand = brandIn(engine.state);
    report(surface, served, { call, reply: whole, atMs, startedMs, fault, brand });
    tap?.end?.(world, call);
    if (brand && !endpoint?.isOfFile) wear(brand, whole);
    whole.headers["x-sim-request-id"] = requestId;
    if (call.hasCommitted) whole.left = () => call.finish();
    return whole;
  });
};

const encoder = new TextEncoder();

/** Gives a reply the brand of its world, once all that is kept of it has been told. */
const wear = (brand: Brand, reply: WholeReply) => {
  reply.brand = brand;
  if (reply.text !== undefined) reply.text = brand.outward(reply.text);
  if (!reply.stream || !reply.headers["content-type"]?.startsWith("text/")) return;
  // Each chunk of a feed is whole events.
  const branded = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, stream) =>
      stream.enqueue(encoder.encode(brand.outward(Buffer.from(chunk).toString("utf8")))),
  });
  reply.stream = reply.stream.pipeThrough(branded);
};

/** A call that was answered. */
interface Answered {
  call: Call;
  reply: WholeReply;
  atMs: number;
  startedMs: number;
  fault: { id: string } | undefined;
  brand: Brand | undefined;
}

/** Tells the log, and everyone who follows it, of a call that was answered. */
const report = <World extends ServedWorld>(
  surface: Surface<World>,
  { endpoint, event, world: { reports } }: Served<World>,
  { call, reply, atMs, startedMs, fault, brand }: Answered,
) => {
  const rules = rulesIn(reply.headers);
  const asked = event.url.pathname.slice(surface.base.length) || "/";
  const path = redactPath(brand?.inward(asked) ?? asked);
  const told: RequestReport = {
    id: call.requestId,
    atMs,
    method: event.req.method,
    path: surface.isUnlogged ? surface.base + path.text : path.text,
    status: reply.status,
    tookMs: Math.round(hostTime.monotonicMs() - startedMs),
  };
  // A spread for each of these would cost more than all others together.
  if (surface.isUnlogged) told.isControl = true;
  if (endpoint) told.operation = call.operationId;
  if (reply.status >= 400) told.error = errorOf(reply);
  if (fault) told.fault = fault.id;
  if (rules.length > 0) told.rules = rules;
  if (call.replay) told.replay = call.replay;
  reports.onRequest(told);
  if (surface.isUnlogged) reports.log.passOver(call.requestId);
  else
    reports.log.take(
      told,
      bodiesOf(event, call, { reply, secrets: path.secrets, takes: endpoint }),
    );
};
