import * as z from "zod";
import { CURRENCIES, type CurrencyCode } from "../../../contract/money/currencies.ts";
import { LATEST_INSTANT_MS } from "../latest-instant.ts";

/** A stamp: epoch milliseconds of a date with four digits. */
export const StoredInstant = z.int().min(0).max(LATEST_INSTANT_MS);

export const Text = z.string();

/** An amount or a count. */
export const Count = z.int().min(0);

export const Flag = z.boolean();

export const isJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Text that some code parses as JSON. */
export const JsonText = Text.refine(isJson, "Expected JSON");

/** Name of a header (RFC 9110, section 5.1). */
export const HeaderName = Text.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "Expected a header");

/** Text that a header can carry. */
export const HeaderValue = Text.regex(/^[\t\x20-\x7e\x80-\xff]*$/, "Expected a header's text");

export const Base64 = Text.regex(/^[A-Za-z0-9+/_-]*={0,2}$/, "Expected base64");

/** SHA-256 as hex. */
export const Digest = z.string().regex(/^[0-9a-f]{64}$/, "Expected 64 hex characters");

export const Currency = z.enum(
  Object.keys(CURRENCIES) as [CurrencyCode, ...CurrencyCode[]],
) as z.ZodType<CurrencyCode>;

/** One of the texts of a list. */
export const oneOf = <const Value extends string>(values: readonly Value[]): z.ZodType<Value> =>
  z.enum(values as readonly [Value, ...Value[]]) as unknown as z.ZodType<Value>;

/** An id of a record: one word. */
export const Id = z.string().regex(/^[^\s\p{Cc}]{1,200}$/u, "Expected an id");

/** Members of a record, each with its shape; the compiler asks for every member of the type. */
type Members<Stored> = { [Name in keyof Required<Stored>]: z.ZodType };

/** The shape of a record, which has no further members. */
export const stored = <Stored>(members: Members<Stored>): z.ZodType<Stored> =>
  z.strictObject(members) as unknown as z.ZodType<Stored>;

/** Shapes of the members that every stamped record has. */
export const stamps = { id: Id, createdAtMs: StoredInstant, updatedAtMs: StoredInstant };
