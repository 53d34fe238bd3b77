import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";
import type { Scheme } from "../message/http-request.ts";

/** Header by which a process proves that a request comes from it (spec/store.md#hops). */
export const HOP_HEADER = "x-sim-hop";

/** The client's end of a request, as the process that it came to saw it. */
export interface Hop {
  /** Id of that process. */
  from: string;
  /** The scheme that the client used. */
  scheme: Scheme;
  /** The client's address; `-` for a caller within that process. */
  caller: string;
}

/** The request that a signature is made for, and the process that it goes to. */
export interface SignedLine {
  /** Id of the process that it goes to. */
  target: string;
  method: string;
  path: string;
}

const signature = (key: KeyObject, hop: Hop, line: SignedLine) => {
  const { from, scheme, caller } = hop;
  const { target, method, path } = line;
  // As JSON, no two lists of parts have the same text.
  return createHmac("sha256", key)
    .update(JSON.stringify([target, from, scheme, caller, method, path]))
    .digest("base64url");
};

/** The value of the header. */
export const hopHeader = (key: KeyObject, hop: Hop, line: SignedLine): string =>
  `${hop.from} ${hop.scheme} ${hop.caller} ${signature(key, hop, line)}`;

const FORM = /^(\S+) (https?) (\S+) ([\w-]{43})$/;

/** The hop that a header names, if it is signed for this request; nothing otherwise. */
export const verifiedHop = (key: KeyObject, value: string, line: SignedLine): Hop | undefined => {
  const [, from, scheme, caller, sent] = FORM.exec(value) ?? [];
  if (from === undefined || caller === undefined || sent === undefined) return undefined;
  const hop: Hop = { from, scheme: scheme as Scheme, caller };
  const wanted = Buffer.from(signature(key, hop, line));
  return timingSafeEqual(Buffer.from(sent), wanted) ? hop : undefined;
};
