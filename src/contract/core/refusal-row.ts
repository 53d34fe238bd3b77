import type { CryptoMode } from "./crypto-modes.ts";

/** A next step that depends on which proofs count, so that it names none that is refused. */
export type NextByMode = Readonly<Record<CryptoMode, string>>;

/** One documented error: the code and HTTP status it becomes, what is wrong, and what to do next. */
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

/** The next steps of the three modes: what a genuine proof is, what a magic one is, or either. */
export const nextByMode = (genuine: string, magic: string): NextByMode => ({
  both: `${genuine}, or ${magic}`,
  "magic-only": magic.charAt(0).toUpperCase() + magic.slice(1),
  strict: genuine,
});
