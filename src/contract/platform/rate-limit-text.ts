/** The value that means no limit. */
export const NO_RATE_LIMIT = "none";

/** Units of a rate limit: calls in a second, a minute or an hour. */
export const RATE_UNITS = ["s", "m", "h"] as const;

/** Form of a rate limit. */
export const RATE_LIMIT_PATTERN = /^(none|[1-9][0-9]{0,4}\/[smh])$/;

/** `10/s`, `100/m` or `none`. */
export type RateLimitText = string;

/** Whether a text is a rate limit: `10/s`, `100/m`, `5000/h` or `none`. */
export const isRateLimit = (text: string): text is RateLimitText => RATE_LIMIT_PATTERN.test(text);

/** Words for the form of a rate limit. */
export const RATE_LIMIT_FORM = "calls by second, minute or hour like 10/s or 100/m, or none";
