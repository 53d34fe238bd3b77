import { WithdrawalFeeEstimate, WithdrawalFeeInput } from "../../contract/money/withdrawal-fees.ts";
import * as fees from "../../domain/money/withdrawal-fees.ts";
import { endpoint } from "../../http/door/endpoint.ts";

export const estimateWithdrawalFee = endpoint("estimateWithdrawalFee", {
  summary: "Estimate the fee of a crypto withdrawal; nothing is withdrawn",
  body: WithdrawalFeeInput,
  replies: [200, WithdrawalFeeEstimate],
  refuses: [
    "ACCOUNT_NOT_FOUND",
    "ACCOUNT_KIND_NOT_ALLOWED",
    "INVALID_CURRENCY",
    "INVALID_AMOUNT",
    "AMOUNT_OUT_OF_RANGE",
  ],
  handle: (input, { read }) => read(fees.estimateWithdrawalFee, input),
});
