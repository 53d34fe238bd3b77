import {
  bodyDigest,
  isStored,
  replayKey,
  replayOf,
  storeAnswer,
  storedAnswer,
} from "../../domain/core/idempotency.ts";
import { caughtUp } from "../../runtime/caught-up.ts";
import type { Reply } from "../message/reply.ts";
import { ruleHeader } from "../message/rule-header.ts";
import type { Call } from "./call.ts";
import type { Endpoint } from "./endpoint.ts";

/** A call of an operation that takes keys. */
export interface KeyedCall {
  endpoint: Pick<Endpoint, "method" | "replies">;
  /** The key as sent; an empty one counts as absent. */
  key: string;
  path: string;
  /** The parsed body. */
  body: unknown;
}

/** A key that no other call may use meanwhile. */
export interface HeldKey {
  /** Its call, as it stands in the record of the answer. */
  keepAs: NonNullable<Call["keepAs"]>;
  release(): void;
}

/**
 * Gives the same key the same answer. Stored answers are replayed (spec/idempotency.md#replay); of
 * concurrent calls one runs and the others wait for it (spec/idempotency.md#concurrent-calls).
 */
export class Idempotency {
  private readonly running = new Map<string, Promise<void>>();

  /** Holds a key for a call, which stores its answer with its change; or finds the stored one. */
  async take(
    { endpoint, key: text, path, body }: KeyedCall,
    call: Call,
  ): Promise<HeldKey | { stored: Reply }> {
    const { keySpace: caller } = call.caller;
    const key = replayKey({ caller, method: endpoint.method, path, key: text });
    for (;;) {
      const stored = storedReply(key, call, body);
      if (stored) return { stored };
      const first = this.running.get(key);
      if (!first) break;
      await first;
      await caughtUp(call.engine);
    }
    // Without an await between look-up and insertion, two first calls cannot both pass.
    const { promise, resolve } = latch();
    this.running.set(key, promise);
    const { requestId } = call;
    call.keepAs = { key, status: endpoint.replies[0], requestId, bodyDigest: bodyDigest(body) };
    const release = () => {
      this.running.delete(key);
      resolve();
    };
    return { keepAs: call.keepAs, release };
  }
}

const storedReply = (key: string, call: Call, body: unknown): Reply | undefined => {
  const replay = call.read((view, _input, { atMs }) => storedAnswer(view, key, atMs), undefined);
  if (!replay) return undefined;
  call.replay = replayOf(replay, body);
  const { status, text, headers } = replay;
  return { status, text, ...(headers && { headers }) };
};

/** Stores a refusal under the key of its call; nothing where its status is not stored. */
export const storedRefusal = (
  { status, text = "", headers: own }: Reply,
  { keepAs }: HeldKey,
  call: Call,
): Reply | undefined => {
  if (!isStored(status)) return undefined;
  const headers = { ...own, ...ruleHeader(call.rules) };
  call.keepAs = undefined;
  const answer = { status, text, ...(Object.keys(headers).length > 0 && { headers }) };
  const stored = { ...keepAs, ...answer };
  call.commit((draft, _input, moment) => storeAnswer(draft, stored, moment), undefined);
  return answer;
};

const latch = () => {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
};
