import type { Page } from "../../contract/core/lists.ts";
import { type CurrencyCode, currencyObject } from "../../contract/money/currencies.ts";
import type { UmaProvider } from "../../contract/payments/uma-providers.ts";
import type { Reading, View } from "../core/draft.ts";
import { type ListInput, pageOfRows } from "../core/lists.ts";
import { DEFAULT_SETTINGS } from "../core/world-settings.ts";
import { sandboxDomains } from "../customers/uma-addresses.ts";

export interface ProviderRow {
  name: string;
  /** Left out: the sandbox's own, which the start can change. */
  domain?: string;
  supportedRegions: readonly string[];
  supportedCurrencies: readonly CurrencyCode[];
  /** Legal entity identifier (ISO 17442): 18 characters and two check digits. */
  lei: string;
  allowListStatus: boolean;
}

/** Invented institutions of UMA addresses, by name (spec/uma-providers.md#provider-table). */
export const SANDBOX_PROVIDERS: readonly ProviderRow[] = [
  {
    name: "Birch Payments",
    domain: "uma.birch-payments.test",
    supportedRegions: ["DE", "FR", "NL"],
    supportedCurrencies: ["EUR", "USDC"],
    lei: "5299SIMBIRCHPAYMT027",
    allowListStatus: false,
  },
  {
    name: "Opal Wallet",
    domain: "uma.opal-wallet.test",
    supportedRegions: ["BR", "MX"],
    supportedCurrencies: ["BRL", "MXN", "BTC"],
    lei: "5299SIMOPALWALLET088",
    allowListStatus: true,
  },
  {
    name: "Sandbox UMA",
    supportedRegions: ["DE", "MX", "US"],
    supportedCurrencies: ["USD", "EUR", "MXN"],
    lei: "5299SIMSANDBOXUMA075",
    allowListStatus: true,
  },
];

const showProvider = (view: View, row: ProviderRow): UmaProvider => {
  const { name, supportedRegions, supportedCurrencies, lei, allowListStatus } = row;
  const domain = row.domain ?? sandboxDomains(view)[0] ?? DEFAULT_SETTINGS.sandboxUmaDomains[0];
  return {
    name,
    supportedRegions: [...supportedRegions],
    domain,
    logoUrl: `https://${domain}/logo.svg`,
    supportedCurrencies: supportedCurrencies.map(currencyObject),
    lei,
    allowListStatus,
  };
};

interface ProviderFilters {
  countryCode?: string | undefined;
  currencyCode?: string | undefined;
  hasBlockedProviders?: boolean | undefined;
}

/**
 * GET /uma-providers: by name, Z first unless `sortOrder` is asc. `hasBlockedProviders=false` leaves
 * out providers off the allow list (spec/uma-providers.md#provider-filters).
 */
export const listUmaProviders: Reading<ListInput<ProviderFilters>, Page<UmaProvider>> = (
  view,
  input,
) => {
  const { countryCode, currencyCode, hasBlockedProviders = true } = input.query;
  const rows = SANDBOX_PROVIDERS.filter(
    ({ supportedRegions, supportedCurrencies, allowListStatus }) =>
      (countryCode === undefined || supportedRegions.includes(countryCode)) &&
      (currencyCode === undefined || supportedCurrencies.some((code) => code === currencyCode)) &&
      (hasBlockedProviders || allowListStatus),
  ).map((row) => showProvider(view, row));
  return pageOfRows({ list: "UmaProvider", input, rows, keyOf: ({ name }) => name });
};
