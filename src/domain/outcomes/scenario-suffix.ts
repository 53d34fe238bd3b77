import type { AccountInfo } from "../../contract/accounts/external-accounts.ts";
import { primaryIdentifier } from "../records/primary-identifier.ts";

/**
 * The last three characters of a number, if they are digits; blanks and dashes do not count
 * (spec/sandbox.md#suffix-reading).
 */
export const digitsAtEnd = (number: string): string | undefined =>
  /[0-9]{3}$/.exec(number.replace(/[\s-]/g, ""))?.[0];

/**
 * The three digits of an account that choose a scenario, if it has them
 * (spec/sandbox.md#suffix-reading). The identifier is cut at the first `@`; blanks and dashes do
 * not count.
 */
export const scenarioSuffix = (info: AccountInfo): string | undefined => {
  const [local = ""] = primaryIdentifier(info).value.split("@");
  return digitsAtEnd(local);
};
