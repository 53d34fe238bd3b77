import * as z from "zod";
import {
  Action,
  Card,
  CardTransaction,
  Customer,
  ExternalAccount,
  IncomingTransaction,
  InternalAccount,
  OutgoingTransaction,
} from "./later-shapes.ts";

const Instant = z.iso.datetime();
const id = (kind: string) => z.string().startsWith(`${kind}:`);
/** Types of webhooks below one word. */
const below = (word: string, types: string) => types.split(" ").map((type) => `${word}.${type}`);

/** Webhooks as the contract lists them: a definition of a name, the types that it has, its data. */
export const LATER_WEBHOOKS: readonly [definition: string, types: string[], data: z.ZodType][] = [
  [
    "outgoing-payment",
    below(
      "OUTGOING_PAYMENT",
      "PENDING PENDING_AUTHORIZATION PROCESSING COMPLETED FAILED EXPIRED REFUND_PENDING REFUND_COMPLETED REFUND_FAILED",
    ),
    OutgoingTransaction,
  ],
  [
    "incoming-payment",
    below(
      "INCOMING_PAYMENT",
      "PENDING COMPLETED FAILED REFUND_PENDING REFUND_COMPLETED REFUND_FAILED",
    ),
    IncomingTransaction,
  ],
  [
    "customer-update",
    below(
      "CUSTOMER",
      "KYC_APPROVED KYC_REJECTED KYC_PENDING KYB_APPROVED KYB_REJECTED KYB_PENDING",
    ),
    Customer,
  ],
  [
    "verification-update",
    below(
      "VERIFICATION",
      "APPROVED REJECTED RESOLVE_ERRORS IN_PROGRESS PENDING_MANUAL_REVIEW READY_FOR_VERIFICATION",
    ),
    z.looseObject({}),
  ],
  ["external-account-status", below("EXTERNAL_ACCOUNT", "STATUS_UPDATED"), ExternalAccount],
  [
    "internal-account-status",
    below("INTERNAL_ACCOUNT", "BALANCE_UPDATED STATUS_UPDATED FUNDING_INSTRUCTIONS_UPDATED"),
    InternalAccount,
  ],
  ["card-state-change", below("CARD", "STATE_CHANGE"), Card],
  ["card-funding-source-change", below("CARD", "FUNDING_SOURCE_CHANGE"), Card],
  [
    "card-transaction",
    below("CARD_TRANSACTION", "AUTHORIZED PARTIALLY_SETTLED SETTLED REFUNDED EXCEPTION"),
    CardTransaction,
  ],
  ["agent-action", below("AGENT_ACTION", "PENDING_APPROVAL"), Action],
  ["invitation-claimed", below("INVITATION", "CLAIMED"), z.looseObject({})],
  ["bulk-upload", below("BULK_UPLOAD", "COMPLETED FAILED"), z.looseObject({})],
  ["test-webhook", ["TEST"], z.looseObject({}).optional()],
];

const envelope = (type: z.ZodType, data: z.ZodType) =>
  z.looseObject({ id: id("Webhook"), type, timestamp: Instant, data });

/** The shape of a webhook's body; nothing for a type that the revision has not. */
export const laterWebhook = (type: string) => {
  const data = LATER_WEBHOOKS.find(([, types]) => types.includes(type))?.[2];
  return data && envelope(z.literal(type), data);
};

/** A document of webhooks alone, a definition for each name, as the hosted service publishes them. */
export const webhookDocument = () => ({
  openapi: "3.1.0",
  paths: {},
  webhooks: Object.fromEntries(
    LATER_WEBHOOKS.map(([definition, types, data]) => {
      const schema = z.toJSONSchema(envelope(z.enum(types as [string]), data));
      return [
        definition,
        { post: { requestBody: { content: { "application/json": { schema } } } } },
      ];
    }),
  ),
});
