import * as z from "zod";
import { isLoopbackName } from "../core/loopback.ts";
import { named } from "../core/named-shape.ts";
import { Instant } from "../core/scalars.ts";

const LONGEST_URI = 2048;
/** A URI as it is written, with no character that would have to be encoded first. */
const WEB_URI = /^https?:\/\/[^\s\p{Cc}\p{Cs}]+$/u;

const isRedirectUri = (text: string) => {
  if (!WEB_URI.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || isLoopbackName(hostname);
};

/** Address to return to; plain http only to this machine (spec/kyc-links.md#redirect-uri). */
const RedirectUri = z
  .string()
  .max(LONGEST_URI)
  .refine(isRedirectUri, "Expected a URI with https://, or with http:// of this machine");

/** Body of POST /customers/{customerId}/kyc-link, which may be left out. */
export const KycLinkInput = named("KycLinkInput", () =>
  z.object({ redirectUri: RedirectUri.optional() }),
).optional();

export type KycLinkInput = z.infer<typeof KycLinkInput>;

/** Reply of POST /customers/{customerId}/kyc-link (spec/kyc-links.md#reply). */
export const KycLink = z.lazy(() =>
  z
    .object({
      kycUrl: z.url(),
      expiresAt: Instant,
      provider: z.literal("SUMSUB"),
      token: z.string(),
    })
    .meta({ id: "KycLink" }),
);

export type KycLink = z.infer<typeof KycLink>;
