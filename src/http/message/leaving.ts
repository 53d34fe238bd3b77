import { hostTime } from "../../machine/host-time.ts";

/** Sends one reply. */
type Sending = () => void;

/** Replies of this turn of the event loop: leaving together costs the system far fewer calls. */
let leaving: Sending[] = [];
let isScheduled = false;

const leaveAll = () => {
  isScheduled = false;
  const all = leaving;
  leaving = [];
  for (const send of all) send();
};

/**
 * Has replies leave at the end of this turn. A reply that waits for the journal asks for it at once:
 * the journal is written before, in the same turn, and the reply need not wait for the next one.
 */
export const expectLeaving = () => {
  if (isScheduled) return;
  isScheduled = true;
  hostTime.setImmediate(leaveAll);
};

/** Sends a reply at the end of this turn, with the others. */
export const leaveTogether = (send: Sending) => {
  leaving.push(send);
  expectLeaving();
};
