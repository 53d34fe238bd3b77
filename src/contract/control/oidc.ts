import * as z from "zod";
import { named } from "../core/named-shape.ts";

/** Reply of the discovery document of the built-in issuer (OpenID Connect Discovery 1.0, 3). */
export const OidcDiscovery = named("OidcDiscovery", () =>
  z.object({
    issuer: z.string(),
    jwks_uri: z.string(),
    response_types_supported: z.array(z.string()),
    subject_types_supported: z.array(z.string()),
    id_token_signing_alg_values_supported: z.array(z.string()),
  }),
);

/** The public keys of the built-in issuer (RFC 7517, section 5). */
export const OidcKeys = named("OidcKeys", () =>
  z.object({
    keys: z.array(
      z.object({
        kty: z.string(),
        crv: z.string(),
        x: z.string(),
        y: z.string(),
        kid: z.string(),
        alg: z.string(),
        use: z.string(),
      }),
    ),
  }),
);

/** Reply of POST /_sim/oidc/token. */
export const OidcToken = named("OidcToken", () =>
  z.object({
    token: z.string(),
    claims: z.object({
      iss: z.string(),
      sub: z.string(),
      aud: z.string(),
      email: z.string(),
      iat: z.int(),
      exp: z.int(),
      nonce: z.string().optional(),
    }),
  }),
);

export type OidcToken = z.infer<typeof OidcToken>;
