import * as z from "zod";
import { enumOf, named } from "../core/named-shape.ts";
import { Instant } from "../core/scalars.ts";
import { EVENT_TYPES } from "./events.ts";

/** Troubles that the world's own webhooks may have (spec/webhooks.md#troubles). */
export const TROUBLES = {
  hold: { did: "held", what: "kept back until it is released" },
  duplicate: { did: "duplicated", what: "sent again once it is accepted: same id, same bytes" },
  reorder: { did: "reordered", what: "sent in the opposite order" },
  delay: { did: "delayed", what: "sent later on the simulated clock" },
  drop: { did: "dropped", what: "never sent" },
} as const;

export type Trouble = keyof typeof TROUBLES;

export const TROUBLE_NAMES = Object.keys(TROUBLES) as [Trouble, ...Trouble[]];

export type Troubled = (typeof TROUBLES)[Trouble]["did"];

/** Past forms, as deliveries show them. */
export const TROUBLED = Object.values(TROUBLES).map(({ did }) => did) as [Troubled, ...Troubled[]];

/** Most webhooks that one trouble meets; those of `reorder` wait for each other. */
export const MAX_TIMES = 1000;

const Times = z.int().min(1).max(MAX_TIMES);

/** Body of POST /_sim/webhooks/troubles. */
export const TroubleInput = named("WebhookTroubleInput", () =>
  z
    .strictObject({
      do: enumOf("WebhookTrouble", TROUBLE_NAMES),
      type: z.string().optional().describe("only webhooks of this type"),
      about: z
        .string()
        .optional()
        .describe("only webhooks about this record; a short id is enough"),
      times: Times.optional().describe("number of webhooks: 1, for reorder 2, for hold no end"),
      by: z.string().optional().describe("only for delay: simulated time, 10m by default"),
    })
    .refine(({ do: does, by }) => by === undefined || does === "delay", {
      path: ["by"],
      message: "Expected by only with delay",
    })
    .refine(({ do: does, times }) => does !== "reorder" || times !== 1, {
      path: ["times"],
      message: "Expected at least 2 webhooks to reorder",
    }),
);

export type TroubleInput = z.infer<typeof TroubleInput>;

/** A trouble that waits for webhooks, or has met some. */
export const WebhookTrouble = named("WebhookTroubleEntry", () =>
  z.object({
    id: z.string(),
    do: enumOf("WebhookTrouble", TROUBLE_NAMES),
    type: enumOf("EventType", EVENT_TYPES).optional(),
    about: z.string().optional(),
    times: z.int().optional(),
    /** Simulated milliseconds of a delay. */
    byMs: z.int().optional(),
    /** Webhooks it has met. */
    met: z.int(),
    createdAt: Instant,
  }),
);

export type WebhookTrouble = z.infer<typeof WebhookTrouble>;

/** Reply of GET /_sim/webhooks/troubles. */
export const WebhookTroubles = named("WebhookTroubleList", () =>
  z.object({ data: z.array(WebhookTrouble), held: z.int() }),
);

export type WebhookTroubles = z.infer<typeof WebhookTroubles>;

/** Reply of lifting troubles and of releasing webhooks. */
export const LiftedTroubles = named("LiftedTroubles", () =>
  z.object({ lifted: z.int(), released: z.int() }),
);

export type LiftedTroubles = z.infer<typeof LiftedTroubles>;

/** Body of POST /_sim/webhooks/release: one webhook, or all that are held. */
export const ReleaseInput = named("WebhookReleaseInput", () =>
  z.strictObject({ id: z.string().optional().describe("one webhook; a short id is enough") }),
).optional();
