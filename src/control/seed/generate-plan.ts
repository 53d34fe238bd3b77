import type { CustomerStatus } from "../../contract/customers/customer-statuses.ts";
import type { QuoteStatus } from "../../contract/payments/quotes.ts";
import {
  GENERATED_STATES,
  type Generate,
  type GeneratedKind,
  USUAL_WEIGHTS,
} from "../../contract/platform/generate.ts";
import { DURATIONS, minutes } from "../../domain/core/durations.ts";
import { pastSpanMs } from "../../scripts/fixture-check.ts";
import type { Chance } from "./generate-chance.ts";

/** A customer to make, or a quote, at an instant of the past. */
export type Job =
  | { kind: "customers"; atMs: number; state: CustomerStatus }
  | { kind: "quotes"; atMs: number; state: QuoteStatus };

/** Time a slow payment takes: one that is still processing began less than this ago. */
const SLOW_MS = minutes(6);

/** Payments and refunds are over after this. */
const SETTLED_MS = minutes(1);

/** Customers come in the first part of the span, so that most quotes have many to choose from. */
const CUSTOMERS_SHARE = 0.5;

/** Least and greatest age of a quote in each state, in milliseconds before now. */
const AGES: Record<QuoteStatus, (spanMs: number) => readonly [least: number, most: number]> = {
  COMPLETED: (spanMs) => [SETTLED_MS, spanMs],
  FAILED: (spanMs) => [SETTLED_MS, spanMs],
  EXPIRED: (spanMs) => [DURATIONS.quoteLifetimeMs, spanMs],
  PROCESSING: () => [1, SLOW_MS - 1],
  PENDING: () => [1, DURATIONS.quoteLifetimeMs - 1],
};

/** As many of each state as the weights give, rounded so that the sum is exact. */
export const statesOf = <State extends string>(
  kind: GeneratedKind,
  wanted: Generate[GeneratedKind],
): State[] => {
  const { count = 0, states = USUAL_WEIGHTS[kind] as Record<string, number> } = wanted ?? {};
  const rows = GENERATED_STATES[kind].map((state) => ({ state, weight: states[state] ?? 0 }));
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  let weightSoFar = 0;
  return rows.flatMap(({ state, weight }) => {
    const from = Math.round((count * weightSoFar) / total);
    weightSoFar += weight;
    const to = Math.round((count * weightSoFar) / total);
    return Array.from({ length: to - from }, () => state as unknown as State);
  });
};

/** Everything to make, oldest first. */
export const planOf = (generate: Generate, nowMs: number, chance: Chance): Job[] => {
  const spanMs = pastSpanMs(generate);
  const customers = chance
    .shuffled(statesOf<CustomerStatus>("customers", generate.customers))
    .map((state): Job => {
      const ageMs = chance.between(Math.ceil(spanMs * CUSTOMERS_SHARE), spanMs);
      return { kind: "customers", atMs: nowMs - ageMs, state };
    });
  const [oldest] = customers
    .filter(({ state }) => state === "APPROVED")
    .sort((a, b) => a.atMs - b.atMs);
  const quotes = chance
    .shuffled(statesOf<QuoteStatus>("quotes", generate.quotes))
    .map((state): Job => {
      const [least, most] = AGES[state](spanMs);
      // Not older than the first approved customer: somebody must be there to pay.
      const greatestAgeMs = oldest ? Math.min(most, nowMs - oldest.atMs) : most;
      return { kind: "quotes", atMs: nowMs - chance.between(least, greatestAgeMs), state };
    });
  return [...customers, ...quotes].sort(
    (a, b) => a.atMs - b.atMs || (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0),
  );
};
