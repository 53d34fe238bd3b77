import type { SupportedCurrency } from "../contract/config.ts";
import type { View } from "./draft.ts";
import { platformConfig } from "./events.ts";

/** What the platform's settings say of a currency (platform digest 10.1), if it is in them. */
export const currencySettings = (view: View, code: string): SupportedCurrency | undefined =>
  platformConfig(view).supportedCurrencies.find(({ currencyCode }) => currencyCode === code);
