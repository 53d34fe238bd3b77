import type { HttpRequest } from "../http/http-request.ts";
import type { Answer } from "../http/node-server.ts";
import type { WholeReply } from "../http/reply.ts";
import type { Change } from "../runtime/change.ts";
import type { Engine } from "../runtime/engine.ts";
import type { AttemptAnswer, IdTokenKeys } from "../runtime/ports.ts";
import { attemptDelivery } from "../webhooks/attempt.ts";
import type { Edges } from "../worlds/edges.ts";
import type { CapsuleHead, KeysLine } from "./capsule-lines.ts";
import { type ChangeDigest, digestOfChange } from "./change-digests.ts";
import { ReplayWall } from "./recorded-wall.ts";
import { eventIn } from "./recorder.ts";

type Waiting = (answer: AttemptAnswer) => void;

/** The outside world of a replay: all of it comes from the capsule, and no socket is opened. */
export class ReplayEdges implements Edges {
  readonly wall: ReplayWall;
  /** Domain changes so far, in their order. */
  readonly changes: ChangeDigest[] = [];
  private readonly waiting = new Map<string, Waiting[]>();
  private readonly keys = new Map<string, KeysLine["found"][]>();
  private readonly configured = new Set<string>();
  private readonly replies = new WeakMap<HttpRequest, WholeReply>();
  private address: string | undefined;
  private isLive = false;
  private readonly version: number;

  constructor({ w, capsule }: Pick<CapsuleHead, "w" | "capsule">, keys: readonly KeysLine[]) {
    this.wall = new ReplayWall(w);
    this.version = capsule;
    for (const { issuer, configured, found } of keys) {
      if (configured) this.configured.add(issuer);
      this.keys.set(issuer, [...(this.keys.get(issuer) ?? []), found]);
    }
  }

  /** From now on the machine's time and network count. */
  goLive() {
    this.isLive = true;
    this.keys.clear();
    this.address = undefined;
    this.wall.goLive();
  }

  /** Answers an attempt that is under way; false when there is none of this event. */
  answer(event: string, answer: AttemptAnswer): boolean {
    const waiting = this.waiting.get(event);
    const take = waiting?.shift();
    take?.(answer);
    return take !== undefined;
  }

  readonly send: typeof attemptDelivery = (attempt) => {
    if (this.isLive) return attemptDelivery(attempt);
    return new Promise((resolve) => {
      const event = eventIn(attempt.body);
      const waiting = this.waiting.get(event) ?? [];
      waiting.push(resolve);
      this.waiting.set(event, waiting);
      attempt.signal?.addEventListener("abort", () => resolve({ tookMs: 0, error: "ABORTED" }));
    });
  };

  keysFrom(own: IdTokenKeys): IdTokenKeys {
    return {
      ...own,
      isConfigured: (issuer) => this.configured.has(issuer) || own.isConfigured(issuer),
      keysFor: async (issuer, isStrict) =>
        (this.keys.get(issuer)?.shift() as Awaited<ReturnType<IdTokenKeys["keysFor"]>>) ??
        own.keysFor(issuer, isStrict),
    };
  }

  advancing<Report>(_span: string, advance: () => Promise<Report>) {
    return advance();
  }

  watch({ engine }: { name: string; engine: Engine }) {
    engine.listeners.add({ changed: (change) => this.noteChange(change) });
  }

  listening() {}

  /** Has links and tokens name an address. */
  standAt(url: string) {
    this.address = url;
  }

  origin() {
    return this.address;
  }

  async serve(request: HttpRequest, answer: Answer) {
    const reply = await answer(request);
    this.replies.set(request, reply);
    return reply;
  }

  /** The reply of a request, also when a fault switch lost it on its way. */
  replyTo(request: HttpRequest) {
    return this.replies.get(request);
  }

  private noteChange(change: Change) {
    const digest = digestOfChange(change, { version: this.version });
    if (digest) this.changes.push(digest);
  }
}
