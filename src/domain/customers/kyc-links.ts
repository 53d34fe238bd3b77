import type { KycLink, KycLinkInput } from "../../contract/customers/kyc-links.ts";
import { BASE32, type Draft, HEX, instant, type Rule } from "../core/draft.ts";
import { DURATIONS } from "../core/durations.ts";
import type { KycLinkRecord } from "../records/business-records.ts";
import { presentCustomerByPath } from "./customers.ts";

/** Path of the links, below the origin at which the caller reached the simulator. */
export const KYC_PATH = "/kyc";

/** Expired links that each new one removes, so that cleaning up never causes a pause. */
const SWEPT_AT_ONCE = 8;

const sweep = (draft: Draft, nowMs: number) => {
  for (const id of draft.ids("KycLink", "all", "").slice(0, SWEPT_AT_ONCE)) {
    const link = draft.get("KycLink", id);
    if (link && nowMs >= link.expiresAtMs) draft.del("KycLink", id);
  }
};

interface Input {
  params: { customerId: string };
  body: KycLinkInput;
  /** Origin at which the caller reached the simulator: scheme, host and port. */
  origin: string;
}

/**
 * POST /customers/{customerId}/kyc-link: makes a new link with each call
 * (spec/kyc-links.md#request). Accepts customers of any type and status, and changes neither.
 * Refuses an unknown or deleted customer.
 */
export const createKycLink: Rule<Input, KycLink> = (draft, { params, body, origin }, moment) => {
  const customer = presentCustomerByPath(draft, { params }, moment);
  sweep(draft, moment.atMs);
  const link: KycLinkRecord = {
    id: moment.newId("KycLink"),
    customerId: customer.id,
    expiresAtMs: moment.atMs + DURATIONS.kycLinkLifetimeMs,
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  };
  draft.put("KycLink", link);
  const { redirectUri } = body ?? {};
  const query = redirectUri === undefined ? "" : `?redirect_uri=${encodeURIComponent(redirectUri)}`;
  return {
    kycUrl: `${origin}${KYC_PATH}/${moment.draw("kyc-link", 32, HEX)}${query}`,
    expiresAt: instant(link.expiresAtMs),
    provider: "SUMSUB",
    token: `kyc_${moment.draw("kyc-token", 32, BASE32)}`,
  };
};
