import {
  bodyDigest,
  isStored,
  replayKey,
  replayOf,
  storeAnswer,
  storedAnswer,
} from "../domain/core/idempotency.ts";
import { Refusal } from "../domain/core/refusal.ts";
import { caughtUp } from "../runtime/caught-up.ts";
import type { Call } from "./call.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Reply } from "./reply.ts";
import { ruleHeader } from "./rule-header.ts";
import type { Soon } from "./soon.ts";

/** A call of an operation that takes keys, and its key space. */
export interface KeyedCall {
  endpoint: Endpoint;
  /** The key as sent; an empty one counts as absent. */
  key: string;
  caller: string;
  path: string;
  /** The parsed body. */
  body: unknown;
}

/**
 * Gives the same key the same answer. Stored answers are replayed (spec/idempotency.md#replay); of
 * concurrent calls one runs and the others wait for it (spec/idempotency.md#concurrent-calls).
 */
export class Idempotency {
  private readonly running = new Map<string, Promise<void>>();

  async answer(
    { endpoint, key: given, caller, path, body }: KeyedCall,
    call: Call,
    run: { work: () => Soon<Reply>; refused: (refusal: Refusal) => Reply },
  ): Promise<Reply> {
    const key = replayKey({ caller, method: endpoint.method, path, key: given });
    for (;;) {
      const stored = this.stored(key, call, body);
      if (stored) return stored;
      const first = this.running.get(key);
      if (!first) break;
      await first;
      await caughtUp(call.engine);
    }
    // Without an await between look-up and insertion, two first calls cannot both pass.
    const { promise, resolve } = latch();
    this.running.set(key, promise);
    try {
      const { requestId } = call;
      const kept = { key, status: endpoint.replies[0], requestId, bodyDigest: bodyDigest(body) };
      call.keepAs = kept;
      return await this.keepingRefusals({ kept, call, ...run });
    } finally {
      this.running.delete(key);
      resolve();
    }
  }

  private stored(key: string, call: Call, body: unknown): Reply | undefined {
    const replay = call.read((view, _input, { atMs }) => storedAnswer(view, key, atMs), undefined);
    if (!replay) return undefined;
    call.replay = replayOf(replay, body);
    const { status, text, headers } = replay;
    return { status, text, ...(headers && { headers }) };
  }

  private async keepingRefusals({
    kept,
    call,
    work,
    refused,
  }: {
    kept: NonNullable<Call["keepAs"]>;
    call: Call;
    work: () => Soon<Reply>;
    refused: (refusal: Refusal) => Reply;
  }): Promise<Reply> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const reply = refused(error);
      const { text = "", status } = reply;
      if (!isStored(status)) throw error;
      const headers = { ...reply.headers, ...ruleHeader(call.rules) };
      call.keepAs = undefined;
      const answer = { status, text, ...(Object.keys(headers).length > 0 && { headers }) };
      const stored = { ...kept, ...answer };
      call.commit((draft, _input, moment) => storeAnswer(draft, stored, moment), undefined);
      return answer;
    }
  }
}

const latch = () => {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
};
