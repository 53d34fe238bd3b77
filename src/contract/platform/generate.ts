import * as z from "zod";

/** States that generated records may have, by kind. */
export const GENERATED_STATES = {
  customers: ["APPROVED", "PENDING", "REJECTED", "UNVERIFIED"],
  quotes: ["COMPLETED", "FAILED", "EXPIRED", "PROCESSING", "PENDING"],
} as const;

/** A kind of record that can be generated. */
export type GeneratedKind = keyof typeof GENERATED_STATES;

/** Every kind, in the order in which they are made. */
export const GENERATED_KINDS = Object.keys(GENERATED_STATES) as GeneratedKind[];

/** Most records of each kind in one call. */
export const MOST_GENERATED = { customers: 100_000, quotes: 200_000 } as const;

/** Weights when none are given. */
export const USUAL_WEIGHTS = {
  customers: { APPROVED: 1 },
  quotes: { COMPLETED: 80, FAILED: 8, EXPIRED: 8, PROCESSING: 2, PENDING: 2 },
} as const;

const Weight = z.int().min(0, "Expected a weight from 0 to 1000").max(1000);

const amountOf = (kind: GeneratedKind) => {
  const most = MOST_GENERATED[kind];
  return z.strictObject({
    count: z.int().min(0).max(most, `Expected at most ${most}`).describe("Number of records"),
    states: z
      .partialRecord(z.enum(GENERATED_STATES[kind] as readonly string[]), Weight)
      .refine((weights) => Object.values(weights).some((weight) => (weight ?? 0) > 0), {
        message: "Expected at least one weight above 0",
      })
      .optional()
      .describe("Weight of each state; the usual weights if omitted"),
  });
};

/** Records to make in bulk, with their history (spec/scenarios.md#generated-data). */
export const Generate = z.lazy(() =>
  z.strictObject({
    customers: amountOf("customers").optional().describe("People who pay"),
    quotes: amountOf("quotes").optional().describe("Quotes of approved customers, with payments"),
    over: z
      .string()
      .optional()
      .describe("Spread over this span before now, at least 1h; 30d if omitted"),
  }),
);

export type Generate = z.infer<typeof Generate>;

/** Members that an object inside `generate` may have, by its path below it. */
export const generateMembers = (
  path: readonly (string | number)[],
): readonly string[] | undefined => {
  const [kind, member] = path;
  if (kind === undefined) return Object.keys(Generate.unwrap().shape);
  if (!Object.hasOwn(GENERATED_STATES, kind)) return undefined;
  return member === undefined ? ["count", "states"] : GENERATED_STATES[kind as GeneratedKind];
};
