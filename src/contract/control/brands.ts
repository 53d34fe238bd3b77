import * as z from "zod";
import { API_VERSION } from "../core/api-version.ts";
import { BRAND_FORM, isBrandWord, type BrandFile as OwnBrandFile } from "../core/brand-words.ts";
import { named } from "../core/named-shape.ts";
import { REVISIONS } from "../core/revision-names.ts";
import { isUmaDomain } from "../core/uma-domain.ts";
import { CARD_EVENTS, SIGNATURE_FORMS, WALLET_CREDENTIALS } from "../core/world-settings.ts";

/** Versions of the API that a brand can mount at further paths. */
export const API_VERSIONS = [API_VERSION] as const;

/** Values that a variable of a brand's environment can be given. */
export const ENVIRONMENT_VALUES = [
  "url",
  "apiUrl",
  "controlUrl",
  "clientId",
  "clientSecret",
  "webhookPublicKey",
  "webhookPublicKeyPem",
] as const;

/** Form of a path that a brand mounts the API at. */
export const BRAND_PATH = /^(?:\/[A-Za-z0-9._~-]+)+$/;
/** Form of the name of a variable of a brand's environment. */
export const BRAND_VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

export const BrandWord = z.string().refine(isBrandWord, `Expected ${BRAND_FORM}`);

/** A brand file: the word, and what the clients of that brand expect (spec/brand.md#file). */
export const BrandFile: z.ZodType<OwnBrandFile> = z.lazy(() =>
  z
    .strictObject({
      $schema: z.string().optional(),
      word: BrandWord.describe(
        "Replaces `service` in headers, codes and members, written as in a name",
      ),
      umaDomains: z
        .array(z.string().refine(isUmaDomain, "Expected a domain name"))
        .min(1)
        .readonly()
        .optional()
        .describe("Domains of test addresses, as with --sandbox-uma-domain"),
      walletCredential: z
        .enum(WALLET_CREDENTIALS)
        .optional()
        .describe("The credential of a new wallet, as with --wallet-credential"),
      signature: z
        .enum(SIGNATURE_FORMS)
        .optional()
        .describe("Form of the signature header, as with --webhook-signature"),
      cardEvents: z
        .enum(CARD_EVENTS)
        .optional()
        .describe("Spelling of the card events, as with --card-events"),
      revision: z
        .enum(REVISIONS)
        .optional()
        .describe("Revision of the service, as with --revision"),
      paths: z
        .record(z.string().regex(BRAND_PATH, "Expected a path like /acme/v1"), z.enum(API_VERSIONS))
        .readonly()
        .optional()
        .describe("More paths, each with the version of the API served there"),
      env: z
        .array(
          z
            .record(
              z.string().regex(BRAND_VARIABLE, "Expected the name of a variable"),
              z.enum(ENVIRONMENT_VALUES),
            )
            .readonly(),
        )
        .readonly()
        .optional()
        .describe("Sets of variables that `service-sim env` prints, each with its value"),
    })
    .meta({ title: "Brand of service-sim" }),
);

/** The brand of a world, as the report of its settings shows it. */
export const BrandShown = named("Brand", () =>
  z.object({
    word: z.string(),
    paths: z.record(z.string(), z.string()).readonly().optional(),
    env: z.array(z.record(z.string(), z.string()).readonly()).readonly().optional(),
  }),
);

/** A brand as it is given: its word alone, or with what its clients expect. */
export const BrandInput = z.lazy(() => z.union([BrandWord, BrandFile]));

export type BrandInput = z.infer<typeof BrandInput>;
