import type { Trouble } from "../../contract/core/trouble-names.ts";
import type { EventType } from "../../contract/webhooks/events.ts";
import type { Troubled } from "../../contract/webhooks/troubles.ts";
import type { Timestamps } from "./timestamps.ts";

/** A trouble for the world's own next webhooks (spec/webhooks.md#troubles). */
export interface TroubleRecord extends Timestamps {
  does: Trouble;
  type?: EventType;
  about?: string;
  /** Number of webhooks it meets; without an end when absent. */
  times?: number;
  byMs?: number;
  /** Webhooks of `reorder` may be of different records; else the first one says of which. */
  anyRecord?: true;
  /** Webhooks it has met. */
  met: number;
  /** Webhooks of `reorder`, in the order of their events. */
  group?: readonly string[];
}

/** The trouble that a delivery had when its event happened. */
export interface DeliveryTrouble {
  id: string;
  did: Troubled;
}
