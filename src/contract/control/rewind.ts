import * as z from "zod";
import { named } from "../core/named-shape.ts";
import { Instant } from "../core/scalars.ts";
import { Name } from "./names.ts";

/** Body of POST /_sim/clock/rewind. */
export const RewindInput = z.lazy(() =>
  z
    .object({
      /** A span back from now. */
      by: z.string().optional(),
      /** An instant. */
      to: z.string().optional(),
      /** Id of a record, request, webhook or timer; `last` is the last act of all. */
      before: z.string().optional(),
      /** Does not send webhooks again that were open then. */
      hold: z.boolean().optional(),
      /** Only says what would be undone. */
      dryRun: z.boolean().optional(),
    })
    .refine(
      ({ by, to, before }) => [by, to, before].filter((one) => one !== undefined).length === 1,
      "Expected one of by, to and before",
    ),
);

export type RewindInput = z.infer<typeof RewindInput>;

/** One request or timer that was undone. */
export const UndoneAct = z.lazy(() =>
  z
    .object({
      at: Instant,
      /** The operation or timer. */
      by: z.string(),
      /** Id of the request, or of the timer. */
      cause: z.string(),
    })
    .meta({ id: "UndoneAct" }),
);

export type UndoneAct = z.infer<typeof UndoneAct>;

/** The part of a world's past that a rewind takes back. */
export const Undone = z.lazy(() =>
  z
    .object({
      changes: z.int(),
      requests: z.int(),
      timers: z.int(),
      webhooks: z.int(),
      /** Those among the webhooks that a receiver has answered: no rewind takes them back there. */
      delivered: z.int(),
      /** The newest requests and timers, the newest first. */
      acts: z.array(UndoneAct).readonly(),
    })
    .meta({ id: "Undone" }),
);

export type Undone = z.infer<typeof Undone>;

/** Reply of POST /_sim/clock/rewind. */
export const Rewound = named("Rewound", () =>
  z.object({
    from: Instant,
    to: Instant,
    undone: Undone,
    /** The snapshot that has the undone part; none with `dryRun`. */
    snapshot: Name.optional(),
    /** The command that brings the undone part back. */
    next: z.array(z.string()).readonly().optional(),
  }),
);

export type Rewound = z.infer<typeof Rewound>;
