import type { Reading } from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";
import { quoteByPath } from "./quotes.ts";

/**
 * Authorization of a quote, which no payer of the simulator is asked for
 * (spec/later-customers.md#answers-to-others).
 */
export const quoteNeedsNoSca: Reading<{ params: { quoteId: string } }, never> = (
  view,
  { params: { quoteId } },
) => refuse("SCA_NOT_REQUIRED", { quoteId: quoteByPath(view, quoteId).id });
