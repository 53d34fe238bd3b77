import { latestTypeRow } from "../../contract/accounts/external-account-types.ts";
import type { AccountInfo } from "../../contract/accounts/external-accounts.ts";

/**
 * The identifier of an account: the first member present among those of its type
 * (spec/external-accounts.md#identifier).
 */
export const primaryIdentifier = (info: AccountInfo): { field: string; value: string } => {
  const { identifiedBy } = latestTypeRow(info.accountType);
  const field = identifiedBy.find((member) => info[member] !== undefined) ?? identifiedBy[0] ?? "";
  return { field, value: String(info[field] ?? "") };
};
