import { MAX_AMOUNT_MINOR } from "../../contract/core/scalars.ts";
import type { CurrencyCode } from "../../contract/money/currencies.ts";
import type {
  WithdrawalFeeEstimate,
  WithdrawalFeeInput,
  WithdrawalNetwork,
} from "../../contract/money/withdrawal-fees.ts";
import type { Reading, View } from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";
import {
  COIN_OF_CURRENCY,
  WITHDRAWAL_APPLICATION_FEE_MINOR,
  WITHDRAWAL_NETWORK_FEES,
  type WithdrawalNetworkRow,
} from "./withdrawal-networks.ts";

const FIELD = "internalAccountId";

/**
 * The internal account to withdraw from; it must hold crypto
 * (spec/withdrawal-fees.md#eligible-accounts).
 */
const cryptoAccount = (view: View, value: string) => {
  const expected = "an internal account that holds crypto";
  if (view.get("ExternalAccount", value))
    refuse("ACCOUNT_KIND_NOT_ALLOWED", {
      field: FIELD,
      value,
      found: "an external account",
      expected,
    });
  const account = view.get("InternalAccount", value);
  if (!account) return refuse("ACCOUNT_NOT_FOUND", { field: FIELD, value });
  const coin = COIN_OF_CURRENCY[account.currency];
  if (coin) return { currency: account.currency, coin };
  const found = `an account in ${account.currency}`;
  return refuse("ACCOUNT_KIND_NOT_ALLOWED", { field: FIELD, value, found, expected });
};

const requireCurrency = (currency: CurrencyCode, asked: string) => {
  if (asked !== currency)
    refuse(
      "INVALID_CURRENCY",
      { field: "currency", currency: asked, expected: currency },
      { says: `The account holds ${currency}, not ${asked}`, next: `Use ${currency}` },
    );
};

/**
 * Fee of a network for a coin, in that coin; refuses a network that does not carry it
 * (spec/withdrawal-fees.md#network-fees).
 */
const networkFeeMinor = (
  network: WithdrawalNetwork,
  { currency, coin }: { currency: CurrencyCode; coin: "stablecoin" | "BTC" },
): number => {
  const { feeMinor }: WithdrawalNetworkRow = WITHDRAWAL_NETWORK_FEES[network];
  return (
    feeMinor[coin] ??
    refuse(
      "INVALID_INPUT",
      { field: "cryptoNetwork", value: network },
      `${currency} cannot be withdrawn over ${network}`,
    )
  );
};

/**
 * POST /crypto/estimate-withdrawal-fee: the part of an amount that would arrive
 * (spec/withdrawal-fees.md#net-amount). Nothing is withdrawn or held, and the balance is not
 * checked.
 */
export const estimateWithdrawalFee: Reading<{ body: WithdrawalFeeInput }, WithdrawalFeeEstimate> = (
  view,
  { body },
) => {
  const { internalAccountId, currency, cryptoNetwork, amount: amountMinor } = body;
  const account = cryptoAccount(view, internalAccountId);
  requireCurrency(account.currency, currency);
  const feeMinor = networkFeeMinor(cryptoNetwork, account);
  const totalMinor = feeMinor + WITHDRAWAL_APPLICATION_FEE_MINOR;
  if (amountMinor > MAX_AMOUNT_MINOR || amountMinor < totalMinor)
    refuse(
      "AMOUNT_OUT_OF_RANGE",
      { field: "amount", value: amountMinor, min: totalMinor, max: MAX_AMOUNT_MINOR },
      amountMinor < totalMinor
        ? `${amountMinor} does not cover the fee of ${totalMinor} over ${cryptoNetwork}`
        : undefined,
    );
  const { networkFee, networkFeeAsset } = WITHDRAWAL_NETWORK_FEES[cryptoNetwork];
  return {
    networkFee,
    networkFeeAsset,
    applicationFee: WITHDRAWAL_APPLICATION_FEE_MINOR,
    totalFee: totalMinor,
    netAmount: amountMinor - totalMinor,
  };
};
