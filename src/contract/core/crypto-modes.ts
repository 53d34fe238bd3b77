/**
 * Wallet proofs that are accepted (spec/wallets.md#crypto-modes): magic and genuine ones, only
 * magic ones, or only genuine ones.
 */
export const CRYPTO_MODES = ["both", "magic-only", "strict"] as const;
export type CryptoMode = (typeof CRYPTO_MODES)[number];
