export const seconds = (count: number) => count * 1000;
export const minutes = (count: number) => seconds(count * 60);
export const hours = (count: number) => minutes(count * 60);
export const days = (count: number) => hours(count * 24);

/**
 * Time spans and caps of the service, each with the page of the contract it follows.
 * Delays of outcomes stand in `outcomes.ts`, with the outcome they belong to.
 */
export const DURATIONS = {
  /** decisions, Numbers nobody states */
  quoteLifetimeMs: seconds(300),
  /** decisions, Numbers nobody states */
  lookupLifetimeMs: minutes(15),
  /** decisions, Idempotency keys */
  idempotencyKeptMs: hours(24),
  /** decisions, Numbers nobody states */
  sessionLifetimeMs: minutes(15),
  deviceCodeLifetimeMs: minutes(15),
  signedRetryLifetimeMs: minutes(5),
  passkeyChallengeLifetimeMs: minutes(5),
  /** How long a registration challenge is known as used, from the 201 that used it. */
  registrationChallengeKeptMs: hours(24),
  otpLifetimeMs: seconds(300),
  otpReissueWindowMs: seconds(60),
  /** wallets digest 11.7: how old a token may be, and how far its clock may be ahead */
  oidcTokenAgeMs: seconds(60),
  oidcTokenAheadMs: seconds(5),
  /** decisions, Webhooks */
  webhookRetryBaseMs: seconds(1),
  webhookRetryCapMs: minutes(30),
  webhookRetryWindowMs: days(7),
  /** the vector `delayed`, unless it is told otherwise */
  labDelayMs: minutes(10),
  /** platform O-56 */
  kycLinkLifetimeMs: hours(24),
  /** payments 12: from an answer 202 to the call that decides */
  approvalLapseMs: seconds(5),
} as const;

/** decisions, Webhooks: attempts at one delivery, the first included. */
export const WEBHOOK_MAX_ATTEMPTS = 160;

/** Counts that go with them (decisions, Numbers nobody states; wallets digest 3.8). */
export const OTP_LIMITS = { reissuesPerWindow: 3, wrongCodes: 5, defaultLength: 6 } as const;

/** Answer times of a receiver, on the wall clock (decisions, Webhooks). */
export const WEBHOOK_TIMEOUTS_MS = {
  "INCOMING_PAYMENT.PENDING": seconds(5),
  otherwise: seconds(30),
} as const;

/**
 * How long a receiver may take for an event, on the wall clock. What the operator sets stands in
 * for the usual time, and shortens that of an event with a time of its own.
 */
export const attemptTimeoutMs = (type: string, setMs?: number): number => {
  const { otherwise, ...own }: Record<string, number> & { otherwise: number } = WEBHOOK_TIMEOUTS_MS;
  const ownMs = own[type];
  return ownMs === undefined ? (setMs ?? otherwise) : Math.min(setMs ?? ownMs, ownMs);
};

/** Event types that are attempted once (decisions, Webhooks). */
export const NEVER_RETRIED = ["TEST", "INCOMING_PAYMENT.PENDING"] as const;

/**
 * Delay before retry `n` (1 = the first), in milliseconds: doubling, capped (platform O-75).
 */
export const retryDelayMs = (retry: number) =>
  Math.min(
    DURATIONS.webhookRetryBaseMs * 2 ** Math.min(retry - 1, 30),
    DURATIONS.webhookRetryCapMs,
  );

const SPAN = /^(?=.)(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+)s)?(?:(\d+)ms)?$/;
const ISO_SPAN = /^P(?=.)(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?()$/;

/**
 * A positive span like `90s`, `5m1s`, `1h30m`, `7d`, `500ms` or ISO 8601 `PT6M`, in milliseconds;
 * nothing when it is none (decisions, Durations).
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

/** A span of whole milliseconds in units, the largest first, without those that are 0. */
const inUnits = (spanMs: number): string[] => {
  let restMs = spanMs;
  return UNITS.flatMap(([unit, sizeMs]) => {
    const count = Math.floor(restMs / sizeMs);
    restMs -= count * sizeMs;
    return count > 0 ? [`${count}${unit}`] : [];
  });
};

/** Whole spans from milliseconds: `4m55s`, `7d`, `500ms`; at most the two largest units. */
export const showDuration = (spanMs: number): string => {
  const units = inUnits(Math.round(spanMs));
  const shown = units.length > 1 ? units.filter((one) => !one.endsWith("ms")) : units;
  return shown.slice(0, 2).join("") || "0s";
};

/** A span beside the limit it exceeds: `1m1ms` where the limit is `1m`, in full if need be. */
export const showBeyond = (spanMs: number, limitMs: number): string => {
  const shown = showDuration(spanMs);
  return shown === showDuration(limitMs) ? inUnits(Math.ceil(spanMs)).join("") : shown;
};
