import * as z from "zod";
import { Instant } from "../core/scalars.ts";

const LONGEST_URI = 2048;
/** Written out as a URI, with nothing in it that would have to be encoded first. */
const WEB_URI = /^https?:\/\/[^\s\p{Cc}\p{Cs}]+$/u;
const OWN_MACHINE = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

const isRedirectUri = (text: string) => {
  if (!WEB_URI.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || OWN_MACHINE.test(hostname);
};

/** Where a person is led afterwards; plain http only to one's own machine (platform digest 6.7). */
const RedirectUri = z
  .string()
  .max(LONGEST_URI)
  .refine(isRedirectUri, "Expected a URI with https://, or with http:// of this machine");

/** Body of POST /customers/{customerId}/kyc-link, which may be left out whole. */
export const KycLinkInput = z.lazy(() =>
  z.object({ redirectUri: RedirectUri.optional() }).optional(),
);

export type KycLinkInput = z.infer<typeof KycLinkInput>;

/** Reply of POST /customers/{customerId}/kyc-link (platform digest 6.7, O-56). */
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
