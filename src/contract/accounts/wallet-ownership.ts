import * as z from "zod";
import { enumOf, named } from "../core/named-shape.ts";
import { Instant } from "../core/scalars.ts";

const METHODS = ["WALLET_SIGNATURE", "LIVENESS"] as const;

/** Body of a request for a challenge (spec/later-customers.md#ownership-of-wallets). */
export const OwnershipChallengeRequest = named("OwnershipChallengeRequest", () =>
  z.object({ method: enumOf("OwnershipVerificationMethod", METHODS) }),
);

/** Its reply. */
export const OwnershipChallenge = named("OwnershipChallenge", () =>
  z.discriminatedUnion("method", [
    named("WalletSignatureChallenge", () =>
      z.object({
        method: z.literal("WALLET_SIGNATURE"),
        messageToSign: z.string(),
        expiresAt: Instant,
      }),
    ),
    named("LivenessChallenge", () =>
      z.object({
        method: z.literal("LIVENESS"),
        verificationLink: z.url(),
        token: z.string().optional(),
        expiresAt: Instant,
      }),
    ),
  ]),
);

/** Body of the answer to a challenge. */
export const OwnershipVerifyRequest = named("OwnershipVerifyRequest", () =>
  z.object({
    signature: z.string().min(1),
    signatureScheme: enumOf("OwnershipSignatureScheme", ["bip137", "electrum"]).optional(),
  }),
);
