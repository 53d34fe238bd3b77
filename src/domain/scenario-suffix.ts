import { accountTypeRow } from "../contract/external-account-types.ts";
import type { AccountInfo } from "../contract/external-accounts.ts";

/** The identifier of an account: the first member its type is identified by (payments 6.4). */
export const primaryIdentifier = (info: AccountInfo): { field: string; value: string } => {
  const { identifiedBy } = accountTypeRow(info.accountType);
  const field = identifiedBy.find((member) => info[member] !== undefined) ?? identifiedBy[0] ?? "";
  return { field, value: String(info[field] ?? "") };
};

/**
 * The last three characters of a number, if they are digits; spaces and dashes do not count
 * (decisions, Suffixes).
 */
export const digitsAtEnd = (number: string): string | undefined =>
  /[0-9]{3}$/.exec(number.replace(/[\s-]/g, ""))?.[0];

/**
 * The three digits that choose a scenario, or nothing. A domain part is cut off first; spaces
 * and dashes do not count (payments 14.1, O-60).
 */
export const scenarioSuffix = (info: AccountInfo): string | undefined => {
  const [local = ""] = primaryIdentifier(info).value.split("@");
  return digitsAtEnd(local);
};
