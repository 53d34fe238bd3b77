import type { Discovery } from "../../contract/payments/discoveries.ts";
import type { Reading } from "../core/draft.ts";
import { REGION_CURRENCIES } from "../core/regions.ts";
import { DISCOVERABLE_BANKS } from "./discoverable-banks.ts";

const DISCOVERIES: readonly Discovery[] = Object.entries(DISCOVERABLE_BANKS).flatMap(
  ([country, banks]) =>
    banks.map((bank) => ({ ...bank, country, currency: REGION_CURRENCIES[country] ?? "" })),
);

interface DiscoveryFilters {
  country?: string | undefined;
  currency?: string | undefined;
}

/** GET /discoveries: all banks, or those that fit both filters (spec/discoveries.md#filters). */
export const listDiscoveries: Reading<{ query: DiscoveryFilters }, { data: Discovery[] }> = (
  _view,
  { query: { country, currency } },
) => ({
  data: DISCOVERIES.filter(
    (bank) =>
      bank.country === (country ?? bank.country) && bank.currency === (currency ?? bank.currency),
  ),
});
