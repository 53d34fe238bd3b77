import type { KnownIds } from "../api/setup/populated.ts";
import { type Chance, chanceOf } from "../simulation/setup/chance.ts";
import { type DescribedOperation, nameOf } from "./described-operations.ts";
import type { FuzzedWorld } from "./fuzzed-world.ts";
import { hostileTry, type Try, wholeTry } from "./hostile-requests.ts";
import { problemsOf } from "./judge.ts";
import { LaneConnection } from "./lane-connection.ts";
import { LaneWorld } from "./lane-world.ts";
import { allowedRequest, invalidRequest, type RequestSource } from "./requests.ts";
import { AFTER, BEFORE, LEARNED, RARE, waits } from "./samples.ts";
import type { Exchange } from "./wire.ts";

export const KINDS = ["valid", "boundary", "invalid", "hostile"] as const;
export type Kind = (typeof KINDS)[number];

/** An answer that breaks a rule, with everything that repeats it. */
export interface Finding {
  operation: string;
  kind: Kind;
  how: string;
  problem: string;
  /** Lane and place within it. */
  lane: number;
  at: number;
  bytes: Buffer;
  /** Everything that the lane sent up to the finding, which is the last of them. */
  steps: readonly Step[];
}

/** One sending of a lane. */
export interface Step {
  operation: DescribedOperation;
  made: Try;
}

/** Counts and findings of a campaign, which its lanes share. */
export interface Tally {
  requests: number;
  byKind: Record<Kind, number>;
  byStatus: Map<string, number>;
  /** Operations that answered a valid request with 2xx, or with 302 where that is their answer. */
  reached: Set<string>;
  findings: Finding[];
}

export interface LaneOptions {
  seed: number;
  lane: number;
  requests: number;
  /** All operations of the server. */
  operations: readonly DescribedOperation[];
  /** Operations that are called; all by default. */
  only?: readonly DescribedOperation[];
  kinds?: readonly Kind[];
  deadlineMs: number;
  /** Findings of all lanes after which none continues. */
  mostFindings?: number;
}

/** Time for an answer that its caller asked to wait for. */
const WAITING_MS = 150;
const LONGEST_KEPT = 4_000;

const isReached = (status: number) => status >= 200 && status < 400;

/** Requests one after the other, in a world of their own that is forked for them. */
export class Lane {
  private readonly options: LaneOptions;
  private readonly tally: Tally;
  private readonly chance: Chance;
  private readonly world: LaneWorld;
  private readonly connection: LaneConnection;
  private readonly steps: Step[] = [];
  private ids: KnownIds;
  private at = 0;
  /** A call of this lane that was broken off may continue for a while, such as a reset. */
  private hasBrokenOff = false;

  constructor(target: FuzzedWorld, options: LaneOptions, tally: Tally) {
    this.options = options;
    this.tally = tally;
    this.chance = chanceOf(options.seed * 7919 + options.lane);
    this.world = new LaneWorld(target, options.lane);
    this.connection = new LaneConnection(target.port);
    this.ids = { ...target.ids };
  }

  /** Makes the lane's world, sends all its requests, and removes the world. */
  async run() {
    await this.world.make();
    const { requests, only = this.options.operations, kinds = KINDS } = this.options;
    const { mostFindings = Number.POSITIVE_INFINITY } = this.options;
    let queue: DescribedOperation[] = [];
    while (this.at < requests && this.tally.findings.length < mostFindings) {
      if (queue.length === 0) queue = this.shuffled(only);
      const one = queue.pop() as DescribedOperation;
      await this.call(one, this.kindFrom(kinds));
    }
    this.connection.destroy();
    await this.world.remove();
  }

  /** Half of the requests are valid, so that the world has something to lose. */
  private kindFrom(kinds: readonly Kind[]): Kind {
    return kinds.includes("valid") && this.chance.oneIn(3) ? "valid" : this.chance.pick(kinds);
  }

