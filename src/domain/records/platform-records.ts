import type { CurrencyCode } from "../../contract/money/currencies.ts";
import type { InvitationStatus } from "../../contract/platform/invitations.ts";
import type { Permission } from "../../contract/platform/tokens.ts";
import type { Timestamps } from "./timestamps.ts";

/** Credentials for calls of the platform (spec/tokens.md#fields). */
export interface ApiTokenRecord extends Timestamps {
  name: string;
  clientId: string;
  /** SHA-256 of the secret, hex. */
  secretHash: string;
  permissions: Permission[];
}

/** An invitation to join by UMA; its id is its code (spec/invitations.md#fields). */
export interface InvitationRecord extends Timestamps {
  /** The stored status; expiry is computed at each read. */
  status: Exclude<InvitationStatus, "EXPIRED">;
  inviterUma: string;
  inviteeUma?: string;
  firstName?: string;
  amountToSend?: { amountMinor: number; currency: CurrencyCode };
  expiresAtMs?: number;
  claimedAtMs?: number;
}

/** The word that a world has in place of `service` on the wire, and what its clients expect. */
export interface BrandSetting {
  word: string;
  /** Versions of the API by further paths that they are mounted at. */
  paths?: Readonly<Record<string, string>>;
  /** Sets of variables, each with the value that it is given. */
  env?: readonly Readonly<Record<string, string>>[];
}
