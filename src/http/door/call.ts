import type { Reading, Rule } from "../../domain/core/draft.ts";
import { checkNow, type FindFact } from "../../domain/core/facts.ts";
import { type ReplayReference, storeAnswer } from "../../domain/core/idempotency.ts";
import { type Refusal, refuse } from "../../domain/core/refusal.ts";
import { setRowOf, useSetRow } from "../../domain/outcomes/next-outcomes.ts";
import { isSandboxRule } from "../../domain/outcomes/rule-names.ts";
import type { ReplayRecord } from "../../domain/records/records.ts";
import type { SignedCall } from "../../domain/wallets/signed-operations.ts";
import { Challenged } from "../../domain/wallets/signed-retry.ts";
import type { Engine } from "../../runtime/engine.ts";
import type { Deliveries, Files, IdTokenKeys } from "../../runtime/ports.ts";
import type { RequestUrl } from "../message/request-url.ts";
import { ruleHeader } from "../message/rule-header.ts";

/** The key of an answer to store, and the request it belongs to. */
type KeptAs = Pick<ReplayRecord, "key" | "status" | "requestId" | "bodyDigest">;

/** The caller of an operation. */
export interface Caller {
  /**
   * Scope of the caller's idempotency keys: the platform's, or one agent's
   * (spec/idempotency.md#scope).
   */
  keySpace: string;
  /** Set for calls of an agent. */
  agentId?: string;
  /** Set for calls with an API token. */
  tokenId?: string;
}

/** Reason for refusing a call that began in another world (spec/errors.md#unavailability). */
export const WORLD_REPLACED = "it was reset or reloaded during the call";

/** Caller for the platform: all its API tokens share their idempotency keys. */
export const PLATFORM_CALLER: Caller = { keySpace: "platform" };

/**
 * One request in progress. It collects the changes that must be durable before its reply is sent,
 * and holds back their events until then.
 */
export class Call {
  readonly requestId: string;
  readonly operationId: string;
  private readonly url: Pick<RequestUrl, "origin">;
  readonly engine: Engine;
  readonly deliveries: Deliveries;
  readonly tokenKeys: IdTokenKeys;
  readonly files: Files;
  /** Finds facts about the proofs of the call. */
  readonly find: FindFact;
  /**
   * Set when the answer is stored under an idempotency key, in the change that made it
   * (spec/idempotency.md#stored-answers).
   */
  keepAs: KeptAs | undefined;
  /** Set when the answer was stored before. */
  replay: ReplayReference | undefined;
  /** The request in the form that a wallet's owner signs, where its endpoint takes signatures. */
  signed: SignedCall = { method: "", path: "" };
  caller = PLATFORM_CALLER;
  /** The request's parsed body for the log, without the bytes of files. */
  body: unknown;
  /** Rows of the sandbox's tables that decided its reply (spec/sandbox.md#rule-header). */
  rules: readonly string[] = [];
  /** Generation of the world that admitted the call. */
  private generation: number;
  /** Instant of its last look at the world, or change of it; none before. */
  atMs: number | undefined;
  /** The reading of the system clock behind that instant. */
  wallMs: number | undefined;
  private seq = 0;
  private events: string[] = [];
  /** True once the call has committed: its events wait for the reply. */
  hasCommitted = false;

  constructor(options: {
    requestId: string;
    operationId: string;
    url: Pick<RequestUrl, "origin">;
    world: { engine: Engine; deliveries: Deliveries; tokenKeys: IdTokenKeys; files: Files };
    find: FindFact | undefined;
  }) {
    const { engine, deliveries, tokenKeys, files } = options.world;
    this.requestId = options.requestId;
    this.operationId = options.operationId;
    this.url = options.url;
    this.engine = engine;
    this.deliveries = deliveries;
    this.tokenKeys = tokenKeys;
    this.files = files;
    this.find = options.find ?? checkNow;
    this.generation = engine.generation;
  }

  /** URL origin that the caller used: scheme, host and port. */
  get origin(): string {
    return this.url.origin;
  }

  /** Whether the world was dropped and opened again since the call was admitted. */
  get isOvertaken(): boolean {
    return this.engine.generation !== this.generation;
  }

