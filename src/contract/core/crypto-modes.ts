/** Modes of wallet proofs: magic values and real ones count, only magic values, or only real ones. */
export const CRYPTO_MODES = ["both", "magic-only", "strict"] as const;
export type CryptoMode = (typeof CRYPTO_MODES)[number];
