/**
 * Everything of the product that the campaign asks. The tests load it from the sources, and from
 * bundles with a planted bug.
 */
import { readCapsule } from "../../../src/capsules/read-capsule.ts";
import { allowEntryOf, reachOf } from "../../../src/contract/core/network-reach.ts";
import { createSimulator } from "../../../src/simulator.ts";
import { safeText } from "../../../src/text/safe-text.ts";
import { attemptDelivery } from "../../../src/webhooks/attempt.ts";
import { WebhookTargets } from "../../../src/webhooks/targets.ts";

export const PRODUCT = {
  allowEntryOf,
  attemptDelivery,
  createSimulator,
  reachOf,
  readCapsule,
  safeText,
  WebhookTargets,
};

export type Product = typeof PRODUCT;
