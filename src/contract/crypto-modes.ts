/** Which proofs count: magic values and real ones, only magic values, or only real ones. */
export const CRYPTO_MODES = ["both", "magic-only", "strict"] as const;
export type CryptoMode = (typeof CRYPTO_MODES)[number];
