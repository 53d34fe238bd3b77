import { ShownKeys } from "../../contract/control/webhook-keys.ts";
import { signingKey } from "../../crypto/ecdsa.ts";
import type { WebhookKeys } from "../../crypto/webhook-signature.ts";
import { refuse } from "../../domain/core/refusal.ts";
import { settingsInForce } from "../../domain/core/world-settings.ts";
import type { OpenWorld } from "../../storage/open-world.ts";
import type { Identity } from "../../storage/world/identity.ts";
import { endpoint } from "../core/control-endpoint.ts";

/**
 * Gives a function that returns the present keys of a world; their PEMs are parsed again only after
 * they changed.
 * @param options.isRepeatable they sign without randomness
 */
export const webhookKeysOf = (
  { kept, engine }: Pick<OpenWorld, "kept" | "engine">,
  options: { isRepeatable: boolean },
): (() => WebhookKeys) => {
  let readFrom: Identity | undefined;
  const keyOf = (pem: string) => signingKey(pem, options);
  const read = ({ webhookKeyPem, retiredWebhookKeyPems = [] }: Identity) => ({
    current: keyOf(webhookKeyPem),
    retired: retiredWebhookKeyPems.map(keyOf),
  });
  let keys: ReturnType<typeof read>;
  return () => {
    if (readFrom !== kept.now) {
      readFrom = kept.now;
      keys = read(readFrom);
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

/** Shows and rotates the keys that sign webhooks; private keys are never shown. */
export const webhookKeyEndpoints = [
  endpoint({
    operationId: "webhookKeys",
    summary: "The public keys of webhooks: the current one, then retired ones, newest first",
    method: "GET",
    path: "/webhooks/keys",
    replies: [200, ShownKeys],
    refuses: [],
    handle: (_input, _call, world) => showKeys(world.keys()),
  }),
  endpoint({
    operationId: "rotateWebhookKey",
    summary:
      "Sign webhooks with a new key from now on; only the test case old-key uses the old one",
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
