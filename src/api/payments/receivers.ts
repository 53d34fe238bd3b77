import { ExternalAccountLookup, LookupQuery, UmaLookup } from "../../contract/payments/lookups.ts";
import * as lookups from "../../domain/payments/lookups.ts";
import { endpoint } from "../../http/door/endpoint.ts";

export const lookUpUma = endpoint("lookUpUma", {
  summary: "Look a UMA address up: what it takes, and the id a quote to it needs for 15 minutes",
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
  summary: "Look an external account up, as a UMA address is",
  query: LookupQuery,
  replies: [200, ExternalAccountLookup],
  refuses: ["INVALID_UMA_ADDRESS", "REFERENCE_NOT_FOUND", "USER_NOT_FOUND"],
  subject: lookups.externalReceiverByPath,
  handle: (input, { commit }) => commit(lookups.lookUpExternalAccount, input),
});
