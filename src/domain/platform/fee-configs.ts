import type { PlatformConfig } from "../../contract/platform/config.ts";
import { FEE_CURRENCY, type FeeConfig } from "../../contract/platform/fee-configs.ts";
import { refuse } from "../core/refusal.ts";
import type { LaterMembers } from "../core/revision.ts";
import type { FeeConfigRecord, PlatformConfigRecord } from "../records/records.ts";

const showFee = ({ feeType, sourceCurrency, variableFeeBps, fixedMinor }: FeeConfigRecord) => ({
  feeType,
  sourceCurrency,
  variableFeeBps,
  fixedFee: { amount: fixedMinor, currency: sourceCurrency },
});

/** Members of the configuration that later revisions brought. */
export const LATER_CONFIG: LaterMembers<PlatformConfig, PlatformConfigRecord> = {
  supportedCurrencies: {
    since: "identityFields",
    value: (_view, { supportedCurrencies }) => supportedCurrencies,
  },
  feeConfigs: {
    since: "platformFees",
    value: (_view, { feeConfigs = [] }) => feeConfigs.map(showFee),
  },
  cardTokenization2faConfig: {
    since: "cardTokenTexts",
    value: (_view, { cardTokenization2faConfig }) => cardTokenization2faConfig,
  },
};

const storedFee = (
  { feeType, sourceCurrency, variableFeeBps, fixedFee }: FeeConfig,
  at: number,
): FeeConfigRecord => {
  if (sourceCurrency !== FEE_CURRENCY)
    return refuse("NOT_IMPLEMENTED", { what: `A fee on payments in ${sourceCurrency}` });
  const field = `feeConfigs.${at}.fixedFee.currency`;
  if (fixedFee.currency !== sourceCurrency)
    refuse("INVALID_INPUT", { field, value: fixedFee.currency }, `Expected ${sourceCurrency}`);
  return { feeType, sourceCurrency, variableFeeBps, fixedMinor: fixedFee.amount };
};

const isSameKey = (one: FeeConfigRecord, other: FeeConfigRecord) =>
  one.feeType === other.feeType && one.sourceCurrency === other.sourceCurrency;

/**
 * Merges fees by their type and currency: those that are not sent stay, and one of zero leaves the
 * list (spec/later-payments.md#platform-fees).
 */
export const mergeFees = (
  stored: readonly FeeConfigRecord[] = [],
  sent: readonly FeeConfig[],
): FeeConfigRecord[] =>
  sent
    .map(storedFee)
    .reduce<FeeConfigRecord[]>(
      (fees, fee) => [...fees.filter((one) => !isSameKey(one, fee)), fee],
      [...stored],
    )
    .filter(({ variableFeeBps, fixedMinor }) => variableFeeBps > 0 || fixedMinor > 0);
