import { brandIn } from "../../domain/core/brand.ts";
import { Refusal } from "../../domain/core/refusal.ts";
import { JournalFailure } from "../../runtime/ports.ts";
import { ServedElsewhere } from "../../runtime/served-elsewhere.ts";
import { storeUnavailable } from "../../runtime/store-unavailable.ts";
import { addSentValue } from "../body/sent-value.ts";
import { expectLeaving } from "../message/leaving.ts";
import {
  andFinally,
  andThen,
  isPromise,
  type MaybePromise,
  settle,
} from "../message/maybe-promise.ts";
import { brandReply, type Reply, type WholeReply, wholeReply } from "../message/reply.ts";
import { ruleHeader } from "../message/rule-header.ts";
import { WORLD_REPLACED } from "./call.ts";
import * as check from "./checks.ts";
import { Exchange } from "./exchange.ts";
import { storedRefusal } from "./idempotency.ts";
import { report } from "./report.ts";

/**
 * Every check of a call, in the published order: the first that fails answers
 * (spec/errors.md#order-of-checks). Sizes of head and path are checked before, in `sockets` and
 * `routes`; the operation's own checks are in its rule.
 */
const CHECKS: readonly check.Check[] = [
  check.fault,
  // Once more: another state may have been on its way since a fault delayed the call.
  check.open,
  check.admit,
  check.skipForLimit,
  check.limit,
  check.operation,
  check.body,
  check.idempotencyKey,
  check.dueTimers,
  check.skipForPoll,
  check.begin,
  check.signature,
  check.neededKey,
  check.subject,
  check.access,
  check.shape,
  check.browserPage,
  check.rule,
];

/**
 * Answers a request: finds its world, checks the call there, and waits for the journal. What means a
 * world that another process serves is sent there.
 */
export const answer = (exchange: Exchange): MaybePromise<WholeReply> =>
  settle(
    () =>
      andThen(answerHere(exchange), (made) =>
        made instanceof ServedElsewhere ? answerElsewhere(exchange, made) : made,
      ),
    (reply) => reply,
    (error) => refuseApart(exchange, error),
  );

const answerElsewhere = (exchange: Exchange, served: ServedElsewhere) => {
  const { route, routed, request, locateError } = exchange;
  const { others } = route.worlds;
  if (!others) throw served;
  // The default world would tell of it, and its process has sent the call here.
  if (locateError instanceof Refusal && others.havePassedOn(request)) throw locateError;
  return others.answer(request, served, {
    isRepeatable: READS.includes(request.method) || hasKey(exchange),
    again: () => answerHere(new Exchange(route, routed)),
  });
};

/** Refuses a call that reached no world: no log tells of it. */
const refuseApart = (exchange: Exchange, error: unknown): WholeReply => {
  const { locateError, world } = exchange;
  const isRefused = error instanceof Refusal || error instanceof JournalFailure;
  if (!isRefused) throw error;
  exchange.begin();
  // Wrong credentials stay wrong, although the default world could not tell of them.
  const shown = locateError instanceof Refusal ? locateError : error;
  return wholeReply(refusalReply(exchange, shown), world.engine.clock.now());
};

const answerHere = (exchange: Exchange): MaybePromise<WholeReply | ServedElsewhere> =>
  andThen(locate(exchange), () => {
    const { world, locateError } = exchange;
    if (locateError instanceof ServedElsewhere) return locateError;
    if (world.standsIn && !isOfThisProcess(exchange)) return answerByTaking(exchange);
    world.enter();
    return andFinally(
      () => andThen(check.open(exchange), () => answerIn(exchange)),
      () => world.leave(),
    );
  });

/** Tells whether a call is answered here, wherever the default world is: no log tells of it. */
const isOfThisProcess = ({ route: { operation, surface }, locateError }: Exchange) =>
  operation?.isOfProcess === true || (surface.isUnlogged && locateError instanceof Refusal);

