export const seconds = (count: number) => count * 1000;
export const minutes = (count: number) => seconds(count * 60);
export const hours = (count: number) => minutes(count * 60);
export const days = (count: number) => hours(count * 24);

/**
 * Time spans and caps of the service (spec/clock.md#durations). Delays of outcomes stand in
 * `outcomes.ts`, with the outcome they belong to.
 */
export const DURATIONS = {
  /** spec/quotes.md#expiry */
  quoteLifetimeMs: seconds(300),
  /** spec/lookups.md#lifetime */
  lookupLifetimeMs: minutes(15),
  /** spec/idempotency.md#retention */
  idempotencyKeptMs: hours(24),
  /** spec/sessions.md#session-lifetime */
  sessionLifetimeMs: minutes(15),
  deviceCodeLifetimeMs: minutes(15),
  signedRetryLifetimeMs: minutes(5),
  /** spec/later-wallets.md#verification-token */
  verificationTokenLifetimeMs: hours(1),
  passkeyChallengeLifetimeMs: minutes(5),
  /**
   * Time for which a used registration challenge is remembered, from the 201 that used it
   * (spec/passkeys.md#registration-challenge).
   */
  registrationChallengeKeptMs: hours(24),
  otpLifetimeMs: seconds(300),
  otpReissueWindowMs: seconds(60),
  /** spec/webhooks.md#retries */
  webhookRetryBaseMs: seconds(1),
  webhookRetryCapMs: minutes(30),
  webhookRetryWindowMs: days(7),
  /** Delay of the vector `delayed`, unless another one is given (spec/webhooks.md#vectors). */
  labDelayMs: minutes(10),
  /** spec/kyc-links.md#reply */
  kycLinkLifetimeMs: hours(24),
  /** spec/later-cards.md#reveal */
  cardRevealLifetimeMs: seconds(300),
  /** Time between an answer 202 and the deciding call (spec/uma-payments.md#approval-answers). */
  approvalLapseMs: seconds(5),
} as const;

/**
 * Leeway of times that another party's clock claims (spec/clock.md#claims-of-time): how long ago
 * they may be, and how far ahead of simulated time. Challenges and codes are the simulator's own and
 * get none.
 */
export const CLAIM_LEEWAY = {
  /** Issue of an ID token; it ages. */
  iat: { pastMs: seconds(60), aheadMs: seconds(5) },
  /** Instant from which an ID token counts. */
  nbf: { aheadMs: seconds(5) },
  /** Expiry of an ID token. */
  exp: { pastMs: 0 },
} as const;

/** Attempts at one delivery, the first included (spec/webhooks.md#retries). */
export const WEBHOOK_MAX_ATTEMPTS = 160;

/** Limits of emailed codes (spec/credentials.md#reissue-limit, spec/credentials.md#wrong-codes). */
export const OTP_LIMITS = { reissuesPerWindow: 3, wrongCodes: 5, defaultLength: 6 } as const;

/** Wall-clock time that a receiver has to answer (spec/webhooks.md#timeouts). */
export const WEBHOOK_TIMEOUTS_MS = {
  "INCOMING_PAYMENT.PENDING": seconds(5),
  otherwise: seconds(30),
} as const;

/**
 * Timeout of a receiver for an event, in wall-clock time. The operator's setting replaces the usual
 * timeout. It can only shorten the timeout of an event that has its own.
 */
export const attemptTimeoutMs = (type: string, setMs?: number): number => {
  const { otherwise, ...own }: Record<string, number> & { otherwise: number } = WEBHOOK_TIMEOUTS_MS;
  const ownMs = own[type];
  return ownMs === undefined ? (setMs ?? otherwise) : Math.min(setMs ?? ownMs, ownMs);
};

/** Event types that are attempted once (spec/webhooks.md#retries). */
export const NEVER_RETRIED = ["TEST", "INCOMING_PAYMENT.PENDING"] as const;

/**
 * Delay before retry `n` (1 = the first), in milliseconds: doubling, capped
 * (spec/webhooks.md#retries).
 */
export const retryDelayMs = (retry: number) =>
  Math.min(
    DURATIONS.webhookRetryBaseMs * 2 ** Math.min(retry - 1, 30),
    DURATIONS.webhookRetryCapMs,
  );

const SPAN = /^(?=.)(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+)s)?(?:(\d+)ms)?$/;
const ISO_SPAN = /^P(?=.)(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?()$/;

/**
 * A positive span like `90s`, `5m1s`, `1h30m`, `7d`, `500ms` or ISO 8601 `PT6M`, in milliseconds.
 * Any other text gives `undefined` (spec/clock.md#spans).
 */
export const parseDuration = (text: string): number | undefined => {
  const parts = SPAN.exec(text) ?? ISO_SPAN.exec(text.toUpperCase());
  if (!parts) return undefined;
  const [d = 0, h = 0, m = 0, s = 0, ms = 0] = parts.slice(1).map((part) => Number(part || 0));
  const spanMs = days(d) + hours(h) + minutes(m) + seconds(s) + ms;
  return spanMs > 0 && Number.isSafeInteger(spanMs) ? spanMs : undefined;
};

const UNITS: readonly [string, number][] = [
  ["d", days(1)],
  ["h", hours(1)],
  ["m", minutes(1)],
  ["s", seconds(1)],
  ["ms", 1],
];

/** A span of whole milliseconds in units, largest first; units of 0 are left out. */
const inUnits = (spanMs: number): string[] => {
  let restMs = spanMs;
  return UNITS.flatMap(([unit, sizeMs]) => {
    const count = Math.floor(restMs / sizeMs);
    restMs -= count * sizeMs;
    return count > 0 ? [`${count}${unit}`] : [];
  });
};

/** Text of a span from milliseconds: `4m55s`, `7d`, `500ms`; at most the two largest units. */
export const showDuration = (spanMs: number): string => {
  const units = inUnits(Math.round(spanMs));
  const shown = units.length > 1 ? units.filter((one) => !one.endsWith("ms")) : units;
  return shown.slice(0, 2).join("") || "0s";
};

/** Exact text of a span from whole milliseconds, as `parseDuration` reads it: `1s500ms`. */
export const exactDuration = (spanMs: number): string => inUnits(spanMs).join("");

/**
 * Text of a span that exceeds a limit: `1m1ms` for the limit `1m`. It is exact where two units
 * would hide the difference.
 */
export const showBeyond = (spanMs: number, limitMs: number): string => {
  const shown = showDuration(spanMs);
  return shown === showDuration(limitMs) ? inUnits(Math.ceil(spanMs)).join("") : shown;
};
