import { crc32 } from "node:zlib";
import type { DrawnKind } from "../worlds/boundary.ts";
import type { NotedFact } from "../worlds/fact-notes.ts";
import type { ProcessImage, WorldImage } from "../worlds/world-image.ts";

/**
 * Version of the format; newer ones are refused (spec/capsules.md#reading). Lines of 2 may have
 * facts, digests of changes leave out more, and worlds may be there at the beginning.
 */
export const CAPSULE_VERSION = 2;
/** First version whose lines have facts in place of proofs. */
export const FACTS_SINCE = 2;

/** Everything that a run started with. */
export interface CapsuleHead {
  capsule: number;
  program: string;
  /** Digest of the operations: another one may answer differently. */
  contract: string;
  /** Reading of the system clock at the start, epoch milliseconds. */
  w: number;
  options: Record<string, unknown>;
  fixture?: unknown;
  /** Set when the run began with worlds that were there before: their lines come first. */
  beginning?: Omit<ProcessImage, "fixture">;
  secrets: "placeholders" | "included";
  /** Secrets that stay as they were, beside the placeholders of all others. */
  keeps?: readonly string[];
}

/** A reply, as it is compared. */
export interface CapsuleReply {
  status: number;
  headers: Record<string, string>;
  /** The text, without secrets; left out of streams. */
  body?: string;
  /** Digest of the whole text. */
  sha?: string;
}

/** A call of the platform or of the control surface. */
export interface RequestLine {
  t: "request" | "control";
  n: number;
  /** Its place in the order of the run: of its first change, or of its beginning. */
  at: number;
  world?: string;
  id?: string;
  /** Readings of the system clock, at its beginning and at its end. */
  w: number;
  e: number;
  method: string;
  url: string;
  headers: [string, string][];
  /** Base64, when the request has one that was read. */
  body?: string;
  /** Length of a body that was too long to be read. */
  unread?: number;
  /** The caller that its credentials proved, in place of the header. */
  caller?: Caller;
  /** Answers of its checks, in the order of asking; left out when there are none. */
  facts?: readonly NotedFact[];
  reply: CapsuleReply;
}

/** Credentials by what they proved: the replay puts its own in. */
export type Caller = { basic: string } | { control: true };

/** A step of the clock by a call of the library. */
export interface AdvanceLine {
  t: "advance";
  n: number;
  at: number;
  w: number;
  e: number;
  span: string;
}

/** A receiver's answer to one attempt. */
export interface AttemptLine {
  t: "attempt";
  n: number;
  at: number;
  w: number;
  event: string;
  answer: Record<string, unknown>;
}

/** Keys of a token issuer, as they were found. */
export interface KeysLine {
  t: "keys";
  n: number;
  at: number;
  issuer: string;
  /** Whether the start named keys for it. */
  configured: boolean;
  found: { keys: readonly object[]; problem?: string };
}

/** The address that the simulator listens on from here. */
export interface OriginLine {
  t: "origin";
  n: number;
  at: number;
  url: string;
}

/** A change of a world, without attempts: by what, by which row, and its digest. */
export interface ChangeLine {
  t: "change";
  n: number;
  at: number;
  /** Changes of one world have an order; files of version 1 do not name it. */
  world?: string;
  by: string;
  row?: string;
  digest: string;
}

/** A world as it stood at the beginning. */
export interface WorldLine {
  t: "world";
  n: number;
  at: number;
  image: WorldImage;
}

/** A value that no seed foretells. */
export interface DrawnLine {
  t: "drawn";
  n: number;
  at: number;
  what: DrawnKind;
  value: string;
}

export type CapsuleLine =
  | WorldLine
  | DrawnLine
  | RequestLine
  | AdvanceLine
  | AttemptLine
  | KeysLine
  | OriginLine
  | ChangeLine;

/** The last line of a capsule that was closed. */
export interface CapsuleEnd {
  end: number;
  /** Calls among them. */
  requests: number;
  /** Calls that were under way at the end: their changes may have lines, and they have none. */
  left?: number;
}

/** One line: checksum, length in bytes, JSON, as in the journal. */
export const encodeLine = (value: object): string => {
  const json = JSON.stringify(value);
  const checksum = crc32(json).toString(16).padStart(8, "0");
  return `${checksum} ${Buffer.byteLength(json)} ${json}\n`;
};
