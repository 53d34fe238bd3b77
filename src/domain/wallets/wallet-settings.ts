import type { EmbeddedWalletConfig } from "../../contract/platform/config.ts";
import { DURATIONS, OTP_LIMITS } from "../core/durations.ts";

/** Defaults of the embedded wallet settings, in force until the platform sets others. */
const WALLET_DEFAULTS = {
  otpLength: OTP_LIMITS.defaultLength,
  alphanumeric: false,
  expirationSeconds: DURATIONS.otpLifetimeMs / 1000,
  sendFromEmailSenderName: "Notifications",
} as const satisfies EmbeddedWalletConfig;

type WalletSettings = EmbeddedWalletConfig & {
  otpLength: number;
  alphanumeric: boolean;
  expirationSeconds: number;
};

/** The settings in force: those that were set, and defaults for the rest. */
export const walletSettings = (set: EmbeddedWalletConfig = {}) =>
  ({ ...WALLET_DEFAULTS, ...set }) as WalletSettings;
