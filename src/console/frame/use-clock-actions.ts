import type { Advanced } from "../../contract/control/clock.ts";
import { driftOf } from "../../rows/clock-face.ts";
import { counted } from "../../text/layout.ts";
import { useAction, useConsole, useWatched } from "../use-console.ts";

/** Moves of the clock that need no question: they can be taken back. */
export const useClockActions = () => {
  const { control, store } = useConsole();
  const { clock } = useWatched();
  const { run } = useAction();
  const isReal = clock?.mode === "real";
  return {
    toNext: () =>
      run(async () => {
        if (store.world().lists.timers.length === 0) return { text: "No pending timers" };
        const done = await control.send<Advanced>("POST", "/clock/advance", { next: true });
        return { text: `${counted(done.firedCount, "timer")} fired at ${done.to.slice(11, 19)}` };
      }),
    freeze: () =>
      run(async () => {
        const mode = isReal ? "manual" : "real";
        const set = await control.send<Parameters<typeof driftOf>[0]>("PUT", "/clock", { mode });
        return { text: `The clock is ${driftOf(set)}` };
      }),
  };
};
