import { ShownKeys } from "../../contract/control/webhook-keys.ts";
import { signingKey } from "../../crypto/ecdsa.ts";
import type { WebhookKeys } from "../../crypto/webhook-signature.ts";
import { refuse } from "../../domain/core/refusal.ts";
import { settingsInForce } from "../../domain/core/world-settings.ts";
import type { Identity } from "../../runtime/storage/identity.ts";
import type { OpenWorld } from "../../runtime/storage/open-world.ts";
import { endpoint } from "../core/control-endpoint.ts";

/**
 * Reads the keys of a world as it stands, parsing each PEM once.
 * @param options.isRepeatable they sign without randomness
 */
export const webhookKeysOf = (
  { kept, engine }: Pick<OpenWorld, "kept" | "engine">,
  options: { isRepeatable: boolean },
): (() => WebhookKeys) => {
  let of: Identity | undefined;
  const keyOf = (pem: string) => signingKey(pem, options);
  const read = ({ webhookKeyPem, retiredWebhookKeyPems = [] }: Identity) => ({
    current: keyOf(webhookKeyPem),
    retired: retiredWebhookKeyPems.map(keyOf),
  });
  let keys: ReturnType<typeof read>;
  return () => {
    if (of !== kept.now) {
      of = kept.now;
      keys = read(of);
    }
    return { ...keys, form: settingsInForce(engine.state).webhookSignature };
  };
};

const showKeys = ({ current, retired, form }: WebhookKeys): ShownKeys => {
  const show = ({ fingerprint, publicPem }: WebhookKeys["current"]) => ({
    fingerprint,
    publicKey: publicPem,
  });
  return { current: show(current), retired: retired.map(show), form };
};

/** The keys that sign webhooks: public halves alone. */
export const webhookKeyEndpoints = [
  endpoint({
    operationId: "webhookKeys",
    summary: "The public keys of webhooks: the one that signs, and those that did, newest first",
    method: "GET",
    path: "/webhooks/keys",
    replies: [200, ShownKeys],
    refuses: [],
    handle: (_input, _call, world) => showKeys(world.keys()),
  }),
  endpoint({
    operationId: "rotateWebhookKey",
    summary: "Sign webhooks with a new key from now on; the old one is kept for the vector old-key",
    method: "POST",
    path: "/webhooks/keys/rotate",
    replies: [200, ShownKeys],
    refuses: ["UNAVAILABLE"],
    outlivesReset: true,
    handle: async (_input, _call, world) => {
      try {
        await world.rotateKey();
      } catch (error) {
        return refuse("UNAVAILABLE", { why: `the key is not stored: ${(error as Error).message}` });
      }
      return showKeys(world.keys());
    },
  }),
];
