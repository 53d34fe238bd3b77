import * as z from "zod";
import { AnyId, idOf } from "../core/identifiers.ts";
import { Instant } from "../core/scalars.ts";

/** States of a card; PENDING_KYC is published and never reached (wallets digest 8.5). */
export const CARD_STATES = ["PENDING_KYC", "PENDING_ISSUE", "ACTIVE", "FROZEN", "CLOSED"] as const;
export type CardState = (typeof CARD_STATES)[number];

/** Why a card is CLOSED (contract 0-service, Card: spelled exactly so). */
export const CARD_STATE_REASONS = [
  "ISSUER_REJECTED",
  "CLOSED_BY_PLATFORM",
  "CLOSED_BY_GRID",
] as const;
export type CardStateReason = (typeof CARD_STATE_REASONS)[number];

const PlatformCardId = z.string().min(1).max(255);

const FundingSources = z
  .array(AnyId)
  .min(1)
  .refine((ids) => new Set(ids).size === ids.length, "Expected each account once")
  .meta({ uniqueItems: true });

/** Body of POST /cards (wallets digest 8.1). */
export const CardInput = z.lazy(() =>
  z.object({
    cardholderId: AnyId,
    platformCardId: PlatformCardId.optional(),
    form: z.enum(["VIRTUAL"]),
    fundingSources: FundingSources,
  }),
);

export type CardInput = z.infer<typeof CardInput>;

/** Body of PATCH /cards/{id}: one of both at least; a closed card has no sources (digest 8.4). */
export const CardPatch = z.lazy(() =>
  z
    .object({
      state: z.enum(["ACTIVE", "FROZEN", "CLOSED"]).optional(),
      fundingSources: FundingSources.optional(),
    })
    .refine(
      ({ state, fundingSources }) => state !== undefined || fundingSources !== undefined,
      "Expected state or fundingSources",
    )
    .refine(({ state, fundingSources }) => state !== "CLOSED" || fundingSources === undefined, {
      path: ["fundingSources"],
      error: "Expected no fundingSources beside state CLOSED",
    }),
);

export type CardPatch = z.infer<typeof CardPatch>;

/** Filters of GET /cards (wallets digest 8.2). */
export const CardsQuery = {
  cardholderId: AnyId.optional(),
  accountId: AnyId.optional(),
  platformCardId: z.string().optional(),
  state: z.enum(CARD_STATES).optional(),
};

/** Card of a reply; what provisioning gives it appears with ACTIVE (wallets digest 3.6). */
export const Card = z.lazy(() =>
  z
    .object({
      id: idOf("Card"),
      cardholderId: idOf("Customer"),
      platformCardId: z.string(),
      state: z.enum(CARD_STATES),
      stateReason: z.enum(CARD_STATE_REASONS).nullable(),
      brand: z.enum(["VISA", "MASTERCARD"]).optional(),
      form: z.enum(["VIRTUAL"]),
      last4: z
        .string()
        .regex(/^[0-9]{4}$/)
        .optional(),
      expMonth: z.number().int().min(1).max(12).optional(),
      expYear: z.number().int().optional(),
      panEmbedUrl: z.string().optional(),
      fundingSources: z.array(z.string()),
      currency: z.string(),
      issuerRef: z.string().optional(),
      createdAt: Instant,
      updatedAt: Instant,
    })
    .meta({ id: "Card" }),
);

export type Card = z.infer<typeof Card>;
