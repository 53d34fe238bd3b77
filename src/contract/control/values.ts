import * as z from "zod";
import { named } from "../core/named-shape.ts";

/** A value as JSON has it. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | JsonValue[]
  | { [member: string]: JsonValue };

export const JsonValue: z.ZodType<JsonValue> = z
  .lazy(() =>
    z.union([
      z.string(),
      z.number(),
      z.boolean(),
      z.null(),
      // Generators of types cannot follow a shape that is a list of itself.
      z.array(z.custom<JsonValue>()),
      z.record(z.string(), JsonValue),
    ]),
  )
  .meta({ id: "JsonValue" });

/** An amount in minor units of its currency. */
export const MinorAmount = z.lazy(() =>
  z.object({ amount: z.int(), currency: z.string() }).meta({ id: "MinorAmount" }),
);

export type MinorAmount = z.infer<typeof MinorAmount>;

/** A payee, known by name or by address. */
export const Payee = z.lazy(() =>
  z
    .object({ id: z.string(), name: z.string().optional(), identifier: z.string().optional() })
    .meta({ id: "Payee" }),
);

export type Payee = z.infer<typeof Payee>;

/** Sums in minor units, by currency. */
export const Sums = named("BalanceSums", () => z.record(z.string(), z.int()));
