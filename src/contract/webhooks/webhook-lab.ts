import * as z from "zod";
import { enumOf, named } from "../core/named-shape.ts";
import { type EVENT_TYPES, isAccepted } from "./events.ts";
import { type LabKind, VECTOR_NAMES } from "./lab-vectors.ts";

/** The verdict on a receiver's answer, with a sentence that explains it. */
export interface Judgement {
  ok: boolean;
  says: string;
}

const judgeRefusal = (type: string, httpStatus: number | undefined): Judgement => {
  if (httpStatus === undefined) return { ok: false, says: "did not answer" };
  if (httpStatus === 409)
    return { ok: false, says: "called it a duplicate before it checked the signature" };
  if (httpStatus >= 200 && httpStatus < 300)
    return { ok: false, says: "accepted it: the signature is not checked" };
  if (httpStatus >= 400 && httpStatus < 500) return { ok: true, says: "rejected it" };
  return { ok: false, says: `answered ${httpStatus} to ${type}, not a rejection (4xx)` };
};

const judgeTaking = (type: string, httpStatus: number | undefined): Judgement => {
  if (httpStatus === undefined) return { ok: false, says: "did not answer" };
  if (isAccepted(type, httpStatus)) return { ok: true, says: "accepted it" };
  return { ok: false, says: "did not accept it" };
};

/** Judges whether a receiver answered a delivery as it must. */
export const judgeAnswer = (
  expects: "refuse" | "take",
  { type, httpStatus }: { type: string; httpStatus: number | undefined },
): Judgement =>
  expects === "refuse" ? judgeRefusal(type, httpStatus) : judgeTaking(type, httpStatus);

/** Settings of a payload, such as `data.status=FAILED`, one each. */
const Settings = z.array(z.string()).max(100);

/** Body of POST /_sim/webhooks/trigger. */
export const TriggerInput = named("WebhookTriggerInput", () =>
  z
    .object({
      type: z.string(),
      set: Settings.optional(),
      /** Exact bytes to send in place of an example, as base64. */
      raw: z
        .string()
        .regex(/^[A-Za-z0-9+/]*={0,2}$/, "Expected base64")
        .optional(),
    })
    .refine(({ set, raw }) => set === undefined || raw === undefined, "Expected set or raw"),
);

export type TriggerInput = z.infer<typeof TriggerInput>;

/** Body of POST /_sim/webhooks/vectors. */
export const VectorInput = named("WebhookVectorInput", () =>
  z.object({
    vector: enumOf("VectorName", VECTOR_NAMES),
    type: z.string().optional(),
    set: Settings.optional(),
    /** Only for `delayed`: simulated time until it is sent, such as `10m`. */
    after: z.string().optional(),
  }),
);

export type VectorInput = z.infer<typeof VectorInput>;

/** One finished or expected delivery of the lab, as its endpoints show it. */
export interface LabSending {
  id: string;
  type: (typeof EVENT_TYPES)[number];
  lab: LabKind;
  state: string;
  attempt: number;
  status: number | null;
  tookMs?: number;
  error?: string;
  reply?: string;
  cut?: { reply: number };
  sendsAt?: string;
  verdict?: Judgement;
}
