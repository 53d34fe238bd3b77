import * as z from "zod";
import { OidcDiscovery, OidcKeys, OidcToken } from "../contract/control/oidc.ts";
import { defined } from "../contract/core/defined.ts";
import { digestHex } from "../crypto/digest.ts";
import { publicJwkOf, signIdToken } from "../crypto/id-tokens.ts";
import { endpoint } from "./core/control-endpoint.ts";

const TokenInput = z.lazy(() =>
  z
    .preprocess(
      (body) => body ?? {},
      z.object({
        email: z.email().optional(),
        sub: z.string().min(1).optional(),
        iss: z.string().min(1).optional(),
        aud: z.string().min(1).optional(),
        nonce: z.string().min(1).optional(),
      }),
    )
    .optional(),
);

const DEFAULT_EMAIL = "ada@example.com";
const DEFAULT_AUDIENCE = "service-sim";
const VALID_SECONDS = 3600;
const SUBJECT_LENGTH = 21;

const open = { method: "GET", permission: "none", refuses: [] } as const;

/** The built-in token issuer: discovery, its keys, and tokens. */
export const oidcEndpoints = [
  endpoint({
    ...open,
    operationId: "oidcDiscovery",
    summary: "The built-in token issuer (OpenID Connect Discovery)",
    path: "/oidc/.well-known/openid-configuration",
    replies: [200, OidcDiscovery],
    handle: (_input, _call, world) => ({
      issuer: world.tokenIssuer(),
      jwks_uri: `${world.tokenIssuer()}/jwks`,
      response_types_supported: ["id_token"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["ES256"],
    }),
  }),
  endpoint({
    ...open,
    operationId: "oidcKeys",
    summary: "The public keys of the built-in token issuer",
    path: "/oidc/jwks",
    replies: [200, OidcKeys],
    handle: (_input, _call, { oidcKeyPem }) => ({ keys: [publicJwkOf(oidcKeyPem)] }),
  }),
  endpoint({
    operationId: "oidcToken",
    summary: "An ID token of the built-in issuer, issued at the simulated instant",
    method: "POST",
    path: "/oidc/token",
    body: TokenInput,
    replies: [201, OidcToken],
    refuses: [],
    handle: async ({ body }, _call, world): Promise<OidcToken> => {
      const { email = DEFAULT_EMAIL, nonce } = body ?? {};
      const iat = Math.floor(world.engine.clock.now() / 1000);
      const claims = {
        iss: body?.iss ?? world.tokenIssuer(),
        sub: body?.sub ?? digestHex(`subject ${email}`).slice(0, SUBJECT_LENGTH),
        aud: body?.aud ?? DEFAULT_AUDIENCE,
        email,
        iat,
        exp: iat + VALID_SECONDS,
        ...defined({ nonce }),
      };
      const isRepeatable = world.keys().current.repeatableScalar !== undefined;
      return { token: await signIdToken(claims, world.oidcKeyPem, { isRepeatable }), claims };
    },
  }),
];
