import * as z from "zod";
import { named } from "./named-shape.ts";

/** Largest amount in a request, in minor units (spec/currencies.md#amounts). */
export const MAX_AMOUNT_MINOR = 9_000_000_000_000_000;

/**
 * ISO 8601 date-time as the service writes it: UTC, milliseconds, `Z`
 * (spec/clock.md#simulated-time).
 */
export const Instant = z.lazy(() => z.iso.datetime({ precision: 3 }).meta({ id: "Instant" }));

/**
 * ISO 8601 date-time in a request: the offset is required, milliseconds are optional
 * (spec/lists.md#filter-values).
 */
export const InstantInput = named("InstantInput", () => z.iso.datetime({ offset: true }));

/** Real calendar date `YYYY-MM-DD`. */
export const CalendarDate = named("CalendarDate", () => z.iso.date());

/** ISO 3166-1 alpha-2. */
export const CountryCode = z
  .string()
  .regex(/^[A-Z]{2}$/, "Expected two capital letters")
  .meta({ id: "CountryCode" });

const isPrintable = (text: string) => !/\p{Cc}/u.test(text);

/**
 * Refuses control characters, which break lines or control terminals: such text goes into mails and
 * headers.
 */
export const oneLine = [
  (text: string) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text),
  "Expected one line of text without control characters",
] as const;

/**
 * Free text for people: 1 to 255 characters, no control characters (spec/customers.md#text-bounds).
 */
export const PersonalText = z
  .string()
  .min(1)
  .max(255)
  .refine(isPrintable, "Expected text without control characters")
  .meta({ id: "PersonalText" });

export const Email = named("Email", () => z.email().max(255));

/**
 * Marks a refinement with its refusal and bound; refinements without a mark are `INVALID_INPUT`.
 */
export const refusedAs = (refusal: "INVALID_AMOUNT" | "AMOUNT_OUT_OF_RANGE", error: string) => ({
  params: { refusal, ...(refusal === "AMOUNT_OUT_OF_RANGE" && { max: MAX_AMOUNT_MINOR }) },
  error,
});

/**
 * An amount in a request body, in minor units (spec/currencies.md#amounts). Not a number is
 * `INVALID_INPUT`; not positive or not whole is `INVALID_AMOUNT`. Rules check the upper bound
 * later, after accounts and currencies (spec/errors.md#order-of-checks).
 */
export const AmountInput = z
  .custom<number>((value) => typeof value === "number", "Expected a number")
  .refine(
    (amount) => amount > MAX_AMOUNT_MINOR || (Number.isInteger(amount) && amount > 0),
    refusedAs("INVALID_AMOUNT", "Expected a positive whole number of the smallest unit"),
  )
  .meta({
    id: "AmountInput",
    type: "integer",
    format: "int64",
    minimum: 1,
    maximum: MAX_AMOUNT_MINOR,
  });

/** An amount in a reply, in minor units. */
export const Amount = z.number().int().min(0).meta({ id: "Amount", format: "int64" });
