import * as z from "zod";
import { enumOf, named } from "../core/named-shape.ts";
import { Factor, Origins, PasskeyDocument, ScaChallenge } from "../core/sca-challenges.ts";
import { Instant } from "../core/scalars.ts";

/** Query of operations about one customer. */
export const ScaQuery = { customerId: z.string().min(1) };

const proofMembers = () => ({
  code: z.string().optional(),
  passkeyAssertion: PasskeyDocument.optional(),
  origin: z.string().optional(),
});

/** Body of POST /quotes/{quoteId}/authorize. */
export const ScaAuthorization = named("ScaAuthorization", () =>
  z.object({ ...proofMembers(), endUserIpAddress: z.string().optional() }),
);

const ScaFactorView = named("ScaFactorView", () =>
  z.object({
    factor: Factor,
    credentialId: z.string().optional(),
    name: z.string().optional(),
  }),
);

/** Reply of GET /sca/factors. */
export const ScaFactorList = named("ScaFactorList", () =>
  z.object({ factors: z.array(ScaFactorView) }),
);

const totp = () => ({ type: z.literal("TOTP") });
const passkey = () => ({ type: z.literal("PASSKEY") });

/** Body of POST /sca/factors. */
export const ScaFactorEnrollRequest = named("ScaFactorEnrollRequestOneOf", () =>
  z.discriminatedUnion("type", [
    named("TotpFactorEnrollRequest", () => z.object(totp())),
    named("PasskeyFactorEnrollRequest", () => z.object(passkey())),
  ]),
);

/** Reply of POST /sca/factors. */
export const ScaFactorEnrollStart = named("ScaFactorEnrollStartOneOf", () =>
  z.discriminatedUnion("type", [
    named("TotpEnrollmentStart", () =>
      z.object({
        ...totp(),
        secret: z.string(),
        secretBase32Encoded: z.string(),
        totpUri: z.string(),
      }),
    ),
    named("PasskeyEnrollmentStart", () =>
      z.object({
        ...passkey(),
        options: PasskeyDocument,
        allowedOrigins: Origins,
        relyingPartyId: z.string(),
      }),
    ),
  ]),
);

/** Body of POST /sca/factors/confirm. */
export const ScaFactorConfirmRequest = named("ScaFactorConfirmRequestOneOf", () =>
  z.discriminatedUnion("type", [
    named("TotpEnrollmentConfirmRequest", () =>
      z.object({ ...totp(), secret: z.string(), code: z.string() }),
    ),
    named("PasskeyEnrollmentConfirmRequest", () =>
      z.object({ ...passkey(), origin: z.string(), credential: PasskeyDocument }),
    ),
  ]),
);

/** Reply of POST /sca/factors/confirm. */
export const ScaFactorConfirmResponse = named("ScaFactorConfirmResponseOneOf", () =>
  z.discriminatedUnion("type", [
    named("TotpEnrollmentConfirmResponse", () =>
      z.object({ ...totp(), recoveryCodes: z.array(z.string()) }),
    ),
    named("PasskeyEnrollmentConfirmResponse", () =>
      z.object({ ...passkey(), factor: ScaFactorView }),
    ),
  ]),
);

/** Body of POST /sca/login/start. */
export const ScaLoginStartRequest = named("ScaLoginStartRequest", () =>
  z.object({ factor: Factor }),
);

/** Reply of POST /sca/login/start. */
export const ScaLoginStart = named("ScaLoginStart", () =>
  z.object({
    factor: Factor,
    challengeId: z.string().optional(),
    expiresAt: Instant.optional(),
    passkeyOptions: PasskeyDocument.optional(),
    allowedOrigins: Origins.optional(),
    relyingPartyId: z.string().optional(),
  }),
);

/** Body of POST /sca/login/complete. */
export const ScaLoginCompleteRequest = named("ScaLoginCompleteRequest", () =>
  z.object({
    factor: Factor,
    endUserIpAddress: z.string(),
    challengeId: z.string().optional(),
    ...proofMembers(),
  }),
);

/** Reply of POST /sca/login/complete. */
export const ScaLoginComplete = named("ScaLoginComplete", () =>
  z.object({ status: z.literal("SUCCESS"), sessionExpiresAt: Instant }),
);

/** Events of a customer's security that a platform reports. */
export const SECURITY_EVENTS = ["RESET_PASSWORD_COMPLETED", "FAILED_LOGIN_ATTEMPT"] as const;

const SecurityEventType = z.lazy(() => enumOf("SecurityEventType", SECURITY_EVENTS));

/** Body of POST /sca/record-event. */
export const RecordSecurityEventRequest = named("RecordSecurityEventRequest", () =>
  z.object({ eventType: SecurityEventType }),
);

/** Reply of POST /sca/record-event. */
export const RecordSecurityEventResponse = named("RecordSecurityEventResponse", () =>
  z.object({
    eventType: SecurityEventType,
    suspended: z.boolean(),
    lockedUntil: Instant.nullable(),
    failedAttempts: z.int().min(0),
  }),
);

/** Body of POST /sca/factors/reset. */
export const TwoFactorResetStartRequest = named("TwoFactorResetStartRequest", () =>
  z.object({ factor: Factor }),
);

/** Reply of POST /sca/factors/reset. */
export const TwoFactorResetStart = named("TwoFactorResetStart", () =>
  z.object({
    resetId: z.string(),
    livenessAccessToken: z.string(),
    verificationLink: z.url(),
    expiresAt: Instant,
  }),
);

const RESET_STATUSES = [
  "INITIATED",
  "PENDING_REVIEW",
  "LIVENESS_PASSED",
  "COMPLETED",
  "REJECTED",
  "EXPIRED",
] as const;

/** Reply of GET /sca/factors/reset/{resetId}. */
export const TwoFactorResetStatus = named("TwoFactorResetStatus", () =>
  z.object({
    status: enumOf("TwoFactorResetState", RESET_STATUSES),
    factor: Factor,
    enrollmentStatus: enumOf("ScaEnrollmentState", ["PENDING", "COMPLETED"]).nullable(),
    expiresAt: Instant,
    completedAt: Instant.nullable(),
  }),
);

/** Body of POST /sca/factors/reset/{resetId}/complete. */
export const TwoFactorResetCompleteRequest = named("TwoFactorResetCompleteRequest", () =>
  z.object({
    mobile: z.object({ countryCode: z.string(), number: z.string() }).optional(),
  }),
);

/** Reply of POST /customers/external-accounts/{externalAccountId}/trust, and of its opposite. */
export const BeneficiaryTrustStart = named("BeneficiaryTrustStart", () =>
  z.object({ scaChallenge: ScaChallenge.optional() }),
);

/** Body of POST /customers/external-accounts/{externalAccountId}/trust/confirm. */
export const BeneficiaryTrustConfirmRequest = named("BeneficiaryTrustConfirmRequest", () =>
  z.object({ challengeId: z.string().optional(), ...proofMembers() }),
);

/** Its reply. */
export const BeneficiaryTrustConfirm = named("BeneficiaryTrustConfirm", () =>
  z.object({ trusted: z.boolean() }),
);
