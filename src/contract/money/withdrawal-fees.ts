import * as z from "zod";
import { AnyId } from "../core/identifiers.ts";
import { Amount, AmountInput, PersonalText } from "../core/scalars.ts";

/** Networks that crypto is withdrawn over (payments O-70). */
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

/** Body of POST /crypto/estimate-withdrawal-fee (payments digest 17). */
export const WithdrawalFeeInput = z.lazy(() =>
  z.object({
    internalAccountId: AnyId,
    currency: z.string(),
    cryptoNetwork: z.enum(WITHDRAWAL_NETWORKS),
    amount: AmountInput,
    destinationAddress: PersonalText,
  }),
);

export type WithdrawalFeeInput = z.infer<typeof WithdrawalFeeInput>;

/** What a chain takes, in the smallest unit of its own asset: more digits than amounts have. */
const NetworkFee = z.number().min(0).meta({ type: "integer", format: "int64" });

/** Reply of POST /crypto/estimate-withdrawal-fee; all but `networkFee` in the currency's units. */
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
