import { MAGIC_VALUES } from "../../contract/core/magic-values.ts";
import { sessionKeyFrom } from "../../crypto/session-keys.ts";
import { type Draft, HEX, type Moment, type View } from "../core/draft.ts";
import { DURATIONS, OTP_LIMITS, showDuration } from "../core/durations.ts";
import { platformConfig } from "../core/platform-config.ts";
import { Refusal, refusalByRule, refuse } from "../core/refusal.ts";
import { isChanged } from "../core/revision.ts";
import { ruleName } from "../outcomes/rule-names.ts";
import type { AuthMethodRecord, OtpState } from "../records/wallet-records.ts";
import { nextCode, takesMagicCode } from "./code-choice.ts";
import { cryptoMode } from "./crypto-mode.ts";
import { MAGIC_CODE_ALONE, sendMail } from "./mails.ts";
import { GENUINE_PROOF } from "./proof-rules.ts";
import { walletSettings } from "./wallet-settings.ts";

const DIGITS = "0123456789";
const ALPHANUMERIC = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

const DEFAULT_APP = "service-sim";

/** Hex characters of a key's entropy. */
const ENTROPY_HEX = 96;

/** Makes the key that a code is sealed to, in revisions that seal codes (spec/later-wallets.md#encrypted-codes). */
const targetKeyFor = (view: View, moment: Moment): Pick<OtpState, "targetKeyHex"> => {
  if (!isChanged(view, "encryptedCodes")) return {};
  const entropy = moment.draw("otp-target", ENTROPY_HEX, HEX);
  return { targetKeyHex: sessionKeyFrom(entropy).privateKeyHex };
};

/**
 * Draws a code, replaces the one before, and mails or texts it (spec/credentials.md#code-format,
 * spec/inbox.md#mail-triggers).
 */
export const sendCode = (draft: Draft, method: AuthMethodRecord, moment: Moment) => {
  const settings = walletSettings(platformConfig(draft).embeddedWalletConfig);
  const alphabet = settings.alphanumeric ? ALPHANUMERIC : DIGITS;
  const code = nextCode(draft, { length: settings.otpLength, alphabet }, moment);
  const lifetimeMs = settings.expirationSeconds * 1000;
  const otp: OtpState = {
    ...{ code, expiresAtMs: moment.atMs + lifetimeMs, wrongCount: 0 },
    ...targetKeyFor(draft, moment),
  };
  const sent = { ...(draft.get("AuthMethod", method.id) ?? method), otp };
  draft.put("AuthMethod", sent);
  const app = settings.appName ?? DEFAULT_APP;
  sendMail(
    draft,
    {
      to: method.email ?? method.phoneNumber ?? method.nickname,
      code,
      subject: "Your sign-in code",
      text: `${code} signs you in to ${app}. It is valid for ${showDuration(lifetimeMs)}.`,
      credentialId: method.id,
      ...(method.type === "SMS_OTP" && { channel: "sms" }),
      expiresAtMs: otp.expiresAtMs,
    },
    moment,
  );
  return sent;
};

const recentReissues = ({ otpReissuedAtMs = [] }: AuthMethodRecord, atMs: number) =>
  otpReissuedAtMs.filter((reissuedMs) => reissuedMs > atMs - DURATIONS.otpReissueWindowMs);

/** Time until another code may be asked for, in milliseconds; 0 when it may be now. */
const reissueWaitMs = (method: AuthMethodRecord, atMs: number) => {
  const recent = recentReissues(method, atMs);
  const [oldest = atMs] = recent.slice(-OTP_LIMITS.reissuesPerWindow);
  if (recent.length < OTP_LIMITS.reissuesPerWindow) return 0;
  return oldest + DURATIONS.otpReissueWindowMs - atMs;
};

const retryAfter = (waitMs: number) => Math.max(1, Math.ceil(waitMs / 1000));

/** Mails a fresh code; refuses a fourth one within 60 s (spec/credentials.md#reissue-limit). */
export const reissueCode = (draft: Draft, method: AuthMethodRecord, moment: Moment) => {
  const waitMs = reissueWaitMs(method, moment.atMs);
  if (waitMs > 0)
    refuse("RATE_LIMITED", { what: "codes asked for", retryAfterSeconds: retryAfter(waitMs) });
  const noted = {
    ...method,
    otpReissuedAtMs: [...recentReissues(method, moment.atMs), moment.atMs],
  };
  draft.put("AuthMethod", noted);
  sendCode(draft, noted, moment);
};

const invalid = (check: string) => refusalByRule(GENUINE_PROOF, "INVALID_OTP_CODE", { check });

const magicProblem = (view: View, code: string): Refusal | undefined => {
  const mode = cryptoMode(view);
  const isTaken = mode === "magic-only" || takesMagicCode(view);
  if (code === MAGIC_VALUES.otp && mode !== "strict" && isTaken) return undefined;
  if (mode === "magic-only") return invalid(MAGIC_CODE_ALONE);
  if (!isTaken) return invalid("--codes random accepts only the newest emailed code");
  if (code === MAGIC_VALUES.otp) return invalid("--crypto strict accepts no magic value");
  return invalid("it is not the newest emailed code");
};

/** A code as its owner gives it, and a test whether it is the pending one. */
interface GivenCode {
  code: string;
  isSame: (pending: string) => boolean;
  moment: Moment;
}

/** Ends the pending code of a credential: it is used up. */
export const useUpCode = (draft: Draft, method: AuthMethodRecord) => {
  const { otp: _used, ...rest } = method;
  draft.put("AuthMethod", rest);
};

/**
 * Uses up a right code and counts a wrong one (spec/credentials.md#wrong-codes).
 * @returns the refusal to throw once the count is stored; nothing for a right code
 */
export const takeCode = (
  draft: Draft,
  method: AuthMethodRecord,
  given: GivenCode,
): Refusal | undefined => {
  const problem = countCode(draft, method, given);
  if (!problem) useUpCode(draft, method);
  return problem;
};

/**
 * Checks a code and counts a wrong one; a right one stays (spec/credentials.md#code-check).
 * @returns the refusal to throw once the count is stored; nothing for a right code
 */
export const countCode = (
  draft: Draft,
  method: AuthMethodRecord,
  { code, isSame, moment }: GivenCode,
): Refusal | undefined => {
  const { otp } = method;
  const isPending = otp !== undefined && moment.atMs < otp.expiresAtMs;
  if (isPending && otp.wrongCount >= OTP_LIMITS.wrongCodes)
    return new Refusal("RATE_LIMITED", {
      what: "wrong codes",
      retryAfterSeconds: retryAfter(reissueWaitMs(method, moment.atMs)),
    });
  const isMagicOnly = cryptoMode(draft) === "magic-only";
  const isRight = isPending && !isMagicOnly && isSame(otp.code);
  const problem = isRight ? undefined : magicProblem(draft, code);
  if (!problem) {
    draft.decidedBy(isRight ? GENUINE_PROOF : ruleName("walletProof", code));
    return undefined;
  }
  if (isPending)
    draft.put("AuthMethod", { ...method, otp: { ...otp, wrongCount: otp.wrongCount + 1 } });
  const isOfMode = isMagicOnly || code === MAGIC_VALUES.otp;
  return isPending || isOfMode ? problem : invalid("no code is pending for this credential");
};
