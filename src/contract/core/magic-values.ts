/** Texts that the sandbox takes in place of a genuine proof, unless it is strict. */
export const MAGIC_VALUES = {
  otp: "000000",
  oidcToken: "sandbox-valid-oidc-token",
  passkeySignature: "sandbox-valid-passkey-signature",
  walletSignature: "sandbox-valid-signature",
} as const;
