import type { EventType } from "../../contract/webhooks/events.ts";
import type { LabKind } from "../../contract/webhooks/lab-vectors.ts";
import type { DeliveryState, Kind, Records } from "../records/records.ts";
import type { DeliveryTrouble } from "../records/trouble-records.ts";
import type { Ids } from "./ids.ts";

/**
 * One entry of the ledger: positive credits the account, negative debits it
 * (spec/ledger.md#posting).
 */
export interface Posting {
  account: string;
  currency: string;
  amountMinor: bigint;
}

/** An event as it happened; `body` is signed and sent byte for byte. */
export interface EmittedEvent {
  id: string;
  type: EventType;
  lane: string;
  about?: string;
  body: string;
  /**
   * False when no endpoint was configured: the event is recorded and never sent
   * (spec/webhooks.md#missing-endpoint).
   */
  deliverable: boolean;
  /** Set for an event made by hand in the webhook lab. */
  lab?: LabOrigin;
  /** Set for an event of the world that met a trouble. */
  trouble?: EventTreatment;
}

/** The trouble that an event met, and how its delivery begins. */
export interface EventTreatment extends DeliveryTrouble {
  /** State of its delivery from the start, unless it waits for its lane. */
  state?: DeliveryState;
  nextAttemptAtMs?: number;
  /** Number of times it is sent again once it is accepted. */
  copies?: number;
}

/** The origin of an event that nothing in the world caused. */
export interface LabOrigin {
  kind: LabKind;
  /** State of its delivery from the start. */
  state: DeliveryState;
  nextAttemptAtMs?: number;
  /** The signed text, where it differs from the body. */
  signed?: string;
  /** The body in base64, where it is not text. */
  base64?: string;
}

/** The readable world of a rule. */
export interface View {
  get<K extends Kind>(kind: K, id: string): Records[K] | undefined;
  /** Ids in creation order, own writes included. */
  ids(kind: Kind, index: string, key: string): Ids;
  balanceMinor(account: string, currency: string): bigint;
}

/**
 * A unit of work over a world. Reads see its own writes, and the recorded writes are the change.
 * Dropping it undoes everything, since the world changes only when the change is applied.
 */
export interface Draft extends View {
  put<K extends Kind>(kind: K, record: Records[K]): void;
  del(kind: Kind, id: string): void;
  post(posting: Posting): void;
  emit(event: EmittedEvent): void;
  /** Runs work. If it throws, its writes are dropped and the earlier ones stay. */
  attempt<Result>(work: () => Result): Result;
  /**
   * Notes the table row that decided this change, for `why` and the advance report.
   * @param further rows that are settled now and apply later
   */
  decidedBy(row: string, ...further: readonly string[]): void;
  /** Notes a row that a tester had set beforehand, for `why`. */
  setByTester(row: string): void;
  /** All rows noted so far. */
  readonly decisions: readonly string[];
}

/** Values that a rule takes from outside the world (decisions/pure-rules.md). */
export interface Moment {
  /** Simulated epoch milliseconds. */
  readonly atMs: number;
  /**
   * A fresh `<kind>:<uuid v7>`; rises in creation order (spec/clock.md#ids).
   * @param suffix ending of the id; without one, no ending that has a meaning
   */
  newId(kind: string, suffix?: string): string;
  /** A number that rises with each call in this world. */
  nextOrder(): number;
  /** `length` characters of `alphabet`, keyed by seed, purpose and position in history. */
  draw(purpose: string, length: number, alphabet: string): string;
  /** Characters that are always the same for a purpose: keyed by the seed alone. */
  derive(purpose: string, length: number, alphabet: string): string;
}

export type Rule<Input, Reply> = (draft: Draft, input: Input, moment: Moment) => Reply;
export type Reading<Input, Reply> = (view: View, input: Input, moment: Moment) => Reply;

export const HEX = "0123456789abcdef";
export const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** A payment's reference: `REF-` and 9 characters (spec/transactions.md#references). */
export const drawReference = (moment: Moment) =>
  `REF-${moment.draw("payment-reference", 9, BASE32)}`;

/** Records of an index entry, in creation order. */
export const find = <K extends Kind>(view: View, kind: K, [index, key]: [string, string]) =>
  view
    .ids(kind, index, key)
    .slice()
    .map((id) => view.get(kind, id) as Records[K]);

/** All records of a kind, in creation order. */
export const all = <K extends Kind>(view: View, kind: K) => find(view, kind, ["all", ""]);

const written = new Map<number, string>();
const MAX_WRITTEN = 1000;

/**
 * A simulated instant in the service's format. Results are cached, since few instants are written
 * often.
 */
export const instant = (atMs: number): string => {
  const known = written.get(atMs);
  if (known !== undefined) return known;
  if (written.size >= MAX_WRITTEN) written.clear();
  const text = new Date(atMs).toISOString();
  written.set(atMs, text);
  return text;
};
