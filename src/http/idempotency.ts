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

/** An operation that came with a key, and who may use the same key space. */
export interface KeyedCall {
  endpoint: Endpoint;
  /** The key as sent; an empty one is none. */
  key: string;
  caller: string;
  path: string;
  /** As it was parsed. */
  body: unknown;
}

/**
 * The same key gets the same answer: stored ones are given again, and of calls that come at the
 * same time one runs and the others wait for it.
 */
export class Idempotency {
  private readonly running = new Map<string, Promise<void>>();

  async answer(
    { endpoint, key: given, caller, path, body }: KeyedCall,
    call: Call,
    run: { work: () => Promise<Reply>; refused: (refusal: Refusal) => Reply },
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
    // No await between the look-up and this line: two firsts cannot both pass.
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
    work: () => Promise<Reply>;
    refused: (refusal: Refusal) => Reply;
  }): Promise<Reply> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { text = "", headers, status } = refused(error);
      if (!isStored(status)) throw error;
      call.keepAs = undefined;
      const answer = { status, text, ...(headers && { headers }) };
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
