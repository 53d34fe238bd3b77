import * as z from "zod";
import { enumOf, named } from "../core/named-shape.ts";
import { Instant } from "../core/scalars.ts";
import { TROUBLE_NAMES, TROUBLES, type Trouble } from "../core/trouble-names.ts";
import {
  ANY_RECORD_MISFIT,
  anyRecordFits,
  BY_MISFIT,
  byFits,
  TIMES_MISFIT,
  timesFit,
  troubleFields,
} from "../core/webhook-troubles.ts";
import { EVENT_TYPES } from "./events.ts";

export type Troubled = (typeof TROUBLES)[Trouble]["did"];

/** Past forms, as deliveries show them. */
export const TROUBLED = Object.values(TROUBLES).map(({ did }) => did) as [Troubled, ...Troubled[]];

/** Body of POST /_sim/webhooks/troubles. */
export const TroubleInput = named("WebhookTroubleInput", () => {
  const { do: does, type, ...others } = troubleFields();
  const about = z
    .string()
    .optional()
    .describe("only webhooks about this record; a short id is enough");
  const shape = z.strictObject({ do: does, type, about, ...others });
  return shape
    .refine(byFits, BY_MISFIT)
    .refine(anyRecordFits, ANY_RECORD_MISFIT)
    .refine(timesFit, TIMES_MISFIT);
});

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
    /** Webhooks of different records are reordered. */
    anyRecord: z.literal(true).optional(),
    /** Webhooks it has met. */
    met: z.int(),
    /** Further webhooks that a reordering has to meet before those it holds are sent. */
    waitsFor: z.int().optional(),
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
