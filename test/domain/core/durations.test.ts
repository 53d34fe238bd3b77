import { describe, expect, test } from "vitest";
import {
  attemptTimeoutMs,
  DURATIONS,
  NEVER_RETRIED,
  OTP_LIMITS,
  parseDuration,
  retryDelayMs,
  showBeyond,
  showDuration,
  WEBHOOK_MAX_ATTEMPTS,
} from "../../../src/domain/core/durations.ts";

// spec/clock.md#spans
describe("a duration is read", () => {
  test.each([
    { text: "90s", ms: 90_000 },
    { text: "5m1s", ms: 301_000 },
    { text: "6m", ms: 360_000 },
    { text: "1h30m", ms: 5_400_000 },
    { text: "24h", ms: 86_400_000 },
    { text: "7d", ms: 604_800_000 },
    { text: "500ms", ms: 500 },
    { text: "1ms", ms: 1 },
    { text: "1d2h3m4s5ms", ms: 93_784_005 },
    { text: "1m500ms", ms: 60_500 },
    { text: "PT6M", ms: 360_000 },
    { text: "PT90S", ms: 90_000 },
    { text: "PT1H30M", ms: 5_400_000 },
    { text: "P7D", ms: 604_800_000 },
    { text: "P1DT2H3M4S", ms: 93_784_000 },
  ])("$text as $ms ms", ({ text, ms }) => {
    expect(parseDuration(text)).toBe(ms);
  });
});

describe("a text that is not a positive duration is refused", () => {
  test.each([
    "",
    " ",
    "0s",
    "0",
    "PT0S",
    "0d0h",
    "-5m",
    "+5m",
    "5",
    "m",
    "s5",
    "5 m",
    " 5m",
    "5m ",
    "5m\n",
    "5min",
    "5M",
    "1.5h",
    "1,5h",
    "1e3s",
    "1s1m",
    "1h1d",
    "5m5m",
    "5msm",
    "soon",
    "NaN",
    "Infinity",
    "P",
    "PT",
    "P1DT",
    "PT6",
    "P6M",
    "T6M",
    "PT1S1H",
    "٥m",
    "9007199254740993ms",
    "999999999999d",
    `${"9".repeat(400)}d`,
  ])("%j", (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});

describe("a duration is shown", () => {
  test.each([
    { ms: 0, text: "0s" },
    { ms: 1, text: "1ms" },
    { ms: 500, text: "500ms" },
    { ms: 1_000, text: "1s" },
    { ms: 60_000, text: "1m" },
    { ms: 295_000, text: "4m55s" },
    { ms: 360_000, text: "6m" },
    { ms: 3_600_000, text: "1h" },
    { ms: 3_661_000, text: "1h1m" },
    { ms: 5_400_000, text: "1h30m" },
    { ms: 86_400_000, text: "1d" },
    { ms: 90_061_000, text: "1d1h" },
    { ms: 604_800_000, text: "7d" },
  ])("$ms ms as $text", ({ ms, text }) => {
    expect(showDuration(ms)).toBe(text);
  });

  test.each([1, 999, 1_000, 59_000, 60_000, 3_540_000, 82_800_000, 86_400_000, 604_800_000])(
    "so that %d ms reads back as itself",
    (ms) => {
      expect(parseDuration(showDuration(ms))).toBe(ms);
    },
  );
});

describe("a span beyond a limit is shown as longer than the limit", () => {
  test.each([
    { ms: 60_001, limitMs: 60_000, text: "1m1ms" },
    { ms: 60_000.5, limitMs: 60_000, text: "1m1ms" },
    { ms: 60_999, limitMs: 60_000, text: "1m999ms" },
    { ms: 61_000, limitMs: 60_000, text: "1m1s" },
    { ms: 61_001, limitMs: 60_000, text: "1m1s" },
    { ms: 5_001, limitMs: 5_000, text: "5s1ms" },
    { ms: 3_661_500, limitMs: 3_660_000, text: "1h1m1s500ms" },
    { ms: 93_784_005, limitMs: 60_000, text: "1d2h" },
  ])("$ms ms of $limitMs ms as $text", ({ ms, limitMs, text }) => {
    expect(showBeyond(ms, limitMs)).toBe(text);
  });
});

describe("a webhook is sent", () => {
  test.each([
    { retry: 1, ms: 1_000 },
    { retry: 2, ms: 2_000 },
    { retry: 3, ms: 4_000 },
    { retry: 10, ms: 512_000 },
    { retry: 11, ms: 1_024_000 },
    { retry: 12, ms: 1_800_000 },
    { retry: 13, ms: 1_800_000 },
    { retry: 159, ms: 1_800_000 },
    { retry: 100_000, ms: 1_800_000 },
  ])("as retry $retry after $ms ms", ({ retry, ms }) => {
    expect(retryDelayMs(retry)).toBe(ms);
  });

  test("at most 160 times in 7 days, but TEST and approval requests once", () => {
    expect(WEBHOOK_MAX_ATTEMPTS).toBe(160);
    expect(DURATIONS.webhookRetryWindowMs).toBe(604_800_000);
    expect([...NEVER_RETRIED].sort()).toEqual(["INCOMING_PAYMENT.PENDING", "TEST"]);
  });
});

describe("a receiver has", () => {
  test.each([
    { type: "OUTGOING_PAYMENT.COMPLETED", set: undefined, ms: 30_000 },
    { type: "OUTGOING_PAYMENT.COMPLETED", set: 500, ms: 500 },
    { type: "OUTGOING_PAYMENT.COMPLETED", set: 600_000, ms: 600_000 },
    { type: "TEST", set: undefined, ms: 30_000 },
    { type: "INCOMING_PAYMENT.COMPLETED", set: undefined, ms: 30_000 },
    { type: "INCOMING_PAYMENT.PENDING", set: undefined, ms: 5_000 },
    { type: "INCOMING_PAYMENT.PENDING", set: 500, ms: 500 },
    { type: "INCOMING_PAYMENT.PENDING", set: 600_000, ms: 5_000 },
    { type: "otherwise", set: 600_000, ms: 600_000 },
  ])("$ms ms for $type when $set ms are set", ({ type, set, ms }) => {
    expect(attemptTimeoutMs(type, set)).toBe(ms);
  });
});

// spec/clock.md#durations
test("every span has its published length, and every count its published limit", () => {
  expect(DURATIONS).toEqual({
    quoteLifetimeMs: 300_000,
    lookupLifetimeMs: 900_000,
    idempotencyKeptMs: 86_400_000,
    sessionLifetimeMs: 900_000,
    deviceCodeLifetimeMs: 900_000,
    signedRetryLifetimeMs: 300_000,
    verificationTokenLifetimeMs: 3_600_000,
    passkeyChallengeLifetimeMs: 300_000,
    registrationChallengeKeptMs: 86_400_000,
    otpLifetimeMs: 300_000,
    otpReissueWindowMs: 60_000,
    webhookRetryBaseMs: 1_000,
    webhookRetryCapMs: 1_800_000,
    webhookRetryWindowMs: 604_800_000,
    labDelayMs: 600_000,
    kycLinkLifetimeMs: 86_400_000,
    cardRevealLifetimeMs: 300_000,
    approvalLapseMs: 5_000,
  });
  expect(OTP_LIMITS).toMatchObject({ reissuesPerWindow: 3, wrongCodes: 5 });
});
