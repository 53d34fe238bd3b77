import { hostTime, nextTurn } from "../../machine/host-time.ts";
import type { WorldState } from "../../runtime/world-state.ts";

/** Wait before unread parts of a world are read in the background, in wall milliseconds. */
const READ_ON_AFTER_MS = 1000;

/** Reads the rest of a world in the background, one part in each turn of the event loop. */
export const readSoon = (state: WorldState, isNeeded: () => boolean) => {
  const read = async () => {
    while (isNeeded() && state.readPart()) await nextTurn();
  };
  hostTime.setTimeout(() => void read(), READ_ON_AFTER_MS).unref();
};
