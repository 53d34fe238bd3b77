import * as z from "zod";
import { named } from "../core/named-shape.ts";

/** The value that means no limit. */
export const NO_RATE_LIMIT = "none";

/** Units of a rate limit: calls in a second, a minute or an hour. */
export const RATE_UNITS = ["s", "m", "h"] as const;

const FORM = /^(none|[1-9][0-9]{0,4}\/[smh])$/;

/** `10/s`, `100/m` or `none`. */
export type RateLimitText = string;

/** Whether a text is a rate limit: `10/s`, `100/m`, `5000/h` or `none`. */
export const isRateLimit = (text: string): text is RateLimitText => FORM.test(text);

/** Words for the form of a rate limit. */
export const RATE_LIMIT_FORM = "calls by second, minute or hour like 10/s or 100/m, or none";

/** Body and reply of PUT /_sim/rate-limit. */
export const RateLimitSetting = named("RateLimitSetting", () =>
  z.strictObject({
    limit: z
      .string()
      .regex(FORM, `Expected ${RATE_LIMIT_FORM}`)
      .describe("calls of each token, such as 10/s or 100/m; none for no limit"),
  }),
);

export type RateLimitSetting = z.infer<typeof RateLimitSetting>;
