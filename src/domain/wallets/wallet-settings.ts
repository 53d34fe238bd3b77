import type { EmbeddedWalletConfig } from "../../contract/platform/config.ts";
import { DURATIONS, OTP_LIMITS } from "../core/durations.ts";

/** Settings of embedded wallets that hold while the platform has set nothing else. */
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

/** The settings in force: those that were set, and the defaults of the others. */
export const walletSettings = (set: EmbeddedWalletConfig = {}) =>
  ({ ...WALLET_DEFAULTS, ...set }) as WalletSettings;
