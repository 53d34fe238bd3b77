import type { SupportedCurrency } from "../../contract/platform/config.ts";
import { DEFAULT_CONFIG } from "../../domain/platform/config.ts";

/** Members of a platform's configuration that exercises depend on. */
export interface ExercisedConfig {
  umaDomain?: string;
  supportedCurrencies: readonly SupportedCurrency[];
  isRegulatedFinancialInstitution: boolean;
}

/** Whether the provider of a currency asks for fields of a customer. */
export const asksProvider = ({ providerRequiredCustomerFields = [] }: SupportedCurrency) =>
  providerRequiredCustomerFields.length > 0;

const isUsualIn = (usual: SupportedCurrency, entries: readonly SupportedCurrency[]) =>
  entries.some(
    ({ currencyCode, minAmount, maxAmount, ...entry }) =>
      currencyCode === usual.currencyCode &&
      minAmount <= usual.minAmount &&
      maxAmount >= usual.maxAmount &&
      entry.requiredCounterpartyFields.length === 0 &&
      usual.enabledTransactionTypes.every((one) => entry.enabledTransactionTypes.includes(one)),
  );

/** Changes that a platform needs before exercises can run, by who may make them. */
export interface ConfigChanges {
  /** Body of PATCH /config. */
  platform?: { umaDomain?: string; supportedCurrencies?: SupportedCurrency[] };
  /** Body of PATCH /_sim/config. */
  operator?: {
    supportedCurrencies: { currencyCode: string; providerRequiredCustomerFields: string[] }[];
    isRegulatedFinancialInstitution: boolean;
  };
}

/**
 * The changes that give a platform what every new one has (spec/config.md#default-configuration):
 * a domain, three currencies in both directions within wide bounds, and nobody who asks for more.
 */
export const changesToUsual = (config: ExercisedConfig): ConfigChanges => {
  const { umaDomain, supportedCurrencies: entries } = config;
  const { umaDomain: usualDomain, supportedCurrencies: usual } = DEFAULT_CONFIG;
  const hasUsual = usual.every((one) => isUsualIn(one, entries));
  const isUsualCode = (code: string) => usual.some(({ currencyCode }) => currencyCode === code);
  const others = entries.filter(({ currencyCode }) => !isUsualCode(currencyCode));
  const platform = {
    ...(umaDomain === undefined && { umaDomain: usualDomain }),
    ...(!hasUsual && { supportedCurrencies: [...usual, ...others] }),
  };
  const asking = entries.filter(asksProvider);
  const isOperators = asking.length > 0 || config.isRegulatedFinancialInstitution;
  return {
    ...(Object.keys(platform).length > 0 && { platform }),
    ...(isOperators && {
      operator: {
        supportedCurrencies: asking.map(({ currencyCode }) => ({
          currencyCode,
          providerRequiredCustomerFields: [],
        })),
        isRegulatedFinancialInstitution: false,
      },
    }),
  };
};

/** Whether exercises find all they need, so that a call works as it stands. */
export const isUsual = (config: ExercisedConfig) => {
  const { platform, operator } = changesToUsual(config);
  return !platform && !operator;
};
