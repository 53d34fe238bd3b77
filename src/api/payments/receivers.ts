import { ExternalAccountLookup, LookupQuery, UmaLookup } from "../../contract/payments/lookups.ts";
import * as lookups from "../../domain/payments/lookups.ts";
import { endpoint } from "../../http/door/endpoint.ts";

export const lookUpUma = endpoint("lookUpUma", {
  summary:
    "Look up a UMA address: what it accepts, and the lookupId for a quote, valid for 15 minutes",
  query: LookupQuery,
  replies: [200, UmaLookup],
  refuses: [
    "INVALID_UMA_ADDRESS",
    "SELF_PAYMENT",
    "UMA_NOT_FOUND",
    "USER_NOT_FOUND",
    "LNURLP_REQUEST_FAILED",
  ],
  subject: lookups.umaReceiverByPath,
  handle: (input, { commit }) => commit(lookups.lookUpUma, input),
});

export const lookUpExternalAccount = endpoint("lookUpExternalAccount", {
  summary: "Look up an external account",
  query: LookupQuery,
  replies: [200, ExternalAccountLookup],
  refuses: ["INVALID_UMA_ADDRESS", "REFERENCE_NOT_FOUND", "USER_NOT_FOUND"],
  subject: lookups.externalReceiverByPath,
  handle: (input, { commit }) => commit(lookups.lookUpExternalAccount, input),
});
