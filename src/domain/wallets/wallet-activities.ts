import { defined } from "../../contract/core/defined.ts";
import { digestHex } from "../../crypto/digest.ts";
import type { InternalAccountRecord } from "../records/records.ts";

/** An activity of the wallet provider, as the client signs it (spec/signed-retry.md#activities). */
export interface WalletActivity {
  type: `ACTIVITY_TYPE_${string}`;
  parameters: object;
  /** A fifth member, of quotes only. */
  generateAppProofs?: true;
}

const uuidOf = (id: string) => id.slice(id.indexOf(":") + 1);

const ADDRESS_HEX = 40;

/** The wallet provider's names for a wallet's owner, its keys and its address. */
export const providerNames = ({ id, customerId = id }: InternalAccountRecord) => ({
  organizationId: uuidOf(id),
  userId: uuidOf(customerId),
  walletId: uuidOf(id),
  signWith: `0x${digestHex(`wallet address ${id}`).slice(0, ADDRESS_HEX)}`,
});

/**
 * Writes the text to sign: compact JSON, members in alphabetical order
 * (spec/signed-retry.md#payload-text).
 * @param moment.requestId id of the challenge; it keeps the texts of two challenges apart, even
 * when both ask for the same thing at one instant
 */
export const activityText = (
  account: InternalAccountRecord,
  { type, parameters, ...rest }: WalletActivity,
  { atMs, requestId }: { atMs: number; requestId?: string },
): string => {
  const { organizationId } = providerNames(account);
  return JSON.stringify({
    ...rest,
    organizationId,
    parameters,
    ...defined({ requestId }),
    timestampMs: `${atMs}`,
    type,
  });
};

/** The activity that gives a wallet's owner a phone number, or takes it with an empty one. */
export const numberActivity = (userId: string, userPhoneNumber: string): WalletActivity => ({
  type: "ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER",
  parameters: { userId, userPhoneNumber },
});

/** The activity that asks for a session of a client's key. */
export const sessionActivity = (targetPublicKey: string): WalletActivity => ({
  type: "ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2",
  parameters: { targetPublicKey },
});