  /** Admits the call to the present world. */
  admit(caller: Caller) {
    this.caller = caller;
    this.generation = this.engine.generation;
  }

  /** Refuses a call that began in a world that is gone: it must not affect another one. */
  requireSameWorld() {
    if (this.isOvertaken) refuse("UNAVAILABLE", { why: WORLD_REPLACED });
  }

  /** The calling agent; only operations of agents ask. */
  get agentId(): string {
    return this.caller.agentId ?? "";
  }

  /** The API token of the call; only operations that take one ask. */
  get tokenId(): string {
    return this.caller.tokenId ?? "";
  }

  commit = <Input, Reply>(rule: Rule<Input, Reply>, input: Input): Reply => {
    this.requireSameWorld();
    const cause = { cause: this.requestId, by: this.operationId, isHeld: true } as const;
    const { reply, seq, events, decisions } = this.usingUp(() =>
      this.engine.commit(this.keeping(rule), input, cause),
    );
    this.noteInstant();
    this.noteRules(decisions);
    this.engine.hold(events);
    this.events.push(...events);
    this.hasCommitted = true;
    this.seq = seq;
    return reply;
  };

  read = <Input, Reply>(reading: Reading<Input, Reply>, input: Input): Reply => {
    const { reply, seq } = this.usingUp(() => this.engine.read(reading, input));
    this.noteInstant();
    this.seq = seq;
    return reply;
  };

  private noteInstant() {
    const { latestMs, latestWallMs } = this.engine.clock;
    this.atMs = latestMs;
    this.wallMs = latestWallMs;
  }

  /**
   * Runs work. When a row that a tester had set refuses it, the row is used up before anything else
   * can happen (spec/sandbox.md#next-outcome).
   */
  private usingUp<Done>(work: () => Done): Done {
    try {
      return work();
    } catch (error) {
      const setBy = setRowOf(error);
      if (setBy !== undefined) {
        const cause = { cause: this.requestId, by: this.operationId };
        this.engine.commit((draft) => useSetRow(draft, setBy), undefined, cause);
      }
      throw error;
    }
  }

  /** Notes rows that decided the reply; those of an agent's policy are left out. */
  noteRules(rows: readonly string[]) {
    this.rules = [...this.rules, ...rows.filter(isSandboxRule)];
  }

  /**
   * Keeps only the rows that refused: whatever was decided before decided no reply
   * (spec/sandbox.md#rule-header).
   */
  refusedBy({ rules }: Pick<Refusal, "rules">) {
    this.rules = rules.filter(isSandboxRule);
  }

  /** Wraps a rule so that it also stores its answer. */
  private keeping<Input, Reply>(rule: Rule<Input, Reply>): Rule<Input, Reply> {
    const { keepAs } = this;
    if (!keepAs) return rule;
    this.keepAs = undefined;
    return (draft, input, moment) => {
      const reply = rule(draft, input, moment);
      // A challenge is not stored: the signed retry comes under the same key
      // (spec/idempotency.md#signed-retries).
      if (reply instanceof Challenged) return reply;
      const headers = ruleHeader([...this.rules, ...draft.decisions.filter(isSandboxRule)]);
      const text = JSON.stringify(reply);
      storeAnswer(
        draft,
        { ...keepAs, text, ...(Object.keys(headers).length > 0 && { headers }) },
        moment,
      );
      return reply;
    };
  }

  /** Makes the reply wait for everything up to now. */
  sawEverything() {
    this.seq = this.engine.state.seq;
  }

  /** The highest change that the call has seen or made; 0 before it looked at the world. */
  get seenSeq(): number {
    return this.seq;
  }

  /** Nothing, or a promise to await before replying; it rejects when the change was lost. */
  durable(): Promise<void> | undefined {
    return this.engine.journal.reached(this.seq);
  }

  /** Releases the events of the call: its reply is on its way (spec/webhooks.md#sending-time). */
  finish() {
    if (this.hasCommitted) this.engine.release(this.events);
    this.hasCommitted = false;
    this.events = [];
  }
}
