import * as z from "zod";
import { idOf } from "../core/identifiers.ts";
import { enumOf, named } from "../core/named-shape.ts";
import { Instant, InstantInput, PersonalText } from "../core/scalars.ts";

/** Permissions of API tokens (spec/tokens.md#permissions). */
export const PERMISSIONS = ["VIEW", "TRANSACT", "MANAGE"] as const;
export type Permission = (typeof PERMISSIONS)[number];

const tokenMembers = () => ({
  id: idOf("Token"),
  name: z.string(),
  permissions: z.array(enumOf("ApiTokenPermission", PERMISSIONS)),
  clientId: z.string(),
});

const stamps = { createdAt: Instant, updatedAt: Instant };

/** ApiToken of a reply; only the first one has the secret (spec/tokens.md#fields). */
export const ApiToken = z.lazy(() =>
  z.object({ ...tokenMembers(), ...stamps }).meta({ id: "ApiToken" }),
);

export type ApiToken = z.infer<typeof ApiToken>;

/** Reply of POST /tokens, the only one with the secret. */
export const CreatedApiToken = z.lazy(() =>
  z
    .object({ ...tokenMembers(), clientSecret: z.string(), ...stamps })
    .meta({ id: "CreatedApiToken" }),
);

export type CreatedApiToken = z.infer<typeof CreatedApiToken>;

/** Body of POST /tokens (spec/tokens.md#creation). */
export const ApiTokenInput = named("ApiTokenInput", () =>
  z.object({
    name: PersonalText,
    permissions: z.array(enumOf("ApiTokenPermission", PERMISSIONS)).min(1),
  }),
);

export type ApiTokenInput = z.infer<typeof ApiTokenInput>;

/** Filters of GET /tokens; bounds are inclusive (spec/tokens.md#reads). */
export const ApiTokensQuery = {
  name: z.string().optional(),
  createdAfter: InstantInput.optional(),
  createdBefore: InstantInput.optional(),
  updatedAfter: InstantInput.optional(),
  updatedBefore: InstantInput.optional(),
};
