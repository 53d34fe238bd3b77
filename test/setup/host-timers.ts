import { vi } from "vitest";
import { hostTime } from "../../src/machine/host-time.ts";

const real = { ...hostTime };

type Timer = "setTimeout" | "clearTimeout" | "setInterval" | "clearInterval";

/** Fakes timers for the simulator too, which otherwise keeps the real ones. */
export const fakeHostTimers = (toFake: Timer[] = ["setTimeout", "clearTimeout"]) => {
  vi.useFakeTimers({ toFake });
  for (const name of toFake) Object.assign(hostTime, { [name]: globalThis[name] });
};

/** Brings the real timers back, for the test and for the simulator. */
export const realHostTimers = () => {
  vi.useRealTimers();
  Object.assign(hostTime, real);
};
