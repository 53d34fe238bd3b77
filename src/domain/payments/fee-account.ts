import { find, type View } from "../core/draft.ts";
import { hasRoom } from "../money/ledger.ts";
import type { InternalAccountRecord, OutgoingRecord } from "../records/records.ts";
import { PLATFORM_OWNER } from "../records/tables.ts";

/** The account of the platform that a fee is credited to, while it can take it. */
export const feeAccount = (
  view: View,
  { sendingCurrency: currency, platformFeesMinor = 0 }: OutgoingRecord,
): InternalAccountRecord | undefined =>
  find(view, "InternalAccount", ["byOwner", PLATFORM_OWNER]).find(
    (account) =>
      account.currency === currency &&
      account.status === "ACTIVE" &&
      hasRoom(view, { account: account.id, currency, amountMinor: BigInt(platformFeesMinor) }),
  );