  private shuffled(operations: readonly DescribedOperation[]): DescribedOperation[] {
    const all = operations.filter(
      (one) => operations.length === 1 || !RARE.has(nameOf(one)) || this.chance.oneIn(8),
    );
    for (let at = all.length - 1; at > 0; at -= 1) {
      const other = this.chance.below(at + 1);
      [all[at], all[other]] = [all[other] as DescribedOperation, all[at] as DescribedOperation];
    }
    return all;
  }

  private operationCalled(name: string): DescribedOperation {
    const found = this.options.operations.find((one) => nameOf(one) === name);
    if (!found) throw new Error(`Expected an operation but found ${name}`);
    return found;
  }

  private async call(one: DescribedOperation, kind: Kind) {
    const name = nameOf(one);
    if (kind === "valid")
      for (const before of BEFORE[name] ?? []) {
        const called = this.operationCalled(before);
        await this.send(called, "valid", this.allowed(called));
      }
    const held = this.connection.takeHeld();
    await this.send(one, kind, this.tryOf(one, kind));
    for (const stream of [...held, ...this.connection.takeHeld()]) stream.destroy();
    const after = AFTER[name];
    if (after) await this.undo(after);
  }

  private get source(): RequestSource {
    return { chance: this.chance, ids: this.ids, ...this.world.source };
  }

  private allowed(one: DescribedOperation): Try {
    return wholeTry("", allowedRequest(one, this.source, "usual"), one.base);
  }

  private tryOf(one: DescribedOperation, kind: Kind): Try {
    if (kind === "hostile") return hostileTry(one, this.source);
    if (kind === "invalid") {
      const { how, parts } = invalidRequest(one, this.source);
      return wholeTry(how, parts, one.base);
    }
    if (kind === "valid") return this.allowed(one);
    return wholeTry("", allowedRequest(one, this.source, "edge"), one.base);
  }

  /** Undoes a call, outside of the campaign: the answer is not judged. */
  private async undo({ operation, body }: { operation: string; body?: unknown }) {
    const one = this.operationCalled(operation);
    const made = this.world.controlTry(one.method, one.path, body);
    this.steps.push({ operation: one, made });
    await this.connection.exchange(made, this.options.deadlineMs);
  }

  private async send(one: DescribedOperation, kind: Kind, made: Try) {
    this.at += 1;
    this.tally.requests += 1;
    this.tally.byKind[kind] += 1;
    this.steps.push({ operation: one, made });
    const deadlineMs = waits(one) ? WAITING_MS : this.options.deadlineMs;
    const exchange = await this.connection.exchange(made, deadlineMs);
    const { hasBrokenOff: isBesideAnother } = this;
    const expected = { operation: one, ...made, mayWait: waits(one), isBesideAnother };
    this.hasBrokenOff ||= made.framing !== "whole" && one.method !== "GET";
    const problems = problemsOf(expected, exchange);
    for (const { status } of exchange.answers)
      this.tally.byStatus.set(`${status}`, (this.tally.byStatus.get(`${status}`) ?? 0) + 1);
    if (kind === "valid") this.learn(one, exchange);
    const { how, sending } = made;
    for (const problem of problems)
      this.tally.findings.push({
        operation: nameOf(one),
        kind,
        how,
        problem,
        lane: this.options.lane,
        at: this.at,
        bytes: Buffer.concat(sending.chunks).subarray(0, LONGEST_KEPT),
        steps: this.steps.slice(),
      });
  }

  private learn(one: DescribedOperation, { answers: [answer] }: Exchange) {
    if (!answer || !isReached(answer.status)) return;
    const name = nameOf(one);
    this.tally.reached.add(name);
    const as = LEARNED[name];
    if (as === undefined || answer.body === "") return;
    const body = JSON.parse(answer.body);
    const id = as === "name" ? body.name : (body.id ?? body.webhookId ?? body.data?.[0]?.id);
    if (typeof id === "string") this.ids = { ...this.ids, [as]: id };
  }
}
