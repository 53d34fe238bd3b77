import { defined } from "../../contract/core/defined.ts";
import type { FindFact } from "../../domain/core/facts.ts";
import type { HttpRequest } from "./http-request.ts";

/** An observer of one request: a recorder, or the driver that repeats what one wrote. */
export interface RequestTap {
  /** Its id, in place of the next one. */
  id?: string;
  /** Takes the whole body, as it was read. */
  body?(bytes: Buffer): void;
  /** Finds facts about its proofs, in place of the checks alone. */
  find?: FindFact;
  /** Its work begins: what is due has fired, and nothing else comes between. */
  begin?(): void;
  /** Its rule has run, or refused. */
  worked?(): void;
  /** Its reply is made. */
  end?(world: { name: string }, call: { requestId: string; wallMs: number | undefined }): void;
}

const TAP = Symbol("tap");

const combinedFind = (
  one: FindFact | undefined,
  other: FindFact | undefined,
): FindFact | undefined =>
  one && other ? (of, check) => one(of, () => other(of, check)) : (one ?? other);

/** Two observers as one. The earlier one is told, and asked for facts, before the later one. */
const both = (one: RequestTap, other: RequestTap): RequestTap => ({
  ...defined({ id: other.id ?? one.id, find: combinedFind(one.find, other.find) }),
  body: (bytes) => {
    one.body?.(bytes);
    other.body?.(bytes);
  },
  begin: () => {
    one.begin?.();
    other.begin?.();
  },
  worked: () => {
    one.worked?.();
    other.worked?.();
  },
  end: (world, call) => {
    one.end?.(world, call);
    other.end?.(world, call);
  },
});

/** Has a request observed, beside those who observe it already. */
export const tapRequest = (request: HttpRequest, tap: RequestTap) => {
  const tapped = request as { [TAP]?: RequestTap };
  const before = tapped[TAP];
  tapped[TAP] = before ? both(before, tap) : tap;
};

export const tapOf = (request: HttpRequest) => (request as { [TAP]?: RequestTap })[TAP];
