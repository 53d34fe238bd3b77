import * as z from "zod";

/** Body of every error (spec/errors.md#body). */
export const ErrorBody = z.lazy(() =>
  z
    .object({
      status: z.number().int(),
      code: z.string(),
      message: z.string(),
      reason: z.string().optional(),
      details: z.record(z.string(), z.unknown()).optional(),
    })
    .meta({ id: "Error" }),
);

export type ErrorBody = z.infer<typeof ErrorBody>;
