import type { KnownIds } from "../api/setup/populated.ts";
import { type Chance, chanceOf } from "../simulation/setup/chance.ts";
import { DESCRIBED_OPERATIONS, type DescribedOperation, nameOf } from "./described-operations.ts";
import type { FuzzedWorld } from "./fuzzed-world.ts";
import { hostileTry, type Try, wholeTry } from "./hostile-requests.ts";
import { problemsOf } from "./judge.ts";
import { allowedRequest, invalidRequest, type RequestSource } from "./requests.ts";
import { AFTER, BEFORE, LEARNED, RARE, waits } from "./samples.ts";
import { type Exchange, WireConnection } from "./wire.ts";

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
  /** Operations that are called; all by default. */
  operations?: readonly DescribedOperation[];
  kinds?: readonly Kind[];
  deadlineMs: number;
  /** Findings of all lanes after which none goes on. */
  mostFindings?: number;
}

interface DirectCall {
  method: string;
  path: string;
  body?: unknown;
  /** The starting world by default. */
  world?: string;
}

/** Time for an answer that its caller asked to wait for. */
const WAITING_MS = 150;
const LONGEST_KEPT = 4_000;

const operationCalled = (name: string) => {
  const found = DESCRIBED_OPERATIONS.find((one) => nameOf(one) === name);
  if (!found) throw new Error(`Expected an operation but found ${name}`);
  return found;
};

const isReached = (status: number) => status >= 200 && status < 400;

/** Requests one after the other, in a world of their own that is forked for them. */
export class Lane {
  private readonly world: FuzzedWorld;
  private readonly options: LaneOptions;
  private readonly tally: Tally;
  private readonly chance: Chance;
  private readonly name: string;
  private ids: KnownIds;
  private connection: WireConnection | undefined;
  /** Streams that must stay open until the next call is answered. */
  private held: WireConnection[] = [];
  private at = 0;

  constructor(world: FuzzedWorld, options: LaneOptions, tally: Tally) {
    this.world = world;
    this.options = options;
    this.tally = tally;
    this.chance = chanceOf(options.seed * 7919 + options.lane);
    this.name = `lane-${options.lane}`;
    this.ids = { ...world.ids };
  }

  /** Makes the lane's world, sends all its requests, and removes the world. */
  async run() {
    await this.direct({ method: "POST", path: "/worlds", body: { name: this.name } });
    const { requests, operations = DESCRIBED_OPERATIONS, kinds = KINDS } = this.options;
    const { mostFindings = Number.POSITIVE_INFINITY } = this.options;
    let queue: DescribedOperation[] = [];
    while (this.at < requests && this.tally.findings.length < mostFindings) {
      if (queue.length === 0) queue = this.shuffled(operations);
      const one = queue.pop() as DescribedOperation;
      await this.call(one, this.kindFrom(kinds));
    }
    this.connection?.destroy();
    await this.direct({ method: "DELETE", path: `/worlds/${this.name}` });
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

  private async call(one: DescribedOperation, kind: Kind) {
    const name = nameOf(one);
    if (kind === "valid")
      for (const before of BEFORE[name] ?? [])
        await this.send(operationCalled(before), "valid", this.allowed(operationCalled(before)));
    const held = this.held.splice(0);
    await this.send(one, kind, this.tryOf(one, kind));
    for (const connection of [...held, ...this.held.splice(0)]) connection.destroy();
    const after = AFTER[name];
    if (after) await this.undo(after);
  }

  private get source(): RequestSource {
    const { clientId, clientSecret } = this.world;
    return { chance: this.chance, ids: this.ids, world: this.name, clientId, clientSecret };
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

  private async undo({ operation, body }: { operation: string; body?: unknown }) {
    const one = operationCalled(operation);
    const { method, path } = one;
    const isWorldless = operation === "control.endCapsule";
    await this.direct({ method, path, body, ...(!isWorldless && { world: this.name }) });
  }

  private async send(one: DescribedOperation, kind: Kind, made: Try) {
    this.at += 1;
    this.tally.requests += 1;
    this.tally.byKind[kind] += 1;
    const exchange = await this.exchange(made, waits(one) ? WAITING_MS : this.options.deadlineMs);
    const problems = problemsOf({ operation: one, ...made, mayWait: waits(one) }, exchange);
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
        bytes: Buffer.concat(sending.chunks as Buffer[]).subarray(0, LONGEST_KEPT),
      });
  }

  private async exchange({ sending }: Try, deadlineMs: number): Promise<Exchange> {
    const isKept = sending.end === "keep" && !sending.untilClosed;
    const kept = isKept && this.connection?.isClosed === false ? this.connection : undefined;
    const connection = kept ?? new WireConnection(this.world.port);
    const exchange = await connection.exchange(sending, deadlineMs);
    const isOver = exchange.isLate || exchange.answers.some((one) => one.isStream);
    const last = exchange.answers.at(-1);
    if (isKept && !isOver && last?.headers.connection !== "close") {
      if (this.connection !== connection) this.connection?.destroy();
      this.connection = connection;
    } else {
      if (this.connection === connection) this.connection = undefined;
      if (last?.isStream) this.held.push(connection);
      else connection.destroy();
    }
    return exchange;
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

  /** Calls the control surface outside of the campaign. */
  private async direct({ method, path, body, world }: DirectCall) {
    const answer = await fetch(`http://127.0.0.1:${this.world.port}/_sim${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      headers: {
        "content-type": "application/json",
        ...(world !== undefined && { "x-sim-world": world }),
      },
      signal: AbortSignal.timeout(this.options.deadlineMs),
    }).catch(() => undefined);
    await answer?.text().catch(() => undefined);
  }
}
