import { type RefusalRow, row } from "../core/refusal-row.ts";

/** Errors of internal and external accounts. */
export const ACCOUNT_REFUSALS = {
  INVALID_BANK_ACCOUNT: row(
    "INVALID_BANK_ACCOUNT",
    "The account details were refused",
    "Use other account details; service-sim outcomes lists the magic values",
  ),
  ACCOUNT_NOT_FOUND: row(
    "INVALID_INPUT",
    "{field} is not the id of an account: {value}",
    "Use an id from the list of internal or external accounts",
  ),
  ACCOUNT_NOT_ACTIVE: row(
    "INVALID_INPUT",
    "{value} is {accountStatus} and can neither send nor receive",
    "Use an account whose status is ACTIVE",
  ),
  ACCOUNT_KIND_NOT_ALLOWED: row(
    "INVALID_INPUT",
    "{field} cannot be {value}, which is {found}",
    "Use {expected}",
  ),
  EXTERNAL_ACCOUNT_EXISTS: row(
    "CONFLICT",
    "This account already exists",
    "Use the account named in details.existingAccountId",
  ),
  STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND: row(
    "STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND",
    "No account at the provider of stablecoins is linked",
    "Accounts at providers cannot be linked here; use the hosted service's sandbox",
  ),
} as const satisfies Record<string, RefusalRow>;
