import type { Caller } from "./call.ts";
import type { RequestUrl } from "./request-url.ts";
import type { ServedWorld } from "./served-world.ts";

/** A call as it came to a surface. */
interface Asked {
  surface: { takesFaults?: true };
  endpoint: { method: string };
  world: ServedWorld;
  call: { caller: Caller };
  event: { url: RequestUrl };
}

/**
 * Lets a clock of mode `auto` skip before a read of the platform that was answered already
 * (spec/clock.md#automatic).
 */
export const skipForPoll = async ({ surface, endpoint, world, call, event }: Asked) => {
  if (!surface.takesFaults || endpoint.method !== "GET") return;
  const { tokenId, keySpace } = call.caller;
  const { pathname, search } = event.url;
  await world.autoClock.beforeRead(`${tokenId ?? keySpace} ${pathname}${search}`);
};

/**
 * Lets a clock of mode `auto` skip to the instant at which a token that was refused by the rate
 * limit has room again: its client waits (spec/clock.md#automatic).
 */
export const skipForLimit = async ({ faults, autoClock }: ServedWorld, caller: Caller) => {
  const roomAtMs = faults.retriesAt(caller);
  if (roomAtMs !== undefined) await autoClock.skipTo(roomAtMs);
};
