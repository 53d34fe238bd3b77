import { defined } from "../../contract/core/defined.ts";
import { digestHex } from "../../crypto/digest.ts";
import type { InternalAccountRecord } from "../records/records.ts";

/** What a client signs, as a wallet provider's activity (wallets digest 4.4). */
export interface WalletActivity {
  type: `ACTIVITY_TYPE_${string}`;
  parameters: object;
  /** Beside the four members all activities have. */
  generateAppProofs?: true;
}

const uuidOf = (id: string) => id.slice(id.indexOf(":") + 1);

const ADDRESS_HEX = 40;

/** How the wallet provider would call a wallet's owner, its keys and its address. */
export const providerNames = ({ id, customerId = id }: InternalAccountRecord) => ({
  organizationId: uuidOf(id),
  userId: uuidOf(customerId),
  walletId: uuidOf(id),
  signWith: `0x${digestHex(`wallet address ${id}`).slice(0, ADDRESS_HEX)}`,
});

/**
 * The text to sign: compact JSON, members in order of their names. Its bytes never change.
 * @param asked.requestId of the challenge; it keeps the texts of two challenges apart, also of
 * those that ask for the same at one instant
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
