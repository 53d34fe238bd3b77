import type { H3 } from "h3";
import { KYC_PATH } from "../domain/customers/kyc-links.ts";
import type { Engine } from "../runtime/engine.ts";
import { toResponse } from "./reply.ts";

const TEXT = `This stands in for the page that asks a customer for proofs of identity.
Nothing happens here: PATCH /_sim/customers/{customerId} with kycStatus or kybStatus decides.
`;

/** Where KYC links lead: opening one does nothing (platform O-56). */
export const mountKycPage = (app: H3, { clock }: Engine) => {
  const headers = { "content-type": "text/plain; charset=utf-8" };
  app.get(`${KYC_PATH}/:code`, () => toResponse({ status: 200, text: TEXT, headers }, clock.now()));
};
