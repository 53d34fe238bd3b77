/**
 * Texts that the sandbox accepts as proofs, except in strict mode (spec/sandbox.md#magic-values).
 */
export const MAGIC_VALUES = {
  otp: "000000",
  oidcToken: "sandbox-valid-oidc-token",
  passkeySignature: "sandbox-valid-passkey-signature",
  walletSignature: "sandbox-valid-signature",
} as const;
