import * as z from "zod";
import { AnyId, idOf } from "../core/identifiers.ts";
import { enumOf, named } from "../core/named-shape.ts";
import { Instant } from "../core/scalars.ts";

/** States of a card; PENDING_KYC is published but never reached (spec/cards.md#states). */
export const CARD_STATES = ["PENDING_KYC", "PENDING_ISSUE", "ACTIVE", "FROZEN", "CLOSED"] as const;
export type CardState = (typeof CARD_STATES)[number];

/** Names of states since the change `cardProcessing`, by their first ones (spec/revisions.md#card-states). */
export const RENAMED_CARD_STATES = { PENDING_ISSUE: "PROCESSING" } as const satisfies Partial<
  Record<CardState, string>
>;

/** A state by its first name, or by the one that a change gave it. */
export type ShownCardState =
  | CardState
  | (typeof RENAMED_CARD_STATES)[keyof typeof RENAMED_CARD_STATES];

const isRenamed = (state: string): state is keyof typeof RENAMED_CARD_STATES =>
  Object.hasOwn(RENAMED_CARD_STATES, state);

/** A state's name since the change `cardProcessing`. */
export const renamedCardState = (state: CardState): ShownCardState =>
  isRenamed(state) ? RENAMED_CARD_STATES[state] : state;

/** All states as they are named since the change `cardProcessing`. */
export const LATER_CARD_STATES = CARD_STATES.map(renamedCardState);

/** Reasons why a card is CLOSED, in the API's spelling (spec/cards.md#card). */
export const CARD_STATE_REASONS = [
  "ISSUER_REJECTED",
  "CLOSED_BY_PLATFORM",
  "CLOSED_BY_GRID",
] as const;
export type CardStateReason = (typeof CARD_STATE_REASONS)[number];

const PlatformCardId = z.lazy(() => z.string().min(1).max(255));

const FundingSources = z.lazy(() =>
  z
    .array(AnyId)
    .min(1)
    .refine((ids) => new Set(ids).size === ids.length, "Expected each account once")
    .meta({ uniqueItems: true }),
);

/** Body of POST /cards (spec/cards.md#issue). */
export const CardInput = named("CardInput", () =>
  z.object({
    cardholderId: AnyId,
    platformCardId: PlatformCardId.optional(),
    form: z.enum(["VIRTUAL"]),
    fundingSources: FundingSources,
  }),
);

export type CardInput = z.infer<typeof CardInput>;

/**
 * Body of PATCH /cards/{id}: at least one member; a closed card has no sources
 * (spec/cards.md#update).
 */
export const CardPatch = named("CardPatch", () =>
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

/** Filters of GET /cards (spec/cards.md#list). */
export const CardsQuery = {
  cardholderId: AnyId.optional(),
  accountId: AnyId.optional(),
  platformCardId: z.string().optional(),
  state: enumOf("CardState", CARD_STATES).optional(),
};

/** The same filters since the change `cardProcessing`. */
export const LaterCardsQuery = {
  ...CardsQuery,
  state: z.lazy(() => z.enum(LATER_CARD_STATES)).optional(),
};

/** Card of a reply; the provisioned fields appear with ACTIVE (spec/cards.md#card). */
export const Card = z.lazy(() =>
  z
    .object({
      id: idOf("Card"),
      cardholderId: idOf("Customer"),
      platformCardId: z.string(),
      state: enumOf("CardState", CARD_STATES),
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
    })
    .meta({ id: "Card" }),
);

export type Card = Omit<z.infer<typeof Card>, "state"> & { state: ShownCardState };

/** Answer of POST /cards/{id}/reveal (spec/revisions.md#reveal). */
export const CardReveal = named("CardReveal", () => z.object({ panEmbedUrl: z.string() }));

export type CardReveal = z.infer<typeof CardReveal>;
