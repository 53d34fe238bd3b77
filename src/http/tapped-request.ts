import type { FindFact } from "../domain/core/facts.ts";
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

/** Has a request observed. */
export const tapRequest = (request: HttpRequest, tap: RequestTap) => {
  (request as { [TAP]?: RequestTap })[TAP] = tap;
};

export const tapOf = (request: HttpRequest) => (request as { [TAP]?: RequestTap })[TAP];

/** The id of a request: the next one, unless it is repeated. */
export const idOf = (request: HttpRequest, next: string) => tapOf(request)?.id ?? next;
