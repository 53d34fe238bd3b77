type RetryHeaders = Readonly<Record<string, string>>;

/** A retry cannot help. */
const FINAL: RetryHeaders = { "x-should-retry": "false" };

/** A retry may help after this time. Clients read whole seconds, or milliseconds where these are. */
const after = (seconds: number): RetryHeaders => ({
  "retry-after": `${seconds}`,
  "retry-after-ms": `${seconds * 1000}`,
});

const SOON = after(1);
const NONE: RetryHeaders = {};

/** Headers for clients that retry by themselves, by status (spec/errors.md#retries). */
const RETRY_HEADERS: Readonly<Record<number, RetryHeaders>> = {
  409: FINAL,
  429: SOON,
  501: FINAL,
  503: SOON,
};

/** The reasons of one reply to tell something else than its status does. */
interface RetryReasons {
  /** Seconds until a retry may help. */
  afterSeconds?: number | undefined;
  /** The choice of a fault switch (spec/faults.md#injected-errors). */
  shouldRetry?: boolean | undefined;
}

/** Headers that tell a client whether and when to retry. */
export const retryHeaders = (
  status: number,
  { afterSeconds, shouldRetry }: RetryReasons = {},
): RetryHeaders => {
  if (afterSeconds !== undefined)
    return shouldRetry === false ? { ...after(afterSeconds), ...FINAL } : after(afterSeconds);
  const headers = RETRY_HEADERS[status] ?? NONE;
  if (shouldRetry === undefined) return headers;
  return { ...(shouldRetry ? SOON : headers), "x-should-retry": `${shouldRetry}` };
};
