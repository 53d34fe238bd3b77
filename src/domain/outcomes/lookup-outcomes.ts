import type { RefusalWord } from "../../contract/refusals.ts";

/** Result of looking a UMA address up; without a refusal it is found. */
export interface LookupOutcome {
  says: string;
  refusal?: RefusalWord;
}

/** Results of a lookup, by who has the address (spec/lookups.md#receiver-address). */
export const UMA_LOOKUP_OUTCOMES = {
  person: { says: "a test person of the sandbox is found" },
  customer: { says: "a customer is found" },
  unknown: {
    says: "the name is unknown at a known domain",
    refusal: "UMA_NOT_FOUND",
  },
  otherwise: { says: "another domain does not answer", refusal: "LNURLP_REQUEST_FAILED" },
} as const satisfies Record<string, LookupOutcome>;
