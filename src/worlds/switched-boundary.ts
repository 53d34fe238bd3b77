import { meantMethod } from "../http/door/request-line.ts";
import type { HttpRequest } from "../http/message/http-request.ts";
import { andFinally, type MaybePromise } from "../http/message/maybe-promise.ts";
import type { WholeReply } from "../http/message/reply.ts";
import type { Answer } from "../http/sockets/node-server.ts";
import { hostTime, nextTurn } from "../machine/host-time.ts";
import { type IdTokenKeys, machineWall, type Wall } from "../runtime/ports.ts";
import type { attemptDelivery } from "../webhooks/attempt.ts";
import { type Boundary, type DrawnKind, MACHINE } from "./boundary.ts";
import { SteadyWall } from "./steady-wall.ts";
import type { WorldsOfProcess } from "./worlds.ts";

/** Wall milliseconds for which calls wait until those under way have ended. */
const PATIENCE_MS = 2_000;
/** Turns in which the events of an answered call are released. */
const TURNS_TO_RELEASE = 3;
/** Calls that begin and end a recording are no part of it. */
const OWN_PATH = /^\/_sim\/capsule$/;
const CONTROL = /^\/_sim(\/|$)/;

/** Calls that were still under way when the others had waited long enough. */
export class CallsUnderWay extends Error {
  override readonly name = "CallsUnderWay";
  readonly count: number;

  constructor(count: number) {
    super(`${count} calls are under way`);
    this.count = count;
  }
}

/** A recording: what it is called, and what ends it when the simulator ends. */
export interface ActiveRecording {
  name: string;
  end(): void;
}

const pathOf = (request: HttpRequest) => new URL(request.url).pathname;

/**
 * The boundary of a simulator that may be recorded: the machine itself, until a recorder takes its
 * place (decisions/recorded-while-running.md).
 */
export class SwitchedBoundary implements Boundary {
  private current: Boundary = MACHINE;
  private worlds: WorldsOfProcess | undefined;
  /** Calls under way, and steps of the clock by the library. */
  private readonly underWay = new Map<object, HttpRequest | undefined>();
  private ended: (() => void) | undefined;
  /** Set while calls wait for the boundary to change. */
  private change: Promise<unknown> | undefined;
  private activeRecording: ActiveRecording | undefined;
  private readonly ownWall = new SteadyWall();
  readonly wall: Wall = {
    nowMs: () => this.presentWall.nowMs(),
    monotonicMs: () => this.presentWall.monotonicMs?.(),
    after: machineWall.after,
  };

  /** Without a recorder the clock is read once in a turn too: each world has a tape of its own. */
  private get presentWall(): Wall {
    return this.current === MACHINE ? this.ownWall : this.current.wall;
  }

  /** The recording that continues. */
  get recorded() {
    return this.activeRecording;
  }

  /**
   * Has a recorder take over when no call is under way; calls that come meanwhile wait.
   * @param make reads what the recorder needs beside the present state
   * @throws CallsUnderWay when calls do not end in time; nothing has changed then
   */
  switchTo(
    recorded: ActiveRecording,
    make: (worlds: WorldsOfProcess) => Promise<{ boundary: Boundary; begin(): void }>,
  ): Promise<void> {
    this.activeRecording = recorded;
    return this.alone(async () => {
      try {
        const left = await this.quiet();
        if (left > 0) throw new CallsUnderWay(left);
        if (!this.worlds) throw new Error("Expected an open simulator but found none");
        const { boundary, begin } = await make(this.worlds);
        // The recorder's clock counts from here on.
        this.current = boundary;
        begin();
      } catch (error) {
        this.current = MACHINE;
        this.activeRecording = undefined;
        throw error;
      }
    });
  }

  /**
   * Goes back to the machine when no call is under way.
   * @param done is called with the number of those that did not end in time
   */
  switchBack(done: (left: number) => void): Promise<void> {
    return this.alone(async () => {
      const left = await this.quiet();
      this.current = MACHINE;
      this.activeRecording = undefined;
      done(left);
    });
  }

  serve(request: HttpRequest, answer: Answer): MaybePromise<WholeReply> {
    if (this.change) return this.change.then(() => this.serve(request, answer));
    const { current } = this;
    return this.noted(request, request, () =>
      current === MACHINE || OWN_PATH.test(pathOf(request))
        ? answer(request)
        : current.serve(request, answer),
    );
  }

  async advancing<Report>(span: string, advance: () => Promise<Report>): Promise<Report> {
    while (this.change) await this.change;
    return this.noted(advance, undefined, () => this.current.advancing(span, advance));
  }

  readonly send: typeof attemptDelivery = async (attempt) => {
    const { current } = this;
    const answer = await current.send(attempt);
    if (current !== this.current) this.current.answered(attempt.body, answer);
    return answer;
  };

  keysFrom(own: IdTokenKeys): IdTokenKeys {
    return {
      ...own,
      keysFor: (issuer, isStrict) => this.current.keysFrom(own).keysFor(issuer, isStrict),
    };
  }

  watch(world: Parameters<Boundary["watch"]>[0]) {
    this.current.watch(world);
  }

  listening(url: string) {
    this.current.listening(url);
  }

  origin() {
    return this.current.origin();
  }

  answered() {}

  drawn(what: DrawnKind, draw: () => string) {
    return this.current.drawn(what, draw);
  }

  found() {}

  joined(worlds: object) {
    this.worlds = worlds as WorldsOfProcess;
  }

  /** Ends a recording at once: the simulator ends. */
  closing() {
    const { activeRecording } = this;
    this.current = MACHINE;
    this.activeRecording = undefined;
    activeRecording?.end();
  }

  private noted<Done>(
    call: object,
    request: HttpRequest | undefined,
    work: () => MaybePromise<Done>,
  ): MaybePromise<Done> {
    this.underWay.set(call, request);
    return andFinally(work, () => {
      this.underWay.delete(call);
      this.ended?.();
    });
  }

  private alone(work: () => Promise<void>): Promise<void> {
    const mine = (this.change ?? Promise.resolve()).then(work).finally(() => {
      if (this.change === settled) this.change = undefined;
    });
    const settled = mine.catch(() => {});
    this.change = settled;
    return mine;
  }

  /** Waits until no call is under way; the number of those that do not end in time. */
  private async quiet(): Promise<number> {
    const untilMs = hostTime.monotonicMs() + PATIENCE_MS;
    for (let left = this.left(); left > 0; left = this.left()) {
      const restMs = untilMs - hostTime.monotonicMs();
      if (restMs <= 0) return left;
      await new Promise<void>((resolve) => {
        const late = hostTime.setTimeout(resolve, restMs);
        this.ended = () => {
          hostTime.clearTimeout(late);
          resolve();
        };
      });
      this.ended = undefined;
    }
    for (let turns = 0; turns < TURNS_TO_RELEASE; turns += 1) await nextTurn();
    return 0;
  }

  /** Calls under way that may still change a world. */
  private left() {
    const isAuto = [...(this.worlds?.all() ?? [])].some(
      ({ engine }) => engine.clock.mode === "auto",
    );
    return [...this.underWay.values()].filter((request) => !request || mayAct(request, isAuto))
      .length;
  }
}

/** Whether a call may change a world: one that only waits does not, unless it moves the clock. */
const mayAct = (request: HttpRequest, isAuto: boolean) => {
  const path = pathOf(request);
  if (OWN_PATH.test(path)) return false;
  return isAuto || meantMethod(request) !== "GET" || !CONTROL.test(path);
};
