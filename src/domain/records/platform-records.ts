import type { CurrencyCode } from "../../contract/money/currencies.ts";
import type { InvitationStatus } from "../../contract/platform/invitations.ts";
import type { Permission } from "../../contract/platform/tokens.ts";
import type { Stamped } from "./stamped.ts";

/** What calls on the platform's behalf are made with (payments digest 19). */
export interface ApiTokenRecord extends Stamped {
  name: string;
  clientId: string;
  /** SHA-256 of the secret, hex. */
  secretHash: string;
  permissions: Permission[];
}

/** An invitation to join by UMA; its id is its code (platform digest 9). */
export interface InvitationRecord extends Stamped {
  /** As somebody has left it: that time has run out is seen when it is read. */
  status: Exclude<InvitationStatus, "EXPIRED">;
  inviterUma: string;
  inviteeUma?: string;
  firstName?: string;
  amountToSend?: { amountMinor: number; currency: CurrencyCode };
  expiresAtMs?: number;
  claimedAtMs?: number;
}
