import { hash } from "node:crypto";
import type { Moment } from "../domain/core/draft.ts";
import { QUOTED_PAYMENT_OUTCOMES } from "../domain/outcomes/outcomes.ts";

/** Source of a world's ids; `counter` is the value after the last change. */
export interface IdSource {
  seed: string;
  /** A text where shaping settings give the default world other records. */
  branch: number | string;
  counter: number;
  /** Time since the first start, for the default world made again: its ids must not show it. */
  lateMs?: number;
  /** Number of the change in progress, which orders the timers it sets. */
  seq?: number;
}

const MAX_RANDOM_REHASHES = 64;

const LAST_ENDING = Object.keys(QUOTED_PAYMENT_OUTCOMES)
  .filter((row) => row !== "otherwise")
  .reduce((last, row) => Math.max(last, Number(row)), 0);

/**
 * Endings 000 to the last one of a quoted payment, which mean something in the sandbox
 * (spec/clock.md#ids).
 */
const MEANINGFUL = new Set(
  Array.from({ length: LAST_ENDING + 1 }, (_, ending) => String(ending).padStart(3, "0")),
);

const hexOf = (value: number, digits: number) => value.toString(16).padStart(digits, "0");

/** The part of a UUID v7 that its time gives, up to the version. */
const timePart = (atMs: number) => {
  const time = hexOf(atMs, 12);
  return `${time.slice(0, 8)}-${time.slice(8)}-7`;
};

/**
 * Makes a UUID v7 (RFC 9562, section 5.7; spec/clock.md#ids): 48 bits of simulated time, a 32-bit
 * counter and 42 bits of a keyed hash. The counter keeps ids rising within one millisecond.
 */
const uuidV7 = (time: string, counter: number, digest: string) => {
  const high = hexOf((counter >>> 20) & 0xfff, 3);
  const low = counter & 0xfffff;
  const middle = hexOf(0x8000 | (low >>> 6), 4);
  const first = Number.parseInt(digest.slice(0, 6), 16);
  const next = Number.parseInt(digest.slice(6, 11), 16);
  const tail = hexOf(((low & 0x3f) << 18) | (first >>> 6), 6);
  return `${time}${high}-${middle}-${tail}${hexOf(((first & 0x3f) << 18) | (next >>> 2), 6)}`;
};

const newId = (kind: string, time: string, { seed, branch, counter }: IdSource) => {
  for (let attempt = 0; attempt < MAX_RANDOM_REHASHES; attempt += 1) {
    const digest = hash("sha256", `${seed} ${branch} ${counter} ${kind} ${attempt}`, "hex");
    const id = `${kind}:${uuidV7(time, counter, digest)}`;
    if (!MEANINGFUL.has(id.slice(-3))) return id;
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
  return newId(kind, timePart(ofHex(early + late)), { ...source, counter }) === id;
};

const draw = (key: string, length: number, alphabet: string) => {
  let drawn = "";
  for (let block = 0; drawn.length < length; block += 1) {
    const digest = hash("sha256", `${key} ${block}`, "buffer");
    const end = Math.min(digest.length, length - drawn.length);
    for (let at = 0; at < end; at += 1) drawn += alphabet[(digest[at] as number) % alphabet.length];
  }
  return drawn;
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
  // Most moments draw no id.
  let time: string | undefined;
  // The order ignores the counter: the number of failed attempts must not show in later ids.
  let order = lastOrderOf((source.seq ?? source.counter) - 1);
  return {
    atMs,
    newId: (kind, suffix = "") => {
      next();
      time ??= timePart(atMs - (own.lateMs ?? 0));
      const id = newId(kind, time, own);
      return suffix === "" ? id : id.slice(0, id.length - suffix.length) + suffix;
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
