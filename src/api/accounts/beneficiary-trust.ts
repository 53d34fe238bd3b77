import {
  BeneficiaryTrustConfirm,
  BeneficiaryTrustConfirmRequest,
  BeneficiaryTrustStart,
} from "../../contract/customers/strong-authentication.ts";
import { refuse } from "../../domain/core/refusal.ts";
import { accountNeedsNoSca } from "../../domain/customers/unconcerned.ts";
import { endpoint } from "../../http/door/endpoint.ts";

/** Trust spares challenges of strong authentication, which nobody here is asked for. */
const unconcerned = {
  refuses: ["REFERENCE_NOT_FOUND", "SCA_NOT_REQUIRED"],
  subject: accountNeedsNoSca,
  handle: () => refuse("SCA_NOT_REQUIRED"),
} as const;

const start = { replies: [200, BeneficiaryTrustStart], ...unconcerned } as const;

const confirm = {
  body: BeneficiaryTrustConfirmRequest,
  replies: [200, BeneficiaryTrustConfirm],
  ...unconcerned,
} as const;

export const startBeneficiaryTrust = endpoint("startBeneficiaryTrust", {
  summary: "Begin to trust an external account",
  ...start,
});

export const confirmBeneficiaryTrust = endpoint("confirmBeneficiaryTrust", {
  summary: "Confirm trust in an external account",
  ...confirm,
});

export const startBeneficiaryUntrust = endpoint("startBeneficiaryUntrust", {
  summary: "Begin to end the trust in an external account",
  ...start,
});

export const confirmBeneficiaryUntrust = endpoint("confirmBeneficiaryUntrust", {
  summary: "Confirm the end of trust in an external account",
  ...confirm,
});
