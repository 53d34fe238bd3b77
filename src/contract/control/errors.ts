import * as z from "zod";
import { JsonValue } from "./values.ts";

/** Body of every error of the control surface: the cause, and the command that helps. */
export const ControlError = z.lazy(() =>
  z
    .object({
      error: z.object({
        code: z.string(),
        message: z.string(),
        next: z.array(z.string()),
        details: z.record(z.string(), JsonValue).optional(),
      }),
    })
    .meta({ id: "ControlError" }),
);

export type ControlError = z.infer<typeof ControlError>;
