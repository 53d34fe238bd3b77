import { CaInput, ShownCa } from "../../contract/control/webhook-ca.ts";
import { certificateName, certificatesIn, trustedPem } from "../../crypto/certificates.ts";
import type { View } from "../../domain/core/draft.ts";
import { platformConfig } from "../../domain/core/platform-config.ts";
import { refuse } from "../../domain/core/refusal.ts";
import { trustReceivers } from "../../domain/platform/config.ts";
import { endpoint } from "../core/control-endpoint.ts";

const shownCa = (view: View): ShownCa => ({
  certificates: certificatesIn(platformConfig(view).webhookCa ?? "").map(certificateName),
});

const caIn = (sent: string | null): string | null => {
  if (sent === null) return null;
  return (
    trustedPem(sent) ??
    refuse("INVALID_INPUT", { field: "ca" }, "Expected certificates as PEM in ca")
  );
};

/** The certificates that receivers are trusted by (spec/webhooks.md#certificates). */
export const webhookCaEndpoints = [
  endpoint({
    operationId: "webhookCa",
    summary: "The certificates trusted for receivers, besides the usual authorities",
    method: "GET",
    path: "/webhooks/ca",
    replies: [200, ShownCa],
    refuses: [],
    handle: (_input, call) => call.read(shownCa, undefined),
  }),
  endpoint({
    operationId: "setWebhookCa",
    summary: "Also trust these certificates for receivers, as PEM; null restores the default",
    method: "PUT",
    path: "/webhooks/ca",
    body: CaInput,
    replies: [200, ShownCa],
    refuses: ["INVALID_INPUT"],
    handle: ({ body }, call) => {
      call.commit(trustReceivers, { ca: caIn(body.ca) });
      return call.read(shownCa, undefined);
    },
  }),
];
