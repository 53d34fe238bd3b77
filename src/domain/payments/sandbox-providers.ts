import type { CurrencyCode } from "../../contract/money/currencies.ts";

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
