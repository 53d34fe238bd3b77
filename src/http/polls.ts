import type { Caller } from "./call.ts";
import type { ServedWorld } from "./served-world.ts";

/** A call as it came to a surface. */
interface Asked {
  surface: { takesFaults?: true };
  endpoint: { method: string };
  world: ServedWorld;
  call: { caller: Caller };
  event: { url: URL };
}

/**
 * Lets a clock of mode `auto` skip before a read of the platform that was answered already
 * (spec/clock.md#automatic).
 */
export const skipForPoll = async ({ surface, endpoint, world, call, event }: Asked) => {
  if (!surface.takesFaults || endpoint.method !== "GET" || !world.autoClock.isOn) return;
  const { tokenId, keySpace } = call.caller;
  const { pathname, search } = event.url;
  await world.autoClock.beforeRead(`${tokenId ?? keySpace} ${pathname}${search}`);
};

/**
 * Counts a call for the rate limit. A clock of mode `auto` first moves to the instant at which a
 * token that was refused has room again: its client waits (spec/clock.md#automatic).
 */
export const countCall = async ({ faults, autoClock }: ServedWorld, caller: Caller) => {
  const roomAtMs = autoClock.isOn ? faults.retriesAt(caller) : undefined;
  if (roomAtMs !== undefined) await autoClock.skipTo(roomAtMs);
  faults.admit(caller);
};
