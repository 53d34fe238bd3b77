import * as z from "zod";
import { named } from "../core/named-shape.ts";

/** Body of PUT /_sim/webhooks/ca; `null` goes back to the usual authorities. */
export const CaInput = named("WebhookCaInput", () =>
  z.object({
    /** One or more certificates as PEM. */
    ca: z.string().max(262_144).nullable(),
  }),
);

/** Reply of PUT and GET /_sim/webhooks/ca: the certificates that are trusted beside the usual ones. */
export const ShownCa = named("WebhookCa", () =>
  z.object({ certificates: z.array(z.object({ subject: z.string(), fingerprint: z.string() })) }),
);

export type ShownCa = z.infer<typeof ShownCa>;
