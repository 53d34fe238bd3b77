import { type HostTime, hostTime } from "./host-time.ts";

// The build puts these in the place of the globals that bundled packages use
// (decisions/time-taken-at-load.md).

type Timers = Omit<HostTime, "Date">;

/** Looks the function up at each call, since it may be taken again. */
const late = <Name extends keyof Timers>(name: Name): Timers[Name] => {
  const call = (...args: unknown[]) => (hostTime[name] as (...args: unknown[]) => unknown)(...args);
  return call as Timers[Name];
};

export const HostDate = hostTime.Date;
export const setTimeout = late("setTimeout");
export const clearTimeout = late("clearTimeout");
export const setInterval = late("setInterval");
export const clearInterval = late("clearInterval");
export const setImmediate = late("setImmediate");
export const clearImmediate = late("clearImmediate");
export const nextTick = late("nextTick");
