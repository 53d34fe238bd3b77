import type { IncomingMessage } from "node:http";
import { errorOf, faultsOf, fits, type StruckCall, strikes } from "../domain/platform/faults.ts";
import type { FaultRecord } from "../domain/records/fault-records.ts";
import type { Engine } from "../runtime/engine.ts";
import { jsonReply, type Reply, shouldRetryHeader } from "./reply.ts";

/** How often a fault was there for a call, and how often it struck. */
export interface FaultCount {
  seen: number;
  struck: number;
}

/** Marks an answer that never arrives, for whoever calls in this process. */
export const DROPPED_HEADER = "x-sim-dropped";

/** Statuses after which a client is told when to try again. */
const RETRIABLE = new Set([429, 503]);

const replyOf = ({ id, fault }: FaultRecord): Reply | undefined => {
  const error = errorOf(fault);
  if (!error) return undefined;
  const { status, code } = error;
  const message = `A fault switch answers this. service-sim faults clear ${id} switches it off`;
  const body = { status, code, message, details: { fault: id } };
  return {
    ...jsonReply(status, body),
    headers: {
      ...(RETRIABLE.has(status) && { "retry-after": "1" }),
      ...shouldRetryHeader(status, fault.shouldRetry),
    },
  };
};

const pause = (latencyMs: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, latencyMs).unref());

/** Hangs up on a client; one in this process finds the mark. */
const hangUp = (request: Request, { id }: FaultRecord, reply: Reply): Reply => {
  const { runtime } = request as { runtime?: { node?: { req?: IncomingMessage } } };
  runtime?.node?.req?.socket.destroy();
  return { ...reply, headers: { ...reply.headers, [DROPPED_HEADER]: id } };
};

/** What fault switches do to the calls of one simulator; the switches are records of its world. */
export class FaultInjection {
  private readonly engine: Engine;
  private readonly counts = new Map<string, FaultCount>();

  constructor(engine: Engine) {
    this.engine = engine;
  }

  /** Since the simulator started. */
  countOf(id: string): FaultCount {
    return this.counts.get(id) ?? { seen: 0, struck: 0 };
  }

  /** The fault that strikes a call, if one does; every one that fits has then seen it. */
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

  /** Runs a call as the fault has it: late, not at all, or for nobody to hear of. */
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
