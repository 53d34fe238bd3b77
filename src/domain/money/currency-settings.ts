import { type CurrencyCode, isCurrencyCode } from "../../contract/money/currencies.ts";
import type { SupportedCurrency, TRANSACTION_DIRECTIONS } from "../../contract/platform/config.ts";
import type { View } from "../core/draft.ts";
import { platformConfig } from "../core/platform-config.ts";
import { refuse } from "../core/refusal.ts";

/** What the platform's settings say of a currency (platform digest 10.1), if it is in them. */
export const currencySettings = (view: View, code: string): SupportedCurrency | undefined =>
  platformConfig(view).supportedCurrencies.find(({ currencyCode }) => currencyCode === code);

const VERBS = { OUTGOING: "send", INCOMING: "receive" } as const;

/** The next step that lets the platform use a currency: the settings are sent as a whole list. */
const toEnable = (change: string) =>
  `PATCH /config ${change}; send the entries of GET /config beside it, ` +
  "since the list is replaced whole";

/** The next step with a currency that the platform's settings do not list, known or not. */
export const nextWithoutSettings = (view: View, code: string): string => {
  const listed = platformConfig(view).supportedCurrencies.map(({ currencyCode }) => currencyCode);
  const use = `Use ${listed.join(" or ")}`;
  return isCurrencyCode(code)
    ? `${use}, or ${toEnable(`with ${code} in supportedCurrencies`)}`
    : use;
};

/** Words for a currency that the platform does not move one way: the problem, and the PATCH that helps. */
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

/** The settings of a currency that the platform moves one way; refuses one that it does not. */
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
