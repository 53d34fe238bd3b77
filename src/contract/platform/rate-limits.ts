import * as z from "zod";
import { named } from "../core/named-shape.ts";
import { RATE_LIMIT_FORM, RATE_LIMIT_PATTERN } from "./rate-limit-text.ts";

/** Body and reply of PUT /_sim/rate-limit. */
export const RateLimitSetting = named("RateLimitSetting", () =>
  z.strictObject({
    limit: z
      .string()
      .regex(RATE_LIMIT_PATTERN, `Expected ${RATE_LIMIT_FORM}`)
      .describe("calls of each token, such as 10/s or 100/m; none for no limit"),
  }),
);

export type RateLimitSetting = z.infer<typeof RateLimitSetting>;
