import { PageQuery, pageOf } from "../../contract/core/lists.ts";
import {
  Verification,
  VerificationInput,
  VerificationsQuery,
} from "../../contract/customers/verifications.ts";
import * as verifications from "../../domain/customers/verifications.ts";
import { endpoint } from "../../http/endpoint.ts";

export const createVerification = endpoint({
  operationId: "createVerification",
  summary: "Submit a customer for verification, for the first time or again",
  method: "POST",
  path: "/verifications",
  permission: "MANAGE",
  body: VerificationInput,
  replies: [200, Verification],
  refuses: ["USER_NOT_FOUND"],
  handle: ({ body }, { commit }) => commit(verifications.createVerification, { body }),
});

export const listVerifications = endpoint({
  operationId: "listVerifications",
  summary: "List verifications, newest first",
  method: "GET",
  path: "/verifications",
  permission: "VIEW",
  query: { ...VerificationsQuery, ...PageQuery },
  replies: [200, pageOf(Verification)],
  refuses: [],
  handle: (input, { read }) => read(verifications.listVerifications, input),
});

export const getVerification = endpoint({
  operationId: "getVerification",
  summary: "Get one verification",
  method: "GET",
  path: "/verifications/{verificationId}",
  permission: "VIEW",
  replies: [200, Verification],
  refuses: ["REFERENCE_NOT_FOUND"],
  handle: (input, { read }) => read(verifications.getVerification, input),
});
