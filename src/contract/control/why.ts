import * as z from "zod";
import { PolicyExplanation } from "../agents/agent-actions.ts";
import { enumOf, named } from "../core/named-shape.ts";
import { Instant } from "../core/scalars.ts";
import { DELIVERY_STATES } from "../webhooks/delivery-states.ts";
import { EVENT_TYPES } from "../webhooks/events.ts";
import { Calculation } from "./calculation.ts";
import { Replay, RevisionUse } from "./requests.ts";
import { MinorAmount, Payee } from "./values.ts";

/** The cause of a change, and the cause of that cause, as far as they are known. */
export interface Because {
  kind: "request" | "timer" | "webhook" | "world";
  id: string;
  operation?: string | undefined;
  method?: string | undefined;
  path?: string | undefined;
  timer?: string | undefined;
  subject?: string | undefined;
  /** The command that moved the clock to the instant at which the timer was due. */
  movedBy?: string | undefined;
  /** The change that set the timer. */
  setBy?: { seq: number; at: string; because: Because } | undefined;
  /** Reason why nothing further back is known. */
  ends?: string | undefined;
}

/** An earlier change, with its own cause. */
const CausingChange = z
  .lazy(() => z.object({ seq: z.int(), at: Instant, because: Because }))
  .meta({ id: "CausingChange" });

/** Members of a cause. */
export const becauseMembers = () => ({
  kind: enumOf("CauseKind", ["request", "timer", "webhook", "world"]),
  id: z.string(),
  operation: z.string().optional(),
  method: z.string().optional(),
  path: z.string().optional(),
  timer: z.string().optional(),
  subject: z.string().optional(),
  movedBy: z.string().optional(),
  setBy: CausingChange.optional(),
  ends: z.string().optional(),
});

export const Because: z.ZodType<Because> = z
  .lazy(() => z.object(becauseMembers()))
  .meta({ id: "Because" });

/** An attempt at a webhook, in short. */
const EffectAttempt = named("EffectAttempt", () =>
  z.object({
    attempt: z.int(),
    at: Instant,
    status: z.int().nullable(),
    tookMs: z.number(),
    error: z.string().optional(),
  }),
);

/** A further result of a change, or the table row that decided it. */
export const Effect = z.lazy(() =>
  z
    .union([
      z.object({
        kind: z.literal("posting"),
        account: z.string(),
        currency: z.string(),
        amount: z.int(),
        /** Balance of the account after it; left out for the ledger's own accounts. */
        leaves: z.int().optional(),
      }),
      z.object({
        kind: z.literal("rule"),
        rule: z.string(),
        says: z.string().optional(),
        /** A tester had set it beforehand, in place of what the identifier asked for. */
        isSet: z.literal(true).optional(),
      }),
      z.object({
        kind: z.literal("timer"),
        timer: z.string(),
        dueAt: Instant.optional(),
        /** The change took the timer away. */
        canceled: z.literal(true).optional(),
        subject: z.string().optional(),
      }),
      z.object({ kind: z.literal("record"), id: z.string() }),
      z.object({
        kind: z.literal("webhook"),
        id: z.string(),
        type: enumOf("EventType", EVENT_TYPES),
        state: enumOf("DeliveryState", DELIVERY_STATES),
        attempts: z.array(EffectAttempt),
        nextAttemptAt: Instant.optional(),
      }),
    ])
    .meta({ id: "Effect" }),
);

export type Effect = z.infer<typeof Effect>;

/** One change in a story: when, the new status, the cause and the other effects. */
export const Step = named("StoryStep", () =>
  z.object({
    at: Instant,
    seq: z.int().optional(),
    status: z.string().optional(),
    because: Because,
    effects: z.array(Effect),
  }),
);

export type Step = z.infer<typeof Step>;

const factMembers = () => ({
  kind: z.string(),
  status: z.string().optional(),
  /** `OUTGOING` of a transaction, the type of a webhook or an account. */
  type: z.string().optional(),
  about: z.string().optional(),
  name: z.string().optional(),
  sends: MinorAmount.optional(),
  receives: MinorAmount.optional(),
  fees: MinorAmount.optional(),
  balance: MinorAmount.optional(),
  payee: Payee.optional(),
});

/** The head of a story: the record in short. */
export const Facts = named("StoryFacts", () => z.object(factMembers()));

export type Facts = z.infer<typeof Facts>;

/** The identifier of an end of a payment, by which sandboxes choose outcomes. */
const PartyIdentifier = named("PartyIdentifier", () =>
  z.object({
    /** The external account that has it; left out for a UMA address. */
    account: z.string().optional(),
    field: z.string(),
    value: z.string(),
  }),
);

export type PartyIdentifier = z.infer<typeof PartyIdentifier>;

/** Reply of GET /_sim/why/{id}: the changes that led to the present state, oldest first. */
export const Story = named("Story", () =>
  z.object({
    ...factMembers(),
    id: z.string(),
    /** Of a payment, a quote or a purchase: the steps behind its amounts. */
    calculation: Calculation.optional(),
    /** Of a payment or a quote: the identifiers of its ends outside, whole. */
    identifiers: z
      .object({ source: PartyIdentifier.optional(), destination: PartyIdentifier.optional() })
      .optional(),
    /** Of an agent's action: the judgment of its policy, and what came of it. */
    action: z
      .object({
        why: PolicyExplanation,
        /** Reason of a failure in which no money moved. */
        because: z.object({ reason: z.string(), says: z.string() }).optional(),
        transaction: z.object({ id: z.string(), status: z.string() }).optional(),
      })
      .optional(),
    chain: z.array(Step),
    /** Of a request: the one whose answer was given again. */
    replay: Replay.optional(),
    /** Of a request: what it used that only some revisions have. */
    revisions: z.array(RevisionUse).readonly().optional(),
    /** End of what is known, when there was more. */
    ends: z.string().optional(),
  }),
);

export type Story = z.infer<typeof Story>;
