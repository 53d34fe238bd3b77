import * as z from "zod";
import { enumOf, named } from "./named-shape.ts";
import { Instant } from "./scalars.ts";

/** Ways to prove that a customer is who it says (spec/later-customers.md#strong-authentication). */
const SCA_FACTORS = ["SMS_OTP", "TOTP", "PASSKEY"] as const;

/** One of the factors. */
export const Factor = z.lazy(() => enumOf("ScaFactor", SCA_FACTORS));

/** Options and answers of WebAuthn, as browsers know them. */
export const PasskeyDocument = z.lazy(() =>
  z.record(z.string(), z.unknown()).meta({ id: "PasskeyDocument" }),
);

/** Origins that a passkey may answer from. */
export const Origins = z.lazy(() => z.array(z.string()));

/** A proof that a customer is asked for. */
export const ScaChallenge = named("ScaChallenge", () =>
  z.object({
    id: z.string(),
    expiresAt: Instant,
    factor: Factor,
    availableFactors: z.array(Factor),
    purpose: z.string().nullable().optional(),
    passkeyAssertionOptions: PasskeyDocument.nullable().optional(),
    passkeyAllowedOrigins: Origins.nullable().optional(),
  }),
);
