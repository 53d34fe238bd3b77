import * as z from "zod";
import { enumOf, named } from "../core/named-shape.ts";
import { Instant, InstantInput } from "../core/scalars.ts";

/** The terms for end users that are in force (spec/later-customers.md#end-user-terms). */
export const END_USER_TERMS = {
  version: "V1",
  url: "https://terms.sandbox.test/end-user-terms/v1",
} as const;

/** Versions that a consent may name. */
export const KNOWN_TERMS_VERSIONS: readonly string[] = [END_USER_TERMS.version, "2025-10-13"];

/** Ways in which an end user accepts the terms. */
export const ACCEPTANCE_METHODS = ["CHECKBOX", "CLICK_TO_ACCEPT"] as const;

const LONGEST_IP_ADDRESS = 45;

const members = () => ({
  ipAddress: z.string().min(1).max(LONGEST_IP_ADDRESS),
  termsVersion: z.string().min(1),
  acceptanceMethod: enumOf("EndUserTermsAcceptanceMethod", ACCEPTANCE_METHODS),
});

/** Consent of an end user in a request (spec/later-customers.md#consent). */
export const EndUserTermsConsentInput = named("EndUserTermsConsentRequest", () =>
  z.object({ acceptedAt: InstantInput, ...members() }),
);

/** The same in a reply. */
export const EndUserTermsConsent = named("EndUserTermsConsent", () =>
  z.object({ acceptedAt: Instant, ...members() }),
);

export type EndUserTermsConsent = z.infer<typeof EndUserTermsConsent>;

/** Reply of GET /customers/end-user-terms. */
export const EndUserTerms = named("EndUserTerms", () =>
  z.object({ version: z.string(), url: z.url() }),
);

export type EndUserTerms = z.infer<typeof EndUserTerms>;
