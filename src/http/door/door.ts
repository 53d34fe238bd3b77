import { brandIn } from "../../domain/core/brand.ts";
import { Refusal } from "../../domain/core/refusal.ts";
import { JournalFailure } from "../../runtime/ports.ts";
import { addSentValue } from "../body/sent-value.ts";
import { expectLeaving } from "../message/leaving.ts";
import { andFinally, andThen, isPromise, type Maybe, settle } from "../message/maybe-promise.ts";
import { type Reply, type WholeReply, wear, wholeReply } from "../message/reply.ts";
import { ruleHeader } from "../message/rule-header.ts";
import { OVERTAKEN } from "./call.ts";
import * as check from "./checks.ts";
import type { Exchange } from "./exchange.ts";
import { storedRefusal } from "./idempotency.ts";
import { report } from "./report.ts";

/**
 * Every check of a call, in the published order: the first that fails answers
 * (spec/errors.md#order-of-checks). Bounds of the head and of the path come before, in
 * `sockets` and `routes`; those behind `rule` are the rule's own.
 */
const CHECKS: readonly check.Check[] = [
  check.fault,
  check.open,
  check.admit,
  check.skipToRoom,
  check.limit,
  check.operation,
  check.body,
  check.key,
  check.due,
  check.skipForPoll,
  check.work,
  check.signature,
  check.subject,
  check.access,
  check.shape,
  check.page,
  check.rule,
];

/** Answers a request: finds its world, checks the call there, and waits for the journal. */
export const answer = (exchange: Exchange): Maybe<WholeReply> =>
  andThen(locate(exchange), () => {
    const { world } = exchange;
    world.enter();
    return andFinally(
      () => andThen(check.open(exchange), () => answerIn(exchange)),
      () => world.leave(),
    );
  });

const find = (exchange: Exchange): Maybe<void> => {
  const { surface, operation, worlds } = exchange.route;
  return settle(
    () => surface.locate(exchange, operation, worlds),
    (world) => {
      exchange.world = world;
    },
    (error) => {
      exchange.lost = error;
    },
  );
};

/** Finds the world that a request means. */
const locate = (exchange: Exchange): Maybe<void> =>
  andThen(find(exchange), () => {
    const { operation, worlds } = exchange.route;
    const { gate } = worlds.starting.engine;
    if (exchange.lost === undefined || !gate.opens || operation?.isAtOnce) return undefined;
    // Its credentials may be those of a start that still continues.
    return gate.whenOpen().then(() => {
      exchange.lost = undefined;
      return find(exchange);
    });
  });

/** Answers a request in its world. */
const answerIn = (exchange: Exchange): Maybe<WholeReply> => {
  const { route, world } = exchange;
  exchange.begin();
  if (route.operation && route.surface.takesFaults)
    exchange.strike = world.faults.strikeAt(route.operation, exchange);
  const checked = andFinally(
    () =>
      settle(
        () => pass(exchange),
        () => undefined,
        (error) => refuse(exchange, error),
      ),
    () => exchange.key?.release(),
  );
  return andThen(
    andThen(checked, () => journaled(exchange)),
    () => finish(exchange),
  );
};

/** Has a call pass the checks, up to the one that makes its reply. */
const pass = (exchange: Exchange): Maybe<void> => {
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

const asRefusal = (error: unknown, { call, world: { reports } }: Exchange): Refusal => {
  if (error instanceof Refusal) return error;
  if (error instanceof JournalFailure) return new Refusal("UNAVAILABLE", { why: error.message });
  if (call.isOvertaken) return new Refusal("UNAVAILABLE", { why: OVERTAKEN });
  reports.onBug(error, call.requestId);
  return new Refusal("INTERNAL_ERROR", { requestId: call.requestId });
};

const refusalReply = (exchange: Exchange, error: unknown): Reply => {
  const refusal = asRefusal(error, exchange);
  exchange.call.refusedBy(refusal);
  return exchange.route.surface.errorReply(refusal, exchange.world);
};

/** The refusal of an operation at work, stored under the key of its call, where that is done. */
const refusalAtWork = (exchange: Exchange, refusal: Refusal): Reply | undefined => {
  const { call, key, route, world } = exchange;
  call.refusedBy(refusal);
  addSentValue(refusal, exchange);
  return key && storedRefusal(route.surface.errorReply(refusal, world), key, call);
};

/** Replies with what a check refused. It may show a change that is not written yet. */
const refuse = (exchange: Exchange, error: unknown) => {
  let told = error;
  try {
    if (exchange.isAtWork && error instanceof Refusal)
      exchange.reply = refusalAtWork(exchange, error);
  } catch (other) {
    told = other;
  }
  if (exchange.reply) return;
  exchange.reply = refusalReply(exchange, told);
  exchange.call.sawEverything();
};

/** Has the reply wait until the journal has everything it was made from. */
const journaled = (exchange: Exchange): Maybe<void> => {
  const durable = exchange.call.durable();
  if (!durable) return undefined;
  expectLeaving();
  return durable.catch((error: unknown) => {
    exchange.reply = refusalReply(exchange, error);
  });
};

/** Gives the reply its headers, its faults and its brand, and reports the call. */
const finish = (exchange: Exchange): WholeReply => {
  const { call, request, route, strike, tap, world } = exchange;
  const made = exchange.reply as Reply;
  const atMs = call.atMs ?? world.engine.clock.now();
  const reply = strike ? world.faults.spoil(made, strike, request) : made;
  const whole = wholeReply(reply, atMs, ruleHeader(call.rules));
  const brand = brandIn(world.engine.state);
  report(exchange, whole, { atMs, brand });
  tap?.end?.(world, call);
  if (brand && !route.operation?.isOfFile) wear(brand, whole);
  whole.headers["x-sim-request-id"] = call.requestId;
  if (call.hasCommitted) whole.left = () => call.finish();
  return whole;
};
