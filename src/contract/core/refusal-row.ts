import type { CryptoMode } from "./crypto-modes.ts";

/**
 * Next steps by crypto mode, so that none names a proof that is refused (spec/errors.md#messages).
 */
export type NextByMode = Readonly<Record<CryptoMode, string>>;

/** One documented error: its code and HTTP status, its sentence, and the next step. */
export interface RefusalRow {
  status: number;
  code: string;
  says: string;
  next: string | NextByMode;
}

export const row = (
  [status, code]: readonly [number, string],
  says: string,
  next: string | NextByMode,
): RefusalRow => ({ status, code, says, next });

/** Next steps of the three modes, from one for genuine proofs and one for magic values. */
export const nextByMode = (genuine: string, magic: string): NextByMode => ({
  both: `${genuine}, or ${magic}`,
  "magic-only": magic.charAt(0).toUpperCase() + magic.slice(1),
  strict: genuine,
});
