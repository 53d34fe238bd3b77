import * as z from "zod";
import { enumOf, named } from "../core/named-shape.ts";
import { Instant } from "../core/scalars.ts";
import { JsonValue } from "./values.ts";

export const CHANGE_KINDS = ["added", "removed", "changed"] as const;

const Side = named("DiffSide", () => z.object({ ref: z.string(), at: Instant, records: z.int() }));

/** A member of a record on both sides; absent where a side does not have it. */
export const FieldChange = z.lazy(() =>
  z
    .object({ field: z.string(), from: JsonValue.optional(), to: JsonValue.optional() })
    .meta({ id: "FieldChange" }),
);

/** A record that the two states have differently. */
export const RecordChange = z.lazy(() =>
  z
    .object({
      kind: z.string(),
      id: z.string(),
      change: enumOf("ChangeKind", CHANGE_KINDS),
      fields: z.array(FieldChange).readonly(),
    })
    .meta({ id: "RecordChange" }),
);

export type RecordChange = z.infer<typeof RecordChange>;

const BalanceChange = named("BalanceChange", () =>
  z.object({
    account: z.string(),
    currency: z.string(),
    /** Minor units. */
    from: z.number(),
    to: z.number(),
  }),
);

const TimerChange = named("TimerChange", () =>
  z.object({
    timer: z.string(),
    subject: z.string(),
    change: enumOf("ChangeKind", CHANGE_KINDS),
    from: Instant.optional(),
    to: Instant.optional(),
  }),
);

const WebhookChange = named("WebhookChange", () =>
  z.object({
    id: z.string(),
    type: z.string(),
    about: z.string().optional(),
    change: enumOf("ChangeKind", CHANGE_KINDS),
    from: z.string().optional(),
    to: z.string().optional(),
  }),
);

/** Reply of GET /_sim/diff. */
export const Diff = named("Diff", () =>
  z.object({
    from: Side,
    to: Side,
    /** The first 1000, by kind and id; the counts have all. */
    records: z.array(RecordChange).readonly(),
    balances: z.array(BalanceChange).readonly(),
    timers: z.array(TimerChange).readonly(),
    webhooks: z.array(WebhookChange).readonly(),
    counts: z.object({
      records: z.int(),
      balances: z.int(),
      timers: z.int(),
      webhooks: z.int(),
    }),
  }),
);

export type Diff = z.infer<typeof Diff>;
