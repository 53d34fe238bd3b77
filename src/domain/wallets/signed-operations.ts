import type { AuthMethodType } from "../../contract/wallets/credentials.ts";
import type { Draft, Moment, Reading } from "../core/draft.ts";
import type { InternalAccountRecord } from "../records/records.ts";
import type { SessionRecord } from "../records/wallet-records.ts";
import type { WalletActivity } from "./wallet-activities.ts";

/** The call that is signed, as it came (wallets digest 4.2). */
export interface SignedCall {
  method: string;
  /** With its parameters filled in. */
  path: string;
  signature?: string | undefined;
  requestId?: string | undefined;
}

/** What an operation asks to be signed, and who may sign it. */
export interface SigningRequest {
  /** The wallet whose owner is asked; its provider names go into the payload. */
  wallet: InternalAccountRecord;
  activity: WalletActivity;
  /** `type` of the challenge, where the operation tells one (wallets digest 3.3). */
  type?: AuthMethodType;
  /** Wallets whose active sessions may sign; the one above when left out. */
  wallets?: readonly string[];
  /** Says why a session of these wallets may not sign this; nothing when it may. */
  objection?(session: SessionRecord): string | undefined;
  /** What must be the same on both calls beside the body; refused with its own word. */
  seen?: { value: string; refuseChanged(): never };
  /**
   * A text that stands already, for as long as it does, and may be signed without Request-Id. A
   * challenge has a text of its own all the same: a signature over it fits its request alone.
   */
  standing?: { payloadToSign: string; untilMs: number };
}

/** An operation with everything it names looked up and checked. */
export interface PreparedOperation<Reply> {
  /** The request to the wallet's owner; "unsigned" when nobody has to sign this one. */
  toSign: SigningRequest | "unsigned";
  apply(draft: Draft, moment: Moment): Reply;
}

/**
 * An operation that happens only when an owner of the wallet has signed it. Refuses an operation
 * that is not possible; runs on both calls.
 */
export type SignedOperation<Input, Reply> = Reading<Input, PreparedOperation<Reply>>;

/** The operation a call asks for, as its request is bound to it. */
export const operationOf = ({ method, path }: SignedCall) => `${method} ${path}`;