/** Takes the default world, if no other process serves it, and looks again which one is meant. */
const answerByTaking = async ({
  route,
  routed,
}: Exchange): Promise<WholeReply | ServedElsewhere> => {
  try {
    const { standsIn } = await route.worlds.startingHere();
    if (standsIn) throw new JournalFailure("the default world is served by another simulator");
  } catch (error) {
    if (error instanceof ServedElsewhere) return error;
    throw error;
  }
  return answerHere(new Exchange(route, routed));
};

const tryLocate = (exchange: Exchange): MaybePromise<void> => {
  const { surface, operation, worlds } = exchange.route;
  return settle(
    () => surface.locate(exchange, operation, worlds),
    (world) => {
      exchange.world = world;
    },
    (error) => {
      exchange.locateError = error;
    },
  );
};

/** Finds the world that a request means. */
const locate = (exchange: Exchange): MaybePromise<void> =>
  andThen(tryLocate(exchange), () => {
    const { operation, worlds } = exchange.route;
    const { gate } = worlds.starting.engine;
    if (exchange.locateError === undefined || !gate.opens || operation?.isAtOnce) return undefined;
    // The default world may still be loading, and not know its credentials yet.
    return gate.whenOpen().then(() => {
      exchange.locateError = undefined;
      return tryLocate(exchange);
    });
  });

/** Answers a request in its world. */
const answerIn = (exchange: Exchange): MaybePromise<WholeReply | ServedElsewhere> => {
  const { route, world } = exchange;
  exchange.begin();
  if (route.operation && route.surface.takesFaults)
    exchange.fault = world.faults.strikeAt(route.operation, exchange);
  const checked = andFinally(
    () =>
      settle(
        () => pass(exchange),
        () => undefined,
        (error) => replyWithRefusal(exchange, error),
      ),
    () => exchange.heldKey?.release(),
  );
  return andThen(
    andThen(checked, () => journaled(exchange)),
    () => exchange.servedElsewhere ?? finish(exchange),
  );
};

/** Runs the checks until one makes the reply; in the same turn as long as none waits. */
const pass = (exchange: Exchange): MaybePromise<void> => {
  for (let at = 0; at < CHECKS.length && !exchange.reply; at++) {
    const passed = (CHECKS[at] as check.Check)(exchange);
    if (isPromise(passed)) return passOn(exchange, passed, at + 1);
  }
};

const passOn = async (exchange: Exchange, waited: Promise<void>, from: number) => {
  await waited;
  for (let at = from; at < CHECKS.length && !exchange.reply; at++) {
    const passed = (CHECKS[at] as check.Check)(exchange);
    if (isPromise(passed)) await passed;
  }
};

const READS = ["GET", "HEAD"];

/**
 * The refusal of a call that met a failing storage. With a reply, the wait was for what it shows: one
 * that refuses shows nothing that the call has done.
 */
const refusalOfWrite = ({ message, trouble }: JournalFailure, exchange: Exchange): Refusal => {
  if (!trouble) return new Refusal("UNAVAILABLE", { why: message });
  const { request, call, reply } = exchange;
  const wasMade = reply === undefined ? trouble.mayBeDone : reply.status < 400;
  const mayBeDone = (call.hasCommitted || wasMade) && !READS.includes(request.method);
  return storeUnavailable({ ...trouble, mayBeDone, hasKey: hasKey(exchange) });
};

/** Tells whether a call that is repeated is done once, because of its key. */
const hasKey = (exchange: Exchange) =>
  exchange.route.operation?.idempotent === true &&
  (exchange.header("idempotency-key") ?? "") !== "";

const isOfStore = (error: unknown) =>
  error instanceof JournalFailure
    ? error.trouble !== undefined
    : error instanceof Refusal && error.word === "STORE_UNAVAILABLE";

const asRefusal = (error: unknown, exchange: Exchange): Refusal => {
  const {
    call,
    world: { reports },
  } = exchange;
  if (error instanceof JournalFailure) return refusalOfWrite(error, exchange);
  if (error instanceof Refusal) return error;
  if (call.isOvertaken) return new Refusal("UNAVAILABLE", { why: WORLD_REPLACED });
  reports.onBug(error, call.requestId);
  return new Refusal("INTERNAL_ERROR", { requestId: call.requestId });
};

