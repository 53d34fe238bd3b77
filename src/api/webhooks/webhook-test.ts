import { WebhookTestReply } from "../../contract/payments/sandbox.ts";
import { refuse } from "../../domain/core/refusal.ts";
import { testWebhook } from "../../domain/platform/config.ts";
import { endpoint } from "../../http/door/endpoint.ts";

export const sendTestWebhook = endpoint("sendTestWebhook", {
  summary: "Sandbox: send one TEST event to the configured endpoint and return its answer",
  replies: [200, WebhookTestReply],
  refuses: ["WEBHOOK_ENDPOINT_NOT_SET", "WEBHOOK_DELIVERY_ERROR"],
  handle: async (_input, call): Promise<WebhookTestReply> => {
    const { eventId, url } = call.commit(testWebhook, undefined);
    await call.durable();
    const answer = await call.deliveries.attemptNow(eventId);
    call.sawEverything();
    if (answer?.httpStatus === undefined)
      return refuse("WEBHOOK_DELIVERY_ERROR", { url, why: answer?.error ?? "nothing was sent" });
    const { httpStatus, reply = "", cut, isLoopback = false } = answer;
    const body = cut === undefined ? reply : `${reply}…`;
    // The body of a receiver elsewhere is left out: through it a caller could read pages that only
    // the network of the simulator reaches. Whoever runs it can read those of this machine anyway.
    return { response_status: httpStatus, url, ...(isLoopback && { response_body: body }) };
  },
});
