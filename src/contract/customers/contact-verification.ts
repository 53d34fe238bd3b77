import * as z from "zod";
import { named } from "../core/named-shape.ts";

/** Body of a confirmation (spec/later-customers.md#contact-verification). */
export const ContactVerificationConfirmRequest = named("ContactVerificationConfirmRequest", () =>
  z.object({ code: z.string().min(1) }),
);
