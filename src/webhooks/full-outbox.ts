import { shownAddress } from "../contract/core/endpoint-address.ts";
import { platformConfig } from "../domain/core/platform-config.ts";
import type { Kind, Records } from "../domain/records/records.ts";
import { DELIVERY_BOUNDS } from "../domain/webhooks/deliveries.ts";
import type { Engine } from "../runtime/engine.ts";

/**
 * An overflow ends when the outbox is half empty; at its bound each event would begin a new one.
 */
const OVER_BELOW = DELIVERY_BOUNDS.open / 2;

const isGivenUpUnsent = ([kind, record]: [Kind, Records[Kind]]) =>
  kind === "Delivery" && (record as Records["Delivery"]).reason === "outbox full";

/** Warns the operator once per overflow of the outbox (spec/webhooks.md#retention). */
export const tellWhenFull = (engine: Engine) => {
  let isFull = false;
  engine.listeners.add({
    changed: ({ put = [] }) => {
      const { state } = engine;
      if (put.some(isGivenUpUnsent)) {
        const { webhookEndpoint } = platformConfig(state);
        const to = webhookEndpoint ? shownAddress(webhookEndpoint) : "no endpoint";
        if (!isFull)
          engine.alarm(
            `the outbox is full: over ${DELIVERY_BOUNDS.open} webhooks wait for ` +
              `${to}, and the oldest are given up without an attempt`,
          );
        isFull = true;
      } else if (isFull && state.ids("Delivery", "byProgress", "open").length < OVER_BELOW)
        isFull = false;
    },
  });
};
