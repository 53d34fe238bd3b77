import { KycLink, KycLinkInput } from "../../contract/customers/kyc-links.ts";
import { presentCustomerByPath } from "../../domain/customers/customers.ts";
import * as kycLinks from "../../domain/customers/kyc-links.ts";
import { endpoint } from "../../http/door/endpoint.ts";

export const createKycLink = endpoint("createKycLink", {
  summary: "Create a link to the hosted page that asks a customer for proofs of identity",
  idempotent: true,
  body: KycLinkInput,
  replies: [201, KycLink],
  refuses: ["USER_NOT_FOUND"],
  subject: presentCustomerByPath,
  handle: (input, { commit, origin }) => commit(kycLinks.createKycLink, { ...input, origin }),
});
