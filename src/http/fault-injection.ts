import type { IncomingMessage } from "node:http";
import { errorOf, faultsOf, fits, type StruckCall, strikes } from "../domain/platform/faults.ts";
import type { FaultRecord } from "../domain/records/fault-records.ts";
import type { Engine } from "../runtime/engine.ts";
import { hostTime } from "../runtime/host-time.ts";
import { jsonReply, type Reply, shouldRetryHeader } from "./reply.ts";
import { ruleHeader } from "./rule-header.ts";

/** Number of calls that matched a fault, and of those it struck (spec/faults.md#switch). */
export interface FaultCount {
  seen: number;
  struck: number;
}

/** Header that marks a lost answer for callers in this process. */
export const DROPPED_HEADER = "x-sim-dropped";

/** Statuses with a `retry-after` header (spec/faults.md#injected-errors). */
const RETRIABLE = new Set([429, 503]);

const replyOf = ({ id, fault }: FaultRecord): Reply | undefined => {
  const error = errorOf(fault);
  if (!error) return undefined;
  const { status, code } = error;
  const message = `A fault switch injected this error. service-sim faults clear ${id} switches it off`;
  const body = { status, code, message, details: { fault: id } };
  return {
    ...jsonReply(status, body),
    headers: {
      ...(RETRIABLE.has(status) && { "retry-after": "1" }),
      ...shouldRetryHeader(status, fault.shouldRetry),
      ...ruleHeader([`fault.${id}`]),
    },
  };
};

const pause = (latencyMs: number) =>
  new Promise<void>((resolve) => hostTime.setTimeout(resolve, latencyMs).unref());

/** Closes a client's connection; a caller in this process gets the mark instead. */
const hangUp = (request: Request, { id }: FaultRecord, reply: Reply): Reply => {
  const { runtime } = request as { runtime?: { node?: { req?: IncomingMessage } } };
  runtime?.node?.req?.socket.destroy();
  return { ...reply, headers: { ...reply.headers, [DROPPED_HEADER]: id } };
};

/**
 * Applies fault switches to the calls of one simulator (spec/faults.md#effects); the switches are
 * records of its world.
 */
export class FaultInjection {
  private readonly engine: Engine;
  private readonly counts: Map<string, FaultCount>;

  /** @param origin counts of the world that this one is forked from, which go on here */
  constructor(engine: Engine, origin?: FaultInjection) {
    this.engine = engine;
    this.counts = new Map(origin?.counts);
  }

  /** Counts since the simulator started (spec/faults.md#counting). */
  countOf(id: string): FaultCount {
    return this.counts.get(id) ?? { seen: 0, struck: 0 };
  }

  /**
   * The fault that strikes a call, if any (spec/faults.md#precedence); all matching ones count the
   * call.
   */
  strike(call: StruckCall): FaultRecord | undefined {
    const { state, clock } = this.engine;
    if (state.count("Fault") === 0) return undefined;
    const atMs = clock.now();
    let striking: FaultRecord | undefined;
    for (const fault of faultsOf(state).filter((one) => fits(one, call, atMs))) {
      const { seen, struck } = this.countOf(fault.id);
      const isStruck = !striking && strikes(fault, { seed: state.seed, count: seen + 1 });
      this.counts.set(fault.id, { seen: seen + 1, struck: struck + (isStruck ? 1 : 0) });
      if (isStruck) striking = fault;
    }
    return striking;
  }

  /**
   * Runs a call under a fault: delayed, not at all, or without its response
   * (spec/faults.md#lost-responses).
   */
  async run(fault: FaultRecord, request: Request, work: () => Promise<Reply>): Promise<Reply> {
    const { latencyMs, closeSocket, dropResponse } = fault.fault;
    if (latencyMs !== undefined) await pause(latencyMs);
    if (closeSocket) return hangUp(request, fault, { status: 503 });
    const error = replyOf(fault);
    if (error) return error;
    const reply = await work();
    return dropResponse ? hangUp(request, fault, reply) : reply;
  }
}
