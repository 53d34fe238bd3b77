import type { CurrencyCode } from "../../contract/money/currencies.ts";
import type { SupportedCurrency, TRANSACTION_DIRECTIONS } from "../../contract/platform/config.ts";
import type { View } from "../core/draft.ts";
import { platformConfig } from "../core/platform-config.ts";
import { refuse } from "../core/refusal.ts";
import { isCurrencyIn } from "../core/revision.ts";

/**
 * The platform's settings of a currency, if it is listed (spec/currencies.md#platform-settings).
 */
export const currencySettings = (view: View, code: string): SupportedCurrency | undefined =>
  platformConfig(view).supportedCurrencies.find(({ currencyCode }) => currencyCode === code);

const VERBS = { OUTGOING: "send", INCOMING: "receive" } as const;

/** The next step that enables a currency; settings are always sent as a whole list. */
const toEnable = (change: string) =>
  `PATCH /config ${change}; include the entries of GET /config, ` +
  "because the whole list is replaced";

/** The next step for a currency, known or not, that the platform's settings do not list. */
export const nextWithoutSettings = (view: View, code: string): string => {
  const listed = platformConfig(view).supportedCurrencies.map(({ currencyCode }) => currencyCode);
  const use = `Use ${listed.join(" or ")}`;
  return isCurrencyIn(view, code)
    ? `${use}, or ${toEnable(`with ${code} in supportedCurrencies`)}`
    : use;
};

/**
 * Words for a currency that the platform does not move in a direction: the problem, and the PATCH
 * that solves it.
 */
const wordsOf = (code: string, direction: keyof typeof VERBS, isListed: boolean) => {
  const change = isListed
    ? `with ${direction} in the enabledTransactionTypes of ${code}`
    : `with ${code} in supportedCurrencies`;
  return {
    says:
      `The platform does not ${VERBS[direction]} ${code}: ` +
      `it is not in supportedCurrencies with ${direction}`,
    next: toEnable(change),
  };
};

/**
 * The settings of a currency that the platform moves in a direction; refuses any other currency
 * (spec/currencies.md#platform-settings).
 */
export const settingsToMove = (
  view: View,
  { code, field }: { code: CurrencyCode; field: string },
  direction: (typeof TRANSACTION_DIRECTIONS)[number],
): SupportedCurrency => {
  const entry = currencySettings(view, code);
  return entry?.enabledTransactionTypes.includes(direction)
    ? entry
    : refuse(
        "INVALID_CURRENCY",
        { field, value: code, currency: code },
        wordsOf(code, direction, entry !== undefined),
      );
};
