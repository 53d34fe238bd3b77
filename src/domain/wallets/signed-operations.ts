import type { AuthMethodType } from "../../contract/wallets/credentials.ts";
import type { Draft, Moment, Reading } from "../core/draft.ts";
import type { FindFact } from "../core/facts.ts";
import type { InternalAccountRecord } from "../records/records.ts";
import type { SessionRecord } from "../records/wallet-records.ts";
import type { WalletActivity } from "./wallet-activities.ts";

/** The call that is signed, as it came. */
export interface SignedCall {
  method: string;
  /** The path with its parameters filled in. */
  path: string;
  signature?: string | undefined;
  requestId?: string | undefined;
  /** Finds facts about its signature. */
  find?: FindFact;
}

/**
 * The challenge that an operation asks for, and who may sign it
 * (spec/signed-retry.md#signed-operations).
 */
export interface SigningRequest {
  /** Wallet whose owner is asked; its provider names go into the payload. */
  wallet: InternalAccountRecord;
  activity: WalletActivity;
  /**
   * `type` of the challenge, on operations that have one (spec/signed-retry.md#challenge-fields).
   */
  type?: AuthMethodType;
  /** Wallets whose active sessions may sign; `wallet` alone when left out. */
  wallets?: readonly string[];
  /** The reason why a session of these wallets may not sign; nothing when it may. */
  objection?(session: SessionRecord): string | undefined;
  /** Key that the request is about, kept beside it. */
  clientPublicKey?: string;
  /** A value beside the body that must be equal on both calls, with its own refusal. */
  seen?: { value: string; refuseChanged(): never };
  /**
   * A text that exists already and may be signed without `Request-Id` while it lasts
   * (spec/signed-retry.md#standing-payload). A challenge still gets a text of its own.
   */
  standing?: { payloadToSign: string; untilMs: number };
}

/** An operation with everything it names looked up and checked. */
export interface PreparedOperation<Reply> {
  /** The request to the wallet's owner; "unsigned" when this call needs no signature. */
  toSign: SigningRequest | "unsigned";
  apply(draft: Draft, moment: Moment): Reply;
}

/**
 * An operation that happens only once an owner of the wallet has signed it. Refuses an operation
 * that is not possible; runs on both calls.
 */
export type SignedOperation<Input, Reply> = Reading<Input, PreparedOperation<Reply>>;

/** The operation of a call, to which its request is bound. */
export const operationOf = ({ method, path }: SignedCall) => `${method} ${path}`;
