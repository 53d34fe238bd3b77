import { accountTypeRow, accountTypesOf } from "../../contract/accounts/external-account-types.ts";
import type { PaymentRail } from "../../contract/core/account-fields.ts";
import type { Revision } from "../../contract/core/revision-names.ts";
import { MAX_AMOUNT_MINOR } from "../../contract/core/scalars.ts";
import { CURRENCIES, type CurrencyCode, currencyObject } from "../../contract/money/currencies.ts";
import { DEFAULT_SENDING_MINOR, type ExchangeRate } from "../../contract/money/exchange-rates.ts";
import type { SupportedCurrency } from "../../contract/platform/config.ts";
import { instant, type Reading, type View } from "../core/draft.ts";
import { minutes } from "../core/durations.ts";
import { platformConfig } from "../core/platform-config.ts";
import { floor, powerOfTen, rational, roundHalfUp, times } from "../core/rational.ts";
import { refuse } from "../core/refusal.ts";
import { byRevision, isCurrencyIn, type LaterMembers, shownIn } from "../core/revision.ts";
import { feesOn, feeTermsOf } from "./fee-arithmetic.ts";
import { standingFee } from "./platform-fees.ts";
import { publishedRate, QUOTE_FEES, VARIABLE_RATE } from "./quote-arithmetic.ts";
import { crossRate, type UnitsPerUsd, unitsPerUsd } from "./rates.ts";

/** Interval of `updatedAt` (spec/exchange-rates.md#row-fields). */
const PUBLISHED_EVERY_MS = minutes(5);

/**
 * First rail of a currency's own bank type; wallets have no rail, and SWIFT has no currency of its
 * own.
 */
const railsByCurrency = (revision: Revision) => {
  const rails = new Map<CurrencyCode, PaymentRail>();
  for (const name of accountTypesOf(revision)) {
    const { currencies, rails: ofType } = accountTypeRow(name, revision);
    const [rail] = ofType;
    const [currency] = currencies;
    if (rail && currency && name === `${currency}_ACCOUNT`) rails.set(currency, rail);
  }
  return rails;
};

const railsOfCurrencies = byRevision(railsByCurrency);

interface RatesQuery {
  sourceCurrency?: string | undefined;
  destinationCurrency?: string[] | undefined;
  sendingAmount?: number | undefined;
}

const requireKnown = (view: View, field: string, codes: readonly string[]) => {
  for (const code of codes)
    if (!isCurrencyIn(view, code))
      refuse("INVALID_CURRENCY", { field, value: code, currency: code });
};

interface RateTerms {
  sendingMinor: number;
  atMs: number;
  rates: UnitsPerUsd;
  /** The fees on the amount between two currencies. */
  fees(sending: CurrencyCode, receiving: CurrencyCode): ExchangeRate["fees"];
}

/** An amount that a row is about. */
interface Rated {
  sending: CurrencyCode;
  receiving: CurrencyCode;
  sendingMinor: number;
}

/**
 * The fees on an amount: those of the service, and the platform's standing one
 * (spec/later-payments.md#platform-fees).
 */
const totalOn = (view: View, { sending, receiving, sendingMinor }: Rated): number => {
  const platform = standingFee(view, { sending, receiving });
  const service = { fixedMinor: QUOTE_FEES.serviceFixedMinor, rate: VARIABLE_RATE };
  const amount = BigInt(sendingMinor);
  const variable = roundHalfUp(times(rational(amount), VARIABLE_RATE));
  if (!platform) return Number(service.fixedMinor + variable);
  const fees = feesOn(amount, { platform: feeTermsOf(platform), service });
  return Number(fees.platformMinor + fees.serviceMinor);
};

const LATER_FEES: LaterMembers<ExchangeRate["fees"], Rated> = {
  total: { since: "platformFees", value: totalOn },
};

const feesOf = (view: View, rated: Rated): ExchangeRate["fees"] =>
  shownIn(view, { fixed: Number(QUOTE_FEES.serviceFixedMinor) }, [rated, LATER_FEES]);

/** A row in an array, or none if the receiving amount exceeds the largest amount. */
const rateRows = (
  {
    source,
    destination,
    rail,
  }: { source: SupportedCurrency; destination: CurrencyCode; rail: PaymentRail },
  { sendingMinor, atMs, rates, fees }: RateTerms,
): ExchangeRate[] => {
  const sending = source.currencyCode as CurrencyCode;
  const perMajor = crossRate({ sending, receiving: destination }, rates);
  const shift = CURRENCIES[destination].decimals - CURRENCIES[sending].decimals;
  const received = floor(times(rational(BigInt(sendingMinor)), times(perMajor, powerOfTen(shift))));
  if (received > MAX_AMOUNT_MINOR) return [];
  const row = {
    sourceCurrency: currencyObject(sending),
    destinationCurrency: currencyObject(destination),
    sendingAmount: sendingMinor,
    minSendingAmount: source.minAmount,
    maxSendingAmount: source.maxAmount,
    destinationPaymentRail: rail,
    receivingAmount: Number(received),
    exchangeRate: publishedRate(perMajor),
    fees: fees(sending, destination),
    updatedAt: instant(Math.floor(atMs / PUBLISHED_EVERY_MS) * PUBLISHED_EVERY_MS),
  };
  return [row];
};

const sourcesOf = (view: View, wanted: string | undefined) =>
  platformConfig(view).supportedCurrencies.filter(
    ({ currencyCode }) => wanted === undefined || currencyCode === wanted,
  );

/**
 * GET /exchange-rates: rows from each supported currency to each currency with a bank type
 * (spec/exchange-rates.md#list-rows). A known source that the platform does not support has no
 * rows.
 */
export const listExchangeRates: Reading<{ query: RatesQuery }, { data: ExchangeRate[] }> = (
  view,
  { query },
  { atMs },
) => {
  const { sourceCurrency, destinationCurrency, sendingAmount = DEFAULT_SENDING_MINOR } = query;
  if (sourceCurrency !== undefined) requireKnown(view, "sourceCurrency", [sourceCurrency]);
  requireKnown(view, "destinationCurrency", destinationCurrency ?? []);
  if (sendingAmount > MAX_AMOUNT_MINOR)
    refuse("AMOUNT_OUT_OF_RANGE", {
      field: "sendingAmount",
      value: sendingAmount,
      max: MAX_AMOUNT_MINOR,
    });
  const terms: RateTerms = {
    sendingMinor: sendingAmount,
    atMs,
    rates: unitsPerUsd(view),
    fees: (sending, receiving) => feesOf(view, { sending, receiving, sendingMinor: sendingAmount }),
  };
  const destinations = [...railsOfCurrencies(view)].filter(
    ([code]) => destinationCurrency === undefined || destinationCurrency.includes(code),
  );
  const data = sourcesOf(view, sourceCurrency).flatMap((source) =>
    destinations
      .filter(([destination]) => destination !== source.currencyCode)
      .flatMap(([destination, rail]) => rateRows({ source, destination, rail }, terms)),
  );
  return { data };
};
