import type { RefusalWord } from "../../contract/refusals.ts";

/** Result of looking a UMA address up; without a refusal it is found. */
export interface LookupOutcome {
  says: string;
  refusal?: RefusalWord;
}

/** Results of a lookup, by who has the address (spec/lookups.md#receiver-address). */
export const UMA_LOOKUP_OUTCOMES = {
  person: { says: "one of the sandbox's people is found" },
  customer: { says: "a customer is found" },
  unknown: {
    says: "nobody has this name at a domain that is known here",
    refusal: "UMA_NOT_FOUND",
  },
  otherwise: { says: "another domain does not answer", refusal: "LNURLP_REQUEST_FAILED" },
} as const satisfies Record<string, LookupOutcome>;
