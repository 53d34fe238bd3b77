import * as z from "zod";
import * as sca from "../../contract/customers/strong-authentication.ts";
import type { Reading } from "../../domain/core/draft.ts";
import { refuse } from "../../domain/core/refusal.ts";
import { customerNeedsNoSca, unknownOfSca } from "../../domain/customers/unconcerned.ts";
import { queryInShape } from "../../http/body/shape.ts";
import { endpoint } from "../../http/door/endpoint.ts";

interface Asked {
  params: object;
  search: URLSearchParams;
}

/** The customer that the query names: a query that names none is refused first. */
const customerIn = ({ search }: Asked) =>
  queryInShape(sca.ScaQuery, search) as { customerId: string };

/** Members of operations that no customer of the simulator is concerned by. */
const unconcerned = {
  query: sca.ScaQuery,
  refuses: ["USER_NOT_FOUND", "SCA_NOT_REQUIRED"],
  subject: ((view, asked, moment) =>
    customerNeedsNoSca(view, customerIn(asked), moment)) satisfies Reading<Asked, never>,
  handle: () => refuse("SCA_NOT_REQUIRED"),
} as const;

/** The same about a thing that a path names, which no customer of the simulator has. */
const without = <Params extends object>(resource: string, idOf: (params: Params) => string) =>
  ({
    query: sca.ScaQuery,
    refuses: ["USER_NOT_FOUND", "REFERENCE_NOT_FOUND"],
    subject: ((view, asked, moment) =>
      unknownOfSca(resource)(idOf(asked.params))(
        view,
        customerIn(asked),
        moment,
      )) satisfies Reading<Asked & { params: Params }, never>,
    handle: () => refuse("REFERENCE_NOT_FOUND"),
  }) as const;

const resetId = ({ resetId: id }: { resetId: string }) => id;

export const listScaFactors = endpoint("listScaFactors", {
  summary: "List the factors of a customer's strong authentication",
  replies: [200, sca.ScaFactorList],
  ...unconcerned,
});

export const startScaFactorEnrollment = endpoint("startScaFactorEnrollment", {
  summary: "Begin to enroll a factor of strong authentication",
  body: sca.ScaFactorEnrollRequest,
  replies: [200, sca.ScaFactorEnrollStart],
  ...unconcerned,
});

export const confirmScaFactorEnrollment = endpoint("confirmScaFactorEnrollment", {
  summary: "Confirm a factor of strong authentication with a first proof",
  body: sca.ScaFactorConfirmRequest,
  replies: [200, sca.ScaFactorConfirmResponse],
  ...unconcerned,
});

export const deleteScaFactor = endpoint("deleteScaFactor", {
  summary: "Delete a passkey of strong authentication",
  replies: [204, z.undefined()],
  ...without("ScaFactor", ({ credentialId }: { credentialId: string }) => credentialId),
});

export const startScaLogin = endpoint("startScaLogin", {
  summary: "Begin a login with strong authentication",
  body: sca.ScaLoginStartRequest,
  replies: [200, sca.ScaLoginStart],
  ...unconcerned,
});

export const completeScaLogin = endpoint("completeScaLogin", {
  summary: "Complete a login with strong authentication",
  body: sca.ScaLoginCompleteRequest,
  replies: [200, sca.ScaLoginComplete],
  ...unconcerned,
});

export const recordSecurityEvent = endpoint("recordSecurityEvent", {
  summary: "Report an event of a customer's security",
  body: sca.RecordSecurityEventRequest,
  replies: [200, sca.RecordSecurityEventResponse],
  ...unconcerned,
});

export const startTwoFactorReset = endpoint("startTwoFactorReset", {
  summary: "Begin to reset a factor of strong authentication",
  body: sca.TwoFactorResetStartRequest,
  replies: [201, sca.TwoFactorResetStart],
  ...unconcerned,
});

export const getTwoFactorResetStatus = endpoint("getTwoFactorResetStatus", {
  summary: "Get the progress of a reset",
  replies: [200, sca.TwoFactorResetStatus],
  ...without("TwoFactorReset", resetId),
});

export const completeTwoFactorReset = endpoint("completeTwoFactorReset", {
  summary: "Complete a reset",
  body: sca.TwoFactorResetCompleteRequest.optional(),
  replies: [204, z.undefined()],
  ...without("TwoFactorReset", resetId),
});
