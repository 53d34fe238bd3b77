import * as z from "zod";
import { AnyId } from "../core/identifiers.ts";
import { enumOf, named } from "../core/named-shape.ts";
import { Amount, AmountInput, PersonalText } from "../core/scalars.ts";

/** Networks of a withdrawal (spec/withdrawal-fees.md#network-fees). */
export const WITHDRAWAL_NETWORKS = [
  "SOLANA",
  "BASE",
  "POLYGON",
  "ETHEREUM",
  "SPARK",
  "LIGHTNING",
  "BITCOIN",
] as const;
export type WithdrawalNetwork = (typeof WITHDRAWAL_NETWORKS)[number];

/** Body of POST /crypto/estimate-withdrawal-fee (spec/withdrawal-fees.md#request-fields). */
export const WithdrawalFeeInput = named("WithdrawalFeeInput", () =>
  z.object({
    internalAccountId: AnyId,
    currency: z.string(),
    cryptoNetwork: enumOf("WithdrawalNetwork", WITHDRAWAL_NETWORKS),
    amount: AmountInput,
    destinationAddress: PersonalText,
  }),
);

export type WithdrawalFeeInput = z.infer<typeof WithdrawalFeeInput>;

/** Fee of a chain in the smallest unit of its own asset; it may have more digits than an amount. */
const NetworkFee = z.number().min(0).meta({ type: "integer", format: "int64" });

/**
 * Reply of POST /crypto/estimate-withdrawal-fee (spec/withdrawal-fees.md#reply-fields). All members
 * but `networkFee` are in the withdrawn currency.
 */
export const WithdrawalFeeEstimate = z.lazy(() =>
  z
    .object({
      networkFee: NetworkFee,
      networkFeeAsset: z.string(),
      applicationFee: Amount,
      totalFee: Amount,
      netAmount: Amount,
    })
    .meta({ id: "WithdrawalFeeEstimate" }),
);

export type WithdrawalFeeEstimate = z.infer<typeof WithdrawalFeeEstimate>;
