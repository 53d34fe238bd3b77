import { hash } from "node:crypto";
import type { Moment } from "../domain/core/draft.ts";

/** Where a world's ids come from. `counter` is what the last change left. */
export interface IdSource {
  seed: string;
  /** Text where a starting world is made under settings that shape its records. */
  branch: number | string;
  counter: number;
  /** How much later than the first time a starting world is made again; its ids show no delay. */
  lateMs?: number;
  /** The change that is being made, which decides the order of what it sets. */
  seq?: number;
}

const HASH_HEX = 11;
const MAX_RANDOM_REHASHES = 64;
/** Endings 000 to 007 mean something to the service (ARCHITECTURE, Ids). */
const MEANINGFUL_ENDING = /00[0-7]$/;

const bits = (value: number, width: number) => (value & (2 ** width - 1)) >>> 0;

/**
 * A uuid v7 (RFC 9562): 48 bits of simulated time, then the counter in 32 bits, so that ids rise
 * strictly also within one millisecond, then 42 bits of a keyed hash.
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

const draw = (key: string, length: number, alphabet: string) => {
  let drawn = "";
  for (let block = 0; drawn.length < length; block += 1) {
    const digest = hash("sha256", `${key} ${block}`, "buffer");
    for (const byte of digest) drawn += alphabet[byte % alphabet.length];
  }
  return drawn.slice(0, length);
};

const ORDERS_PER_CHANGE = 2 ** 20;

/** No order given out up to a change is above this, none after it below. */
export const lastOrderOf = (seq: number) => (seq + 1) * ORDERS_PER_CHANGE;

/** A moment whose ids and draws repeat under the same seed and the same history. */
export const momentAt = (atMs: number, source: IdSource): Moment & { counter(): number } => {
  const own = { ...source };
  const next = () => {
    own.counter += 1;
    return own.counter;
  };
  // Not from the counter: how often receivers failed so far must not show in later ids.
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
