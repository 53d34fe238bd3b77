import type { EventType } from "../../contract/webhooks/events.ts";
import type { LabKind } from "../../contract/webhooks/webhook-lab.ts";
import type { DeliveryState, Kind, Records } from "../records/records.ts";
import type { Ids } from "./ids.ts";

/** One entry of the ledger: positive credits the account, negative debits it. */
export interface Posting {
  account: string;
  currency: string;
  amountMinor: bigint;
}

/** An event as it happened; `body` is what will be signed and sent, byte for byte. */
export interface EmittedEvent {
  id: string;
  type: EventType;
  lane: string;
  about?: string;
  body: string;
  /** False when no endpoint was configured: it is recorded and never sent. */
  deliverable: boolean;
  /** Made by hand, in the webhook lab. */
  lab?: LabOrigin;
}

/** What an event is that nothing in the world caused. */
export interface LabOrigin {
  kind: LabKind;
  /** How its delivery stands at once. */
  state: DeliveryState;
  nextAttemptAtMs?: number;
  /** What was signed, where that is not the body. */
  signed?: string;
  /** The body in base64, where it is no text. */
  base64?: string;
}

/** The world as a rule may read it. */
export interface View {
  get<K extends Kind>(kind: K, id: string): Records[K] | undefined;
  /** Ids in creation order, own writes included. */
  ids(kind: Kind, index: string, key: string): Ids;
  balanceMinor(account: string, currency: string): bigint;
}

/**
 * Unit of work over a world: reads see its own writes, and what it recorded is the change.
 * Dropping it undoes everything, since the world is touched only when the change is applied.
 */
export interface Draft extends View {
  put<K extends Kind>(kind: K, record: Records[K]): void;
  del(kind: Kind, id: string): void;
  post(posting: Posting): void;
  emit(event: EmittedEvent): void;
  /** Runs work; when it throws, what it recorded is dropped and what was there before stays. */
  attempt<Result>(work: () => Result): Result;
  /** Notes the table row that decided this change, for `why` and the advance report. */
  decidedBy(row: string): void;
}

/** Everything a rule would otherwise have to ask the outside for. */
export interface Moment {
  /** Simulated epoch milliseconds. */
  readonly atMs: number;
  /**
   * A fresh `<kind>:<uuid v7>`; rises in creation order.
   * @param suffix what it is to end in; without one it ends in nothing that means something
   */
  newId(kind: string, suffix?: string): string;
  /** A number that rises with each call in this world. */
  nextOrder(): number;
  /** `length` characters of `alphabet`, keyed by seed, purpose and position in history. */
  draw(purpose: string, length: number, alphabet: string): string;
  /** The same for the same purpose, whenever it is asked for: keyed by the seed alone. */
  derive(purpose: string, length: number, alphabet: string): string;
}

export type Rule<Input, Reply> = (draft: Draft, input: Input, moment: Moment) => Reply;
export type Reading<Input, Reply> = (view: View, input: Input, moment: Moment) => Reply;

export const HEX = "0123456789abcdef";
export const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** A payment's reference: `REF-` and 9 characters (payments O-24). */
export const drawReference = (moment: Moment) =>
  `REF-${moment.draw("payment-reference", 9, BASE32)}`;

/** Records of an index entry, in creation order. */
export const find = <K extends Kind>(view: View, kind: K, [index, key]: [string, string]) =>
  view
    .ids(kind, index, key)
    .slice()
    .map((id) => view.get(kind, id) as Records[K]);

/** The same, all of a kind. */
export const all = <K extends Kind>(view: View, kind: K) => find(view, kind, ["all", ""]);

const written = new Map<number, string>();
const MAX_WRITTEN = 1000;

/** Simulated milliseconds as the service writes instants; the same few are written again and again. */
export const instant = (atMs: number): string => {
  const known = written.get(atMs);
  if (known !== undefined) return known;
  if (written.size >= MAX_WRITTEN) written.clear();
  const text = new Date(atMs).toISOString();
  written.set(atMs, text);
  return text;
};
