import type { AccountInfo } from "../../contract/accounts/external-accounts.ts";
import { primaryIdentifier } from "../records/primary-identifier.ts";

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
