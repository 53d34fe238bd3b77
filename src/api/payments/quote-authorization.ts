import * as z from "zod";
import { ScaAuthorization } from "../../contract/customers/strong-authentication.ts";
import { Quote } from "../../contract/payments/quotes.ts";
import { refuse } from "../../domain/core/refusal.ts";
import { quoteNeedsNoSca } from "../../domain/payments/quote-authorization.ts";
import { endpoint } from "../../http/door/endpoint.ts";

const unconcerned = {
  refuses: ["QUOTE_NOT_FOUND", "SCA_NOT_REQUIRED"],
  subject: quoteNeedsNoSca,
  handle: () => refuse("SCA_NOT_REQUIRED"),
} as const;

export const authorizeQuote = endpoint("authorizeQuote", {
  summary: "Authorize a payment with strong authentication",
  body: ScaAuthorization,
  replies: [200, Quote],
  ...unconcerned,
});

export const resendQuoteScaCode = endpoint("resendQuoteScaCode", {
  summary: "Send the code of a payment's challenge again",
  replies: [204, z.undefined()],
  ...unconcerned,
});
