import { hash } from "node:crypto";
import type { Moment } from "../domain/core/draft.ts";

/** Source of a world's ids; `counter` is the value after the last change. */
export interface IdSource {
  seed: string;
  /** A text where shaping settings give the starting world other records. */
  branch: number | string;
  counter: number;
  /** Time since the first start, for a starting world made again: its ids must not show it. */
  lateMs?: number;
  /** Number of the change in progress, which orders the timers it sets. */
  seq?: number;
}

const HASH_HEX = 11;
const MAX_RANDOM_REHASHES = 64;
/** Endings 000 to 007, which have a meaning in the sandbox (spec/clock.md#ids). */
const MEANINGFUL_ENDING = /00[0-7]$/;

const bits = (value: number, width: number) => (value & (2 ** width - 1)) >>> 0;

/**
 * Makes a UUID v7 (RFC 9562, section 5.7; spec/clock.md#ids): 48 bits of simulated time, a 32-bit
 * counter and 42 bits of a keyed hash. The counter keeps ids rising within one millisecond.
 */
const uuidV7 = (atMs: number, counter: number, random: bigint) => {
  const time = atMs.toString(16).padStart(12, "0");
  const high = bits(counter >>> 20, 12)
    .toString(16)
    .padStart(3, "0");
  const low = bits(counter, 20);
  const variant = (0x8 | (low >>> 18)).toString(16);
  const middle = bits(low >>> 6, 12)
    .toString(16)
    .padStart(3, "0");
  const tail = ((BigInt(low & 0x3f) << 42n) | random).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${high}-${variant}${middle}-${tail}`;
};

const random42 = (text: string) =>
  BigInt(`0x${hash("sha256", text, "hex").slice(0, HASH_HEX)}`) >> 2n;

const newId = (kind: string, atMs: number, source: IdSource) => {
  const { seed, branch, counter, lateMs = 0 } = source;
  for (let attempt = 0; attempt < MAX_RANDOM_REHASHES; attempt += 1) {
    const key = `${seed} ${branch} ${counter} ${kind} ${attempt}`;
    const id = `${kind}:${uuidV7(atMs - lateMs, counter, random42(key))}`;
    if (!MEANINGFUL_ENDING.test(id)) return id;
  }
  throw new Error(`No id of kind ${kind} without a meaningful ending was found`);
};

const PARTS =
  /^(\w+):([0-9a-f]{8})-([0-9a-f]{4})-7([0-9a-f]{3})-([0-9a-f])([0-9a-f]{3})-([0-9a-f]{2})/;

const ofHex = (text: string) => Number.parseInt(text, 16);

/** Whether an id without a given ending was drawn in a branch: its keyed hash says so. */
export const isDrawnIn = (id: string, source: Pick<IdSource, "seed" | "branch">): boolean => {
  const [, kind = "", early = "", late = "", high = "", variant = "", middle = "", tail = ""] =
    PARTS.exec(id) ?? [];
  if (kind === "") return false;
  const low = ((ofHex(variant) & 0x3) << 18) | (ofHex(middle) << 6) | (ofHex(tail) >>> 2);
  const counter = ofHex(high) * 2 ** 20 + low;
  return newId(kind, ofHex(early + late), { ...source, counter }) === id;
};

const draw = (key: string, length: number, alphabet: string) => {
  let drawn = "";
  for (let block = 0; drawn.length < length; block += 1) {
    const digest = hash("sha256", `${key} ${block}`, "buffer");
    for (const byte of digest) drawn += alphabet[byte % alphabet.length];
  }
  return drawn.slice(0, length);
};

const ORDERS_PER_CHANGE = 2 ** 20;

/** Upper bound of the orders given out up to a change; later changes get higher ones. */
export const lastOrderOf = (seq: number) => (seq + 1) * ORDERS_PER_CHANGE;

/**
 * A moment whose ids and draws repeat under the same seed and history (spec/clock.md#determinism).
 */
export const momentAt = (atMs: number, source: IdSource): Moment & { counter(): number } => {
  const own = { ...source };
  const next = () => {
    own.counter += 1;
    return own.counter;
  };
  // The order ignores the counter: the number of failed attempts must not show in later ids.
  let order = lastOrderOf((source.seq ?? source.counter) - 1);
  return {
    atMs,
    newId: (kind, suffix = "") => {
      next();
      const id = newId(kind, atMs, own);
      return id.slice(0, id.length - suffix.length) + suffix;
    },
    nextOrder: () => {
      order += 1;
      return order;
    },
    draw: (purpose, length, alphabet) =>
      draw(`${own.seed} ${own.branch} ${next()} ${purpose}`, length, alphabet),
    derive: (purpose, length, alphabet) => draw(`${own.seed} ${purpose}`, length, alphabet),
    counter: () => own.counter,
  };
};