const refusalReply = (exchange: Exchange, error: unknown): Reply => {
  const refusal = asRefusal(error, exchange);
  exchange.call.refusedBy(refusal);
  return exchange.route.surface.errorReply(refusal, exchange.world);
};

/** Stores the refusal of an operation under its idempotency key; nothing where it is not stored. */
const storedRefusalReply = (exchange: Exchange, refusal: Refusal): Reply | undefined => {
  const { call, heldKey: key, route, world } = exchange;
  call.refusedBy(refusal);
  addSentValue(refusal, exchange);
  return key && storedRefusal(route.surface.errorReply(refusal, world), key, call);
};

/**
 * Replies with a refusal, which waits for the journal: it may show a change that is not written.
 */
const replyWithRefusal = (exchange: Exchange, error: unknown) => {
  exchange.servedElsewhere = servedElsewhere(exchange, error);
  if (exchange.servedElsewhere) return;
  let shownError = error;
  try {
    if (exchange.hasBegun && error instanceof Refusal)
      exchange.reply = storedRefusalReply(exchange, error);
  } catch (other) {
    shownError = other;
  }
  if (exchange.reply) return;
  exchange.reply = refusalReply(exchange, shownError);
  exchange.showsNothing = !exchange.call.hasCommitted && isOfStore(shownError);
  exchange.call.sawEverything();
};

/** Waits until the journal has everything that the reply was made from. */
const journaled = (exchange: Exchange): MaybePromise<void> => {
  if (exchange.servedElsewhere || exchange.showsNothing || exchange.route.operation?.tellsTrouble)
    return undefined;
  const durable = exchange.call.durable();
  if (!durable) return undefined;
  expectLeaving();
  return durable.catch((error: unknown) => {
    exchange.servedElsewhere = servedElsewhere(exchange, error);
    if (!exchange.servedElsewhere) exchange.reply = refusalReply(exchange, error);
  });
};

/** Tells whether another process can answer a call, which has changed nothing here. */
const servedElsewhere = (
  { call, world, route }: Exchange,
  error: unknown,
): ServedElsewhere | undefined => {
  if (call.hasCommitted || !(error instanceof JournalFailure)) return undefined;
  if (error instanceof ServedElsewhere) return error;
  // The world is given back while this process ends.
  const isGivenBack = route.worlds.others?.isEnding && !error.trouble;
  const nobody = { id: "-", leaseLeftMs: 0 };
  return isGivenBack ? new ServedElsewhere("this process", world.name, nobody) : undefined;
};

const SEQ_HEADER = "x-sim-seq";
/** From here on a reply may tell nothing of the world. */
const NO_ANSWER = 500;

/** Says which change a reply of the platform was made from (spec/store.md#traces). */
const traceSeq = ({ call, route, showsNothing }: Exchange, { status, headers }: WholeReply) => {
  if (!route.surface.takesFaults || showsNothing || status >= NO_ANSWER) return;
  if (call.seenSeq > 0) headers[SEQ_HEADER] = `${call.seenSeq}`;
};

/** Gives the reply its headers, its faults and its brand, and reports the call. */
const finish = (exchange: Exchange): WholeReply => {
  const { call, request, route, fault: strike, tap, world } = exchange;
  const made = exchange.reply as Reply;
  const atMs = call.atMs ?? world.engine.clock.now();
  const reply = strike ? world.faults.applyTo(made, strike, request) : made;
  const whole = wholeReply(reply, atMs, ruleHeader(call.rules));
  const brand = brandIn(world.engine.state);
  report(exchange, whole, { atMs, brand });
  tap?.end?.(world, call);
  if (brand && !route.operation?.isOfFile) brandReply(brand, whole);
  whole.headers["x-sim-request-id"] = call.requestId;
  if (world.tracesSeq) traceSeq(exchange, whole);
  if (call.hasCommitted) whole.onSent = () => call.finish();
  return whole;
};
