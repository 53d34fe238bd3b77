import type { Timestamps } from "./timestamps.ts";

/**
 * A row that the next matching choices of its table take, in place of the one that their identifier
 * asks for (spec/sandbox.md#next-outcome).
 */
export interface NextOutcomeRecord extends Timestamps {
  /** `quotedPayment`. */
  table: string;
  /** `003`. */
  row: string;
  /** Counts only for choices about this record; for all of them when absent. */
  for?: string;
  /** Choices that still take it. */
  times: number;
}
