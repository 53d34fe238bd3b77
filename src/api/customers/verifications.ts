import { PageQuery, pageOf } from "../../contract/core/lists.ts";
import {
  Verification,
  VerificationInput,
  VerificationsQuery,
} from "../../contract/customers/verifications.ts";
import * as verifications from "../../domain/customers/verifications.ts";
import { endpoint } from "../../http/door/endpoint.ts";

export const createVerification = endpoint("createVerification", {
  summary: "Submit a customer for verification, for the first time or again",
  body: VerificationInput,
  replies: [200, Verification],
  refuses: ["USER_NOT_FOUND"],
  later: { change: "verificationRules", refuses: ["ALREADY_VERIFIED"] },
  handle: ({ body }, { commit }) => commit(verifications.createVerification, { body }),
});

export const listVerifications = endpoint("listVerifications", {
  summary: "List verifications, newest first",
  query: { ...VerificationsQuery, ...PageQuery },
  replies: [200, pageOf(Verification)],
  refuses: [],
  handle: (input, { read }) => read(verifications.listVerifications, input),
});

export const getVerification = endpoint("getVerification", {
  summary: "Get one verification",
  replies: [200, Verification],
  refuses: ["REFERENCE_NOT_FOUND"],
  handle: (input, { read }) => read(verifications.getVerification, input),
});
