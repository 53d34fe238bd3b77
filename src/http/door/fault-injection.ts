import { defined } from "../../contract/core/defined.ts";
import type { Revision } from "../../contract/core/revision-names.ts";
import { revisionOf } from "../../domain/core/revision.ts";
import {
  errorOf,
  faultsOf,
  fits,
  garbled,
  type StruckCall,
  strikes,
} from "../../domain/platform/faults.ts";
import type { FaultRecord } from "../../domain/records/fault-records.ts";
import { hostTime } from "../../machine/host-time.ts";
import type { Engine } from "../../runtime/engine.ts";
import { clientSideOf } from "../message/damaged-body.ts";
import { type HttpRequest, SocketRequest } from "../message/http-request.ts";
import { DROPPED_HEADER, jsonReply, type Reply } from "../message/reply.ts";
import { retryHeaders } from "../message/retry-headers.ts";
import { ruleHeader } from "../message/rule-header.ts";
import type { Caller } from "./call.ts";
import { CallCounts, type CallCountsImage } from "./rate-limit.ts";

/** Number of calls that matched a fault, and of those it struck (spec/faults.md#switch). */
export interface FaultCount {
  seen: number;
  struck: number;
}

/** Counts of the switches and the rate limit of a world. */
export interface FaultCounts {
  strikes: ReadonlyMap<string, FaultCount>;
  calls: CallCounts;
}

/** Counts of a world's fault switches and calls, as a capsule has them. */
export interface FaultImage {
  counts: readonly (readonly [id: string, count: FaultCount])[];
  calls: CallCountsImage;
}

/** A fault that strikes a call, and the number of that call among those it matched. */
export interface StruckFault extends Pick<FaultRecord, "id" | "fault"> {
  count: number;
  /** The world was replaced while the call was delayed, and its switches with it. */
  isGone?: boolean;
}

type Operation = Pick<StruckCall, "operationId" | "method"> & { path: string };

const replyOf = ({ id, fault }: StruckFault, revision: Revision): Reply | undefined => {
  const error = errorOf(fault, revision);
  if (!error) return undefined;
  const { status, code } = error;
  const message = `A fault injected this error. service-sim faults clear ${id} switches it off`;
  const body = { status, code, message, details: { fault: id } };
  return {
    ...jsonReply(status, body),
    headers: {
      ...retryHeaders(status, fault),
      ...ruleHeader([`fault.${id}`]),
    },
  };
};

const pause = (latencyMs: number) =>
  new Promise<void>((resolve) => hostTime.setTimeout(resolve, latencyMs).unref());

/** Closes a client's connection; a caller in this process gets the mark instead. */
const hangUp = (request: HttpRequest, { id }: StruckFault, reply: Reply): Reply => {
  if (request instanceof SocketRequest) request.hangUp();
  return { ...reply, headers: { ...reply.headers, [DROPPED_HEADER]: id } };
};

/**
 * Applies fault switches to the calls of one simulator (spec/faults.md#effects); the switches are
 * records of its world.
 */
export class FaultInjection {
  private readonly engine: Engine;
  private readonly counts: Map<string, FaultCount>;
  private calls: CallCounts;
  /** False in a copy that a fixture is tried on: its steps are not the clients' calls. */
  private readonly limitsCalls: boolean;

  /** @param options.from what was counted before, for a world that continues from there */
  constructor(
    engine: Engine,
    { limitsCalls = true, from }: { limitsCalls?: boolean; from?: FaultCounts | undefined } = {},
  ) {
    this.engine = engine;
    this.limitsCalls = limitsCalls;
    this.counts = new Map(from?.strikes);
    this.calls = from?.calls.fork() ?? new CallCounts();
    engine.listeners.add({
      loaded: () => this.forgetCounts(),
      changed: ({ opens }) => {
        if (opens) this.forgetCounts();
      },
    });
  }

  /** Fault switches of a fork of this world: they continue from the counts reached here. */
  forkFor(engine: Engine): FaultInjection {
    const { limitsCalls } = this;
    return new FaultInjection(engine, { limitsCalls, from: this.counted() });
  }

