import type { HttpRequest } from "./http-request.ts";

const KEPT = Symbol("kept body");

interface Keeping {
  [KEPT]?: Buffer;
}

/** Keeps the body of a request with it, so that it can be read again. */
export const keepBody = (request: HttpRequest, bytes: Buffer) => {
  (request as Keeping)[KEPT] = bytes;
};

/** The body that was read and kept before; nothing where it was not read, or too large to keep. */
export const keptBody = (request: HttpRequest): Buffer | undefined => (request as Keeping)[KEPT];
