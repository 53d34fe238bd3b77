import { listOf } from "../../contract/core/lists.ts";
import { ExchangeRate, ExchangeRatesQuery } from "../../contract/money/exchange-rates.ts";
import * as rates from "../../domain/money/exchange-rates.ts";
import { endpoint } from "../../http/door/endpoint.ts";

export const listExchangeRates = endpoint("listExchangeRates", {
  summary: "List the exchange rates and fees of payments, by currency pair",
  query: ExchangeRatesQuery,
  replies: [200, listOf(ExchangeRate)],
  refuses: ["INVALID_CURRENCY", "AMOUNT_OUT_OF_RANGE"],
  handle: (input, { read }) => read(rates.listExchangeRates, input),
});