  /** Its counts so far. */
  counted(): FaultCounts {
    return { strikes: this.counts, calls: this.calls };
  }

  /** The counts reached, to continue from them elsewhere. */
  image(): FaultImage {
    return { counts: [...this.counts], calls: this.calls.image() };
  }

  /** Continues from counts that were reached elsewhere. */
  goOnFrom({ counts, calls }: FaultImage) {
    for (const [id, count] of counts) this.counts.set(id, count);
    this.calls = CallCounts.from(calls);
  }

  /** The instant until which a caller waits whose newest call was beyond the rate limit. */
  retriesAt(caller: Caller): number | undefined {
    return this.calls.retriesAt(caller);
  }

  /**
   * Counts a call for the world's rate limit (spec/faults.md#rate-limit).
   * @throws Refusal when its token has used up the limit
   */
  admit(caller: Caller) {
    if (this.limitsCalls) this.calls.take(this.engine, caller);
  }

  /** Counts from zero again: the world continued from another state, or was reset. */
  private forgetCounts() {
    this.counts.clear();
    this.calls = new CallCounts();
  }

  /** Counts since the simulator started (spec/faults.md#counting). */
  countOf(id: string): FaultCount {
    return this.counts.get(id) ?? { seen: 0, struck: 0 };
  }

  /**
   * The fault that strikes a call, if any (spec/faults.md#precedence); all matching ones count the
   * call.
   */
  strike(call: StruckCall): StruckFault | undefined {
    const { state, clock } = this.engine;
    if (state.count("Fault") === 0) return undefined;
    const atMs = clock.now();
    let striking: StruckFault | undefined;
    for (const fault of faultsOf(state).filter((one) => fits(one, call, atMs))) {
      const { seen, struck } = this.countOf(fault.id);
      const isStruck = !striking && strikes(fault, { seed: state.seed, count: seen + 1 });
      this.counts.set(fault.id, { seen: seen + 1, struck: struck + (isStruck ? 1 : 0) });
      if (isStruck) striking = { id: fault.id, fault: fault.fault, count: seen + 1 };
    }
    return striking;
  }

  /**
   * The fault that strikes a call of an operation; its path is asked for where there are faults.
   */
  strikeAt({ operationId, method, path: template }: Operation, call: { path: string }) {
    if (this.engine.state.count("Fault") === 0) return undefined;
    return this.strike({ operationId, method, template, path: call.path });
  }

  /** Delays a struck call; its reply, where the fault makes one (spec/faults.md#effects). */
  async act(strike: StruckFault): Promise<Reply | undefined> {
    const { latencyMs, closeSocket } = strike.fault;
    const { generation } = this.engine;
    if (latencyMs !== undefined) await pause(latencyMs);
    // The switch is gone with its world, and so is the call (spec/snapshots.md#loading).
    strike.isGone = this.engine.generation !== generation;
    if (strike.isGone) return undefined;
    return closeSocket ? { status: 503 } : replyOf(strike, revisionOf(this.engine.state));
  }

  /** The reply of a struck call as its client gets it (spec/faults.md#lost-responses). */
  applyTo(reply: Reply, strike: StruckFault, request: HttpRequest): Reply {
    const { closeSocket, dropResponse } = strike.fault;
    if (strike.isGone) return reply;
    if (closeSocket || dropResponse) return hangUp(request, strike, reply);
    return this.damaged(reply, strike, request);
  }

  /** The reply with the damage that a fault does to its body; a reply without one stays whole. */
  private damaged(reply: Reply, { id, fault, count }: StruckFault, request: HttpRequest): Reply {
    const { cutAfterBytes, garble, drip } = fault;
    const isDamaged = cutAfterBytes !== undefined || garble || drip !== undefined;
    if (!reply.text || !isDamaged) return reply;
    const { seed } = this.engine.state;
    return {
      ...reply,
      damage: {
        ...defined({ cutAfterBytes, drip }),
        ...(garble && { spoil: (bytes: Uint8Array) => garbled(bytes, { seed, id, count }) }),
        ...defined({ client: clientSideOf(request) }),
      },
    };
  }
}
