import { stableWords } from "../contract/core/stable-words.ts";

/** Raised when a step in the check of a registration or sign-in fails. */
export class FailedCheck extends Error {
  override readonly name = "FailedCheck";
  /** True when the bytes cannot be read, so that nothing was checked. */
  readonly isUnparsable: boolean;

  constructor(check: string, isUnparsable: boolean) {
    super(check);
    this.isUnparsable = isUnparsable;
  }
}

/** Ends a check with a readable but wrong value. */
export const failCheck = (check: string): never => {
  throw new FailedCheck(check, false);
};

/** Ends a check with an unreadable value. */
export const failParse = (check: string): never => {
  throw new FailedCheck(check, true);
};

export const messageOf = (error: unknown) => stableWords(error, "its bytes cannot be decoded");

const WITH_PADDING = /^[A-Za-z0-9_-]+={0,2}$/;

/**
 * Bytes of base64url text (RFC 4648, section 5), padded or not. Text that no encoder writes fails:
 * another alphabet, wrong padding, leftover bits.
 */
export const bytesOf = (text: unknown, name: string): Buffer => {
  if (typeof text !== "string" || !WITH_PADDING.test(text)) return failParse(notBase64url(name));
  const bytes = Buffer.from(text, "base64url");
  const unpadded = bytes.toString("base64url");
  const padded = unpadded.padEnd(Math.ceil(unpadded.length / 4) * 4, "=");
  return text === unpadded || text === padded ? bytes : failParse(notBase64url(name));
};

const notBase64url = (name: string) => `${name} is not base64url`;
