import type * as z from "zod";
import type { OpenApiShapes } from "./shapes.ts";

/** An answer of a receiver. */
export interface DescribedAnswer {
  /** A status, or a range of statuses: `2XX`. */
  status: string;
  says: string;
  body?: z.ZodType;
}

/** A call that the simulator makes, as the OpenAPI document describes it. */
export interface DescribedWebhook {
  /** Its name in the document. */
  name: string;
  operationId: string;
  summary: string;
  body: z.ZodType;
  example: unknown;
  answers: readonly DescribedAnswer[];
}

/** The header that proves where a webhook is from (spec/webhooks.md#signature). */
export const SIGNATURE_HEADER = {
  name: "X-Service-Signature",
  in: "header",
  required: true,
  description: "ECDSA signature over the exact bytes of the body: P-256, SHA-256, DER, base64",
  schema: { type: "string" },
};

/** A webhook as an item of `webhooks` (OpenAPI 3.1, section 4.8.1). */
export const webhookItem = (
  { operationId, summary, body, example, answers }: DescribedWebhook,
  { shapes, parameters }: { shapes: OpenApiShapes; parameters: readonly unknown[] },
) => ({
  post: {
    operationId,
    summary,
    security: [],
    parameters,
    requestBody: {
      required: true,
      content: { "application/json": { schema: shapes.schemaOf(body, "output"), example } },
    },
    responses: Object.fromEntries(
      answers.map(({ status, says, body: answered }) => [
        status,
        {
          description: says,
          ...(answered && {
            content: { "application/json": { schema: shapes.schemaOf(answered, "input") } },
          }),
        },
      ]),
    ),
  },
});
