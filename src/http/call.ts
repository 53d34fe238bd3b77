import type { Reading, Rule } from "../domain/core/draft.ts";
import { type Replayed, storeAnswer } from "../domain/core/idempotency.ts";
import { refuse } from "../domain/core/refusal.ts";
import type { ReplayRecord } from "../domain/records/records.ts";
import type { SignedCall } from "../domain/wallets/signed-operations.ts";
import { Challenged } from "../domain/wallets/signed-retry.ts";
import type { Engine } from "../runtime/engine.ts";
import type { Deliveries, Files, IdTokenKeys } from "../runtime/ports.ts";

/** The key of a stored answer, and the request it answered. */
type KeptAs = Pick<ReplayRecord, "key" | "status" | "requestId" | "bodyDigest">;

/** Who calls. */
export interface Caller {
  /** Whose idempotency keys count: the platform's, or one agent's (decisions, Idempotency). */
  keySpace: string;
  /** Where an agent calls by itself. */
  agentId?: string;
  /** Where an API token is what it is called with. */
  tokenId?: string;
}

/** Why a call that was begun in another world is not answered. */
export const OVERTAKEN = "it was reset or read anew while this was answered";

/** Whoever calls for the platform, whatever with: all its API tokens share their keys. */
export const PLATFORM_CALLER: Caller = { keySpace: "platform" };

/**
 * One request at work: what it did, and so what must be durable before its reply may leave. The
 * events it caused stay back until the reply is on its way.
 */
export class Call {
  readonly requestId: string;
  readonly operationId: string;
  /** Where the caller reached the simulator: scheme, host and port. */
  readonly origin: string;
  readonly engine: Engine;
  readonly deliveries: Deliveries;
  readonly tokenKeys: IdTokenKeys;
  readonly files: Files;
  /** Set when the answer is to be kept under an idempotency key, in the change that made it. */
  keepAs: KeptAs | undefined;
  /** Set when the answer is one that was given before. */
  replay: Replayed | undefined;
  /** The request as what a wallet's owner signs, where its endpoint takes signatures. */
  signed: SignedCall = { method: "", path: "" };
  caller = PLATFORM_CALLER;
  /** The request's body as it was parsed, for the log; without the bytes of files. */
  body: unknown;
  /** The world that it was admitted to. */
  private generation: number;
  private seq = 0;
  private events: string[] = [];
  /** Something waits for the reply to be on its way. */
  hasCommitted = false;

  constructor(options: {
    requestId: string;
    operationId: string;
    origin: string;
    engine: Engine;
    deliveries: Deliveries;
    tokenKeys: IdTokenKeys;
    files: Files;
  }) {
    this.requestId = options.requestId;
    this.operationId = options.operationId;
    this.origin = options.origin;
    this.engine = options.engine;
    this.deliveries = options.deliveries;
    this.tokenKeys = options.tokenKeys;
    this.files = options.files;
    this.generation = options.engine.generation;
  }

  /** The world was dropped and opened anew since the call was admitted. */
  get isOvertaken(): boolean {
    return this.engine.generation !== this.generation;
  }

  /** Lets it in, into the world as it is now. */
  admit(caller: Caller) {
    this.caller = caller;
    this.generation = this.engine.generation;
  }

  /** Refuses what was begun in a world that is gone: nothing of it may reach another one. */
  requireSameWorld() {
    if (this.isOvertaken) refuse("UNAVAILABLE", { why: OVERTAKEN });
  }

  /** The agent that calls; only operations of agents ask. */
  get agentId(): string {
    return this.caller.agentId ?? "";
  }

  /** The API token that it is called with; only operations that take one ask. */
  get tokenId(): string {
    return this.caller.tokenId ?? "";
  }

  commit = <Input, Reply>(rule: Rule<Input, Reply>, input: Input): Reply => {
    this.requireSameWorld();
    const cause = { cause: this.requestId, by: this.operationId, isHeld: true } as const;
    const { reply, seq, events } = this.engine.commit(this.keeping(rule), input, cause);
    this.engine.hold(events);
    this.events.push(...events);
    this.hasCommitted = true;
    this.seq = seq;
    return reply;
  };

  read = <Input, Reply>(reading: Reading<Input, Reply>, input: Input): Reply => {
    const { reply, seq } = this.engine.read(reading, input);
    this.seq = seq;
    return reply;
  };

  /** The same rule, which also keeps its answer. */
  private keeping<Input, Reply>(rule: Rule<Input, Reply>): Rule<Input, Reply> {
    const { keepAs } = this;
    if (!keepAs) return rule;
    this.keepAs = undefined;
    return (draft, input, moment) => {
      const reply = rule(draft, input, moment);
      // A challenge is no answer yet: the signed retry comes under the same key.
      if (reply instanceof Challenged) return reply;
      storeAnswer(draft, { ...keepAs, text: JSON.stringify(reply) }, moment);
      return reply;
    };
  }

  /** Everything up to now must be durable before the reply leaves. */
  sawEverything() {
    this.seq = this.engine.state.seq;
  }

  /** Nothing, or a promise to wait for before replying; it rejects when the change was lost. */
  durable(): Promise<void> | undefined {
    return this.engine.journal.reached(this.seq);
  }

  /** The reply is on its way: what it caused may follow. */
  finish() {
    if (this.hasCommitted) this.engine.release(this.events);
    this.hasCommitted = false;
    this.events = [];
  }
}
