import { createHmac } from "node:crypto";
import type { WorldRow } from "../contract/control/worlds.ts";
import { defined } from "../contract/core/defined.ts";
import { Refusal } from "../domain/core/refusal.ts";
import type { OtherProcesses } from "../http/door/served-world.ts";
import { hopBodyOf } from "../http/hop/hop-body.ts";
import { HopClient, type HopResult, type HopTarget } from "../http/hop/hop-client.ts";
import { isHop } from "../http/hop/hop-server.ts";
import { misdirectedReply } from "../http/hop/misdirected.ts";
import type { HttpRequest } from "../http/message/http-request.ts";
import type { WholeReply } from "../http/message/reply.ts";
import { hostTime } from "../machine/host-time.ts";
import { type CallOutcome, outcomeOf } from "../runtime/ports.ts";
import { ServedElsewhere } from "../runtime/served-elsewhere.ts";
import type { ProcessRow, SharedStore } from "../storage/port/shared-store.ts";

/** Longest wait of a call for the end of a lease. */
const PATIENCE_MS = 7000;
/** Time between two tries of a call that waits. */
const TRY_AGAIN_MS = 250;
/** Calls that wait at once; further ones are refused. */
const MOST_WAITING = 1000;
/** Longest wait for what another process tells of its worlds. */
const ASKED_FOR_MS = 2000;
/** Time between two looks at the leases of the processes that owe an answer. */
const LOOK_EVERY_MS = 500;

/** The bearer token of the control surface that all processes of a store have. */
export const sharedControlToken = (key: Buffer) =>
  createHmac("sha256", key).update("control token").digest("base64url").slice(0, 24);

const ownerLost = ({ owner }: ServedElsewhere, outcome: CallOutcome) =>
  new Refusal("OWNER_LOST", { owner, outcome: outcomeOf(outcome) });

/** A call on its way to another process, which owes its answer. */
interface Owed {
  owner: string;
  giveUp: AbortController;
}

/** Parts that calls to the other processes need. */
export interface HopsParts {
  shared: SharedStore;
  /** Forgets where a world is. */
  forget(world: string): void;
}

/**
 * Sends calls to the processes that serve their worlds (spec/store.md#hops), and makes up for those
 * that are gone (spec/store.md#gone-owners).
 */
export class Hops implements OtherProcesses {
  private readonly parts: HopsParts;
  private readonly client: HopClient;
  private readonly token: string;
  private readonly owed = new Set<Owed>();
  private looking: NodeJS.Timeout | undefined;
  isEnding = false;
  private waiting = 0;
  private isLooking = false;

  constructor(parts: HopsParts) {
    const { process: from, key } = parts.shared;
    this.parts = parts;
    this.client = new HopClient({ from, key });
    this.token = sharedControlToken(key);
  }

  havePassedOn(request: HttpRequest) {
    return isHop(request);
  }

  async answer(
    request: HttpRequest,
    served: ServedElsewhere,
    { isRepeatable, again }: Parameters<OtherProcesses["answer"]>[2],
  ): Promise<WholeReply> {
    const { owner: id, peer } = served;
    if (isHop(request)) return misdirectedReply({ id, ...defined({ peer }) });
    const body = await hopBodyOf(request);
    const untilMs = hostTime.monotonicMs() + PATIENCE_MS;
    const outcome = { mayBeDone: false, hasKey: isRepeatable };
    let at = served;
    // A body that streams can be sent once: what is remembered may be old.
    let isSure = body.bytes !== undefined;
    for (let misses = 0; ; ) {
      if (isSure) {
        const result = await this.send(request, at, body);
        if (result.kind === "reply") return result.reply;
        if (result.kind === "gone") outcome.mayBeDone ||= result.mayHaveArrived;
        const isOver = hostTime.monotonicMs() >= untilMs || !body.isRepeatable;
        if (isOver || (outcome.mayBeDone && !isRepeatable)) throw ownerLost(at, outcome);
        misses += 1;
        if (result.kind === "gone" || misses > 1) await this.pause(at, outcome);
      }
      isSure = true;
      this.parts.forget(at.world);
      const made = await again();
      if (!(made instanceof ServedElsewhere)) return made;
      at = made;
    }
  }

  /** Rows of the worlds that the other processes serve, as each tells them. */
  async rows(): Promise<WorldRow[]> {
    const texts = await this.askAll("GET", "/_sim/worlds?of=process");
    return texts.flatMap((text) => (JSON.parse(text) as { data: WorldRow[] }).data);
  }

  /** Tells the other processes of a world that was removed; one that does not answer learns nothing. */
  async tellRemoved(name: string): Promise<void> {
    await this.askAll("DELETE", `/_sim/worlds/${encodeURIComponent(name)}?of=process`);
  }

  close() {
    if (this.looking) hostTime.clearInterval(this.looking);
    this.client.close();
  }

  private async send(
    request: HttpRequest,
    { owner, peer, message }: ServedElsewhere,
    body: Awaited<ReturnType<typeof hopBodyOf>>,
  ): Promise<HopResult> {
    if (peer === undefined) throw new Refusal("UNAVAILABLE", { why: message });
    const owed: Owed = { owner, giveUp: new AbortController() };
    this.owed.add(owed);
    this.looking ??= hostTime.setInterval(() => void this.look(), LOOK_EVERY_MS).unref();
    const target: HopTarget = { id: owner, peer, signal: owed.giveUp.signal };
    try {
      return await this.client.send(request, target, body);
    } finally {
      this.owed.delete(owed);
    }
  }

  /** Ends the wait for the answers of processes whose lease has ended: they may be stopped. */
  private async look() {
    if (this.owed.size === 0 || this.isLooking) return;
    this.isLooking = true;
    try {
      const processes = await this.parts.shared.processes();
      const live = new Set(
        processes.flatMap(({ id, leaseLeftMs }) => (leaseLeftMs > 0 ? [id] : [])),
      );
      for (const { owner, giveUp } of this.owed) if (!live.has(owner)) giveUp.abort();
    } catch {
      // Whether they live is not known: their answers may come.
    } finally {
      this.isLooking = false;
    }
  }

  private async pause(at: ServedElsewhere, outcome: CallOutcome) {
    if (this.waiting >= MOST_WAITING) throw ownerLost(at, outcome);
    this.waiting += 1;
    try {
      await new Promise((done) => hostTime.setTimeout(done, TRY_AGAIN_MS));
    } finally {
      this.waiting -= 1;
    }
  }

  /** The texts of the 200s of all other processes that live. */
  private async askAll(method: string, path: string): Promise<string[]> {
    const { shared } = this.parts;
    const others = (await shared.processes()).filter(
      ({ id, leaseLeftMs }) => leaseLeftMs > 0 && id !== shared.process,
    );
    return (await Promise.all(others.map((process) => this.ask(process, method, path)))).flat();
  }

  private async ask({ id, peer }: ProcessRow, method: string, path: string): Promise<string[]> {
    if (peer === undefined) return [];
    const headers = { authorization: `Bearer ${this.token}` };
    const request = new Request(`http://127.0.0.1${path}`, { method, headers });
    const late = new AbortController();
    const timer = hostTime.setTimeout(() => late.abort(), ASKED_FOR_MS);
    const target = { id, peer, signal: late.signal };
    try {
      const result = await this.client.send(request, target, await hopBodyOf(request));
      if (result.kind !== "reply") return [];
      const { status, text, stream } = result.reply;
      const all = text ?? (await new Response(stream ?? null).text());
      return status === 200 ? [all] : [];
    } catch {
      return [];
    } finally {
      hostTime.clearTimeout(timer);
    }
  }
}
