import * as z from "zod";
import { AnyId, idOf } from "../core/identifiers.ts";
import { enumOf, named } from "../core/named-shape.ts";
import { added, addedValue, revised, withValues } from "../core/revised-shape.ts";
import { AmountInput, Instant } from "../core/scalars.ts";
import { CurrencyAmount } from "../money/money.ts";
import { PaymentInstructions } from "./payment-instructions.ts";

export const INTERNAL_ACCOUNT_TYPES = [
  "INTERNAL_FIAT",
  "INTERNAL_CRYPTO",
  "EMBEDDED_WALLET",
] as const;
export const INTERNAL_ACCOUNT_STATUSES = ["PENDING", "ACTIVE", "CLOSED", "FROZEN"] as const;

export type InternalAccountType = (typeof INTERNAL_ACCOUNT_TYPES)[number];
export type InternalAccountStatus = (typeof INTERNAL_ACCOUNT_STATUSES)[number] | "FAILED";

/** Status of an internal account, with the one of later revisions. */
export const InternalAccountStatus = withValues(
  enumOf("InternalAccountStatus", INTERNAL_ACCOUNT_STATUSES),
  { FAILED: addedValue("failedAccounts") },
);

/**
 * InternalAccount of a reply; without `customerId` it is the platform's own
 * (spec/internal-accounts.md#account-fields).
 */
export const InternalAccount = named("InternalAccount", () =>
  revised(
    z.object({
      id: idOf("InternalAccount"),
      customerId: idOf("Customer").optional(),
      type: enumOf("InternalAccountType", INTERNAL_ACCOUNT_TYPES),
      status: InternalAccountStatus,
      balance: CurrencyAmount,
      fundingPaymentInstructions: z.array(PaymentInstructions),
      privateEnabled: z.boolean().optional(),
      createdAt: Instant,
      updatedAt: Instant,
    }),
    { totalBalance: added("totalBalances", CurrencyAmount) },
  ),
);

export type InternalAccount = z.infer<typeof InternalAccount>;

/** Largest sandbox funding, in minor units (spec/internal-accounts.md#sandbox-funding). */
export const MAX_SANDBOX_FUND_MINOR = 100_000_000_000;

export const FundInput = named("SandboxFundInput", () => z.object({ amount: AmountInput }));

export const InternalAccountsQuery = {
  currency: z.string().optional(),
  customerId: AnyId.optional(),
  type: enumOf("InternalAccountType", INTERNAL_ACCOUNT_TYPES).optional(),
};
