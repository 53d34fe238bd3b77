import type { CryptoMode } from "./crypto-modes.ts";
import { ERROR_CODES, type ErrorCode } from "./error-codes.ts";

/**
 * Next steps by crypto mode, so that none names a proof that is refused (spec/errors.md#messages).
 */
export type NextByMode = Readonly<Record<CryptoMode, string>>;

/** One documented error: its code and HTTP status, its sentence, and the next step. */
export interface RefusalRow {
  status: number;
  code: ErrorCode;
  says: string;
  next: string | NextByMode;
}

/** A row by its code, whose status comes from the table of codes. */
export const row = (code: ErrorCode, says: string, next: string | NextByMode): RefusalRow => ({
  status: ERROR_CODES[code],
  code,
  says,
  next,
});

/** Next steps of the three modes, from one for genuine proofs and one for magic values. */
export const nextByMode = (genuine: string, magic: string): NextByMode => ({
  both: `${genuine}, or ${magic}`,
  "magic-only": magic.charAt(0).toUpperCase() + magic.slice(1),
  strict: genuine,
});
