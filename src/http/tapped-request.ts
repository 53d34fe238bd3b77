/** An observer of one request: a recorder, or the driver that repeats what one wrote. */
export interface RequestTap {
  /** Takes the whole body, as it was read. */
  body?(bytes: Buffer): void;
  /** Its work begins: what is due has fired, and nothing else comes between. */
  begin?(): void;
  /** Its reply is made. */
  end?(world: { name: string }, call: { requestId: string; wallMs: number | undefined }): void;
}

const TAP = Symbol("tap");

/** Has a request observed. */
export const tapRequest = (request: Request, tap: RequestTap) => {
  (request as { [TAP]?: RequestTap })[TAP] = tap;
};

export const tapOf = (request: Request) => (request as { [TAP]?: RequestTap })[TAP];
