import type { QuoteInput } from "../../contract/payments/quotes.ts";
import { FEE_CURRENCY } from "../../contract/platform/fee-configs.ts";
import type { View } from "../core/draft.ts";
import { platformConfig } from "../core/platform-config.ts";
import { refuse } from "../core/refusal.ts";
import { isChanged } from "../core/revision.ts";
import type { PlatformFeeTerms } from "./fee-arithmetic.ts";
import type { QuoteTerms } from "./quote-arithmetic.ts";

type Pair = Pick<QuoteTerms, "sending" | "receiving" | "isInternal">;

/** Tells whether a pair converts: USD and USDB inside the platform count as one value. */
const isCrossCurrency = ({ sending, receiving, isInternal = false }: Pair) =>
  sending !== receiving && !(isInternal && receiving === "USDB");

/** The standing fee on a pair of currencies; nothing where the platform has none. */
export const standingFee = (view: View, pair: Pair): PlatformFeeTerms | undefined => {
  if (pair.sending !== FEE_CURRENCY || !isCrossCurrency(pair)) return undefined;
  if (!isChanged(view, "platformFees")) return undefined;
  const row = platformConfig(view).feeConfigs?.find(
    ({ sourceCurrency }) => sourceCurrency === pair.sending,
  );
  return row && { fixedMinor: row.fixedMinor, variableBps: row.variableFeeBps };
};

const FIELD = "platformFeeOverride";

/** The fee on a quote: the one that it asks for, or the standing one; refuses a fee out of place. */
export const quotedFee = (
  view: View,
  { platformFeeOverride: override }: Pick<QuoteInput, "platformFeeOverride">,
  pair: Pair,
): PlatformFeeTerms | undefined => {
  if (!override) return standingFee(view, pair);
  const { platformFixedFee: fixed, platformVariableFeeBps: variableBps } = override;
  const { sending } = pair;
  if (sending !== FEE_CURRENCY)
    refuse(
      "INVALID_INPUT",
      { field: FIELD, value: sending },
      "Only a quote that sends USD has one",
    );
  if (fixed.currency !== sending)
    refuse(
      "INVALID_INPUT",
      { field: `${FIELD}.platformFixedFee.currency`, value: fixed.currency },
      `Expected ${sending}, the sending currency`,
    );
  const isNone = fixed.amount === 0 && variableBps === 0;
  if (!isNone && !isCrossCurrency(pair))
    refuse("INVALID_INPUT", { field: FIELD }, "A quote in one currency has no fee of the platform");
  return isNone ? undefined : { fixedMinor: fixed.amount, variableBps };
};
