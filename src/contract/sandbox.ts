import * as z from "zod";

/** Reply of POST /sandbox/webhooks/test; snake case as published (platform digest 12.2). */
export const WebhookTestReply = z.lazy(() =>
  z
    .object({
      response_status: z.int(),
      url: z.url(),
      response_body: z.string(),
    })
    .meta({ id: "WebhookTestReply" }),
);

export type WebhookTestReply = z.infer<typeof WebhookTestReply>;
