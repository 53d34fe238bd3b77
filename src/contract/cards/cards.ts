import * as z from "zod";
import { AnyId, idOf } from "../core/identifiers.ts";
import { enumOf, named } from "../core/named-shape.ts";
import { added, addedValue, gone, replaced, revised, withValues } from "../core/revised-shape.ts";
import { Instant } from "../core/scalars.ts";
import {
  CARD_STATE_REASONS,
  CARD_STATES,
  RENAMED_CARD_STATES,
  type ShownCardState,
} from "./card-states.ts";

const PlatformCardId = z.lazy(() => z.string().min(1).max(255));

const FundingSources = z.lazy(() =>
  z
    .array(AnyId)
    .min(1)
    .refine((ids) => new Set(ids).size === ids.length, "Expected each account once")
    .meta({ uniqueItems: true }),
);

/** Largest amount of one purchase, in minor units of the card's currency. */
const SpendLimit = z.int().min(1);

/** Body of POST /cards (spec/cards.md#issue, spec/later-cards.md#limits). */
export const CardInput = named("CardInput", () =>
  revised(
    z.object({
      cardholderId: AnyId,
      platformCardId: PlatformCardId.optional(),
      form: z.enum(["VIRTUAL"]),
      fundingSources: FundingSources,
    }),
    {
      maxSpendPerTransaction: added("cardLimits", SpendLimit.optional()),
      threeDSecurePassword: added("cardLimits", z.string().optional()),
    },
  ),
);

export type CardInput = z.infer<typeof CardInput>;

const CardChanges = z.lazy(() =>
  z.object({
    state: z.enum(["ACTIVE", "FROZEN", "CLOSED"]).optional(),
    fundingSources: FundingSources.optional(),
  }),
);

const FirstCardPatch = z.lazy(() =>
  CardChanges.unwrap()
    .refine(
      ({ state, fundingSources }) => state !== undefined || fundingSources !== undefined,
      "Expected state or fundingSources",
    )
    .refine(({ state, fundingSources }) => state !== "CLOSED" || fundingSources === undefined, {
      path: ["fundingSources"],
      error: "Expected no fundingSources beside state CLOSED",
    }),
);

const LimitedCardPatch = z.lazy(() =>
  CardChanges.unwrap()
    .extend({ maxSpendPerTransaction: SpendLimit.nullable().optional() })
    .refine(
      (changes) => Object.values(changes).some((value) => value !== undefined),
      "Expected state, fundingSources or maxSpendPerTransaction",
    )
    .superRefine((changes, { addIssue }) => {
      if (changes.state !== "CLOSED") return;
      for (const name of ["fundingSources", "maxSpendPerTransaction"] as const)
        if (changes[name] !== undefined)
          addIssue({
            code: "custom",
            path: [name],
            message: `Expected no ${name} beside state CLOSED`,
          });
    }),
);

/**
 * Body of PATCH /cards/{id}: at least one member; a closed card has no sources
 * (spec/cards.md#update, spec/later-cards.md#limits).
 */
export const CardPatch = named("CardPatch", () =>
  replaced(
    FirstCardPatch.unwrap(),
    added("cardLimits", LimitedCardPatch.unwrap().meta({ id: "CardPatch" })),
  ),
);

/** Changes of a card in any revision. */
export type CardPatch = z.infer<typeof LimitedCardPatch>;

/** A card's state, as the revision names it (spec/revisions.md#card-states). */
const StateName = z.lazy(() =>
  withValues(enumOf("CardState", CARD_STATES), {
    PENDING_ISSUE: gone("cardProcessing"),
    [RENAMED_CARD_STATES.PENDING_ISSUE]: addedValue("cardProcessing"),
  }),
);

/** Filters of GET /cards (spec/cards.md#list). */
export const CardsQuery = {
  cardholderId: AnyId.optional(),
  accountId: AnyId.optional(),
  platformCardId: z.string().optional(),
  state: StateName.optional(),
};

/** Card of a reply; the provisioned fields appear with ACTIVE (spec/cards.md#card). */
export const Card = named("Card", () =>
  revised(
    z.object({
      id: idOf("Card"),
      cardholderId: idOf("Customer"),
      platformCardId: z.string(),
      state: StateName,
      stateReason: enumOf("CardStateReason", CARD_STATE_REASONS).nullable(),
      brand: enumOf("CardBrand", ["VISA", "MASTERCARD"]).optional(),
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
    }),
    {
      panEmbedUrl: gone("cardReveal"),
      maxSpendPerTransaction: added("cardLimits", z.int().min(1).nullable()),
      processorRef: added("cardLimits", z.string().optional()),
    },
  ),
);

export type Card = Omit<z.infer<typeof Card>, "state"> & { state: ShownCardState };

/** Answer of POST /cards/{id}/reveal (spec/revisions.md#reveal). */
export const CardReveal = named("CardReveal", () =>
  z.object({ panEmbedUrl: z.string(), expiresAt: Instant }),
);

export type CardReveal = z.infer<typeof CardReveal>;
