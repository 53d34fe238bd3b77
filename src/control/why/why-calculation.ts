import type { AmountRounding, Calculation, FeePart } from "../../contract/control/calculation.ts";
import type { MinorAmount } from "../../contract/control/values.ts";
import { defined } from "../../contract/core/defined.ts";
import { sourceAmount } from "../../domain/cards/card-money.ts";
import { exactText, type Rounded, rational } from "../../domain/core/rational.ts";
import { incomingVariableFee } from "../../domain/money/incoming-arithmetic.ts";
import { VARIABLE_RATE } from "../../domain/money/quote-arithmetic.ts";
import {
  type QuoteCalculation,
  quoteCalculation,
} from "../../domain/payments/quote-calculation.ts";
import type { CardTransactionRecord } from "../../domain/records/card-records.ts";
import type {
  IncomingRecord,
  OutgoingRecord,
  QuoteRecord,
  TransactionRecord,
} from "../../domain/records/records.ts";
import type { WorldState } from "../../runtime/world-state.ts";

const of = (minor: number | bigint, currency: string): MinorAmount => ({
  amount: Number(minor),
  currency,
});

/** The exact value behind an amount, unless it was whole already. */
const roundingOf = ({ exact, how }: Rounded): AmountRounding | undefined =>
  exact.n % exact.d === 0n ? undefined : { exact: exactText(exact), how };

const feesOf = (quote: QuoteRecord, steps: QuoteCalculation): FeePart[] => {
  const { sendingCurrency, receivingCurrency } = quote;
  const { variable, counterparty } = steps;
  const parts: FeePart[] = [
    { part: "fixed", amount: of(steps.serviceFixedMinor, sendingCurrency) },
    {
      part: "variable",
      amount: of(variable.whole, sendingCurrency),
      of: of(steps.sendingMinor, sendingCurrency),
      share: exactText(steps.variableRate),
      ...defined({ rounding: roundingOf(variable) }),
    },
    {
      part: "counterparty",
      amount: of(counterparty.whole, sendingCurrency),
      of: of(steps.counterpartyFixedMinor, receivingCurrency),
      ...defined({ rounding: roundingOf(counterparty) }),
    },
  ];
  return steps.feesMinor === 0n ? [] : parts;
};

const ofQuote = (
  quote: QuoteRecord,
  payment: OutgoingRecord | undefined,
): Calculation | undefined => {
  const steps = quoteCalculation(quote, payment);
  if (!steps) return undefined;
  const { sendingCurrency, receivingCurrency } = quote;
  const { lockedSide, sendingMinor, receivingMinor, feesMinor, converted, rate } = steps;
  return {
    lockedSide,
    sends: of(sendingMinor, sendingCurrency),
    receives: of(receivingMinor, receivingCurrency),
    fees: feesOf(quote, steps),
    ...(sendingCurrency !== receivingCurrency && {
      conversion: {
        from: of(sendingMinor - feesMinor, sendingCurrency),
        to: of(receivingMinor, receivingCurrency),
        rate: exactText(rate),
        computed: lockedSide === "SENDING" ? "to" : "from",
        ...defined({ rounding: roundingOf(converted) }),
      },
    }),
  };
};

/** Money from outside, with the fees that its sender has paid on top. */
const ofReceipt = (payment: IncomingRecord): Calculation | undefined => {
  const { receivedMinor, receivingCurrency, feesMinor, rateDetails } = payment;
  const receives = of(receivedMinor, receivingCurrency);
  const free = { sends: receives, receives, fees: [] };
  if (!rateDetails) return feesMinor === 0 ? free : undefined;
  const variable = incomingVariableFee(receivedMinor);
  const fixedMinor = BigInt(rateDetails.serviceApiFixedFee);
  if (fixedMinor + variable.whole !== BigInt(feesMinor)) return undefined;
  return {
    sends: of(receivedMinor + feesMinor, receivingCurrency),
    receives,
    areFeesOnTop: true,
    fees: [
      { part: "fixed", amount: of(fixedMinor, receivingCurrency) },
      {
        part: "variable",
        amount: of(variable.whole, receivingCurrency),
        of: receives,
        share: exactText(VARIABLE_RATE),
        ...defined({ rounding: roundingOf(variable) }),
      },
    ],
  };
};

const ofTransaction = (state: WorldState, payment: TransactionRecord): Calculation | undefined => {
  if (payment.type === "INCOMING") return ofReceipt(payment);
  const quote = payment.quoteId === undefined ? undefined : state.get("Quote", payment.quoteId);
  if (quote) return ofQuote(quote, payment);
  const { sentMinor, sendingCurrency, receivedMinor, receivingCurrency, feesMinor } = payment;
  if (feesMinor !== 0 || sendingCurrency !== receivingCurrency) return undefined;
  return {
    sends: of(sentMinor, sendingCurrency),
    receives: of(receivedMinor, receivingCurrency),
    fees: [],
  };
};

/** A purchase as the card's account pays it. */
const ofPurchase = (purchase: CardTransactionRecord): Calculation => {
  const { authorizedMinor, currency, sourceCurrency } = purchase;
  const paid = sourceAmount(authorizedMinor, purchase);
  const [sends, receives] = [of(paid.whole, sourceCurrency), of(authorizedMinor, currency)];
  return {
    sends,
    receives,
    fees: [],
    ...(currency !== sourceCurrency && {
      conversion: {
        from: sends,
        to: receives,
        rate: exactText(rational(1n)),
        computed: "from",
        ...defined({ rounding: roundingOf(paid) }),
      },
    }),
  };
};

/** The calculation behind a payment, a quote or a purchase; undefined for every other record. */
export const calculationOf = (state: WorldState, id: string): Calculation | undefined => {
  const payment = state.get("Transaction", id);
  if (payment) return ofTransaction(state, payment);
  const purchase = state.get("CardTransaction", id);
  if (purchase) return ofPurchase(purchase);
  const quote = state.get("Quote", id);
  const own = quote && state.get("Transaction", quote.transactionId);
  return quote && ofQuote(quote, own?.type === "OUTGOING" ? own : undefined);
};
