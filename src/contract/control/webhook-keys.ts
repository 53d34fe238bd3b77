import * as z from "zod";
import { enumOf, named } from "../core/named-shape.ts";
import { SIGNATURE_FORMS } from "../core/world-settings.ts";

/** The public half of a key that signs webhooks. */
const ShownKey = named("WebhookKey", () =>
  z.object({ fingerprint: z.string(), publicKey: z.string() }),
);

/** Reply of GET /_sim/webhooks/keys and of POST /_sim/webhooks/keys/rotate. */
export const ShownKeys = named("WebhookKeys", () =>
  z.object({
    current: ShownKey,
    /** Keys that signed before it, newest first. */
    retired: z.array(ShownKey),
    form: enumOf("SignatureForm", SIGNATURE_FORMS),
  }),
);

export type ShownKeys = z.infer<typeof ShownKeys>;
