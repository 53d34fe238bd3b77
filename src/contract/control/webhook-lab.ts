import * as z from "zod";
import { enumOf, named } from "../core/named-shape.ts";
import { VECTOR_NAMES } from "../webhooks/lab-vectors.ts";
import { CutReply, webhookMembers } from "./webhooks.ts";

const Verdict = named("VectorVerdict", () => z.object({ ok: z.boolean(), says: z.string() }));

/** Reply of POST /_sim/webhooks/vectors. */
export const SentVector = named("SentVector", () =>
  z.object({
    vector: enumOf("VectorName", VECTOR_NAMES),
    what: z.string(),
    expects: z.enum(["refuse", "take", "wait"]),
    ok: z.boolean(),
    deliveries: z.array(
      z.object({
        ...webhookMembers(),
        reply: z.string().optional(),
        cut: CutReply.optional(),
        verdict: Verdict,
      }),
    ),
  }),
);

export type SentVector = z.infer<typeof SentVector>;

/** Reply of POST /_sim/webhooks/check. */
export const ReceiverReport = named("ReceiverReport", () =>
  z.object({
    ok: z.boolean(),
    checks: z.array(
      z.object({
        check: z.string(),
        ok: z.boolean(),
        expected: z.string(),
        found: z.string(),
        id: z.string(),
      }),
    ),
    diagnosis: z
      .object({
        code: z.string(),
        message: z.string(),
        fix: z.string(),
        /** The delivery that showed it. */
        id: z.string().optional(),
      })
      .optional(),
  }),
);

export type ReceiverReport = z.infer<typeof ReceiverReport>;
