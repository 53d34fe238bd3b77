import type { CapsuleSink } from "../capsules/line-stream.ts";
import type { SimulatorOptions } from "../options/simulator-options.ts";
import type { LocalSimulator } from "../simulator.ts";
import { withBoundary } from "../worlds/boundary.ts";
import { SwitchedBoundary } from "../worlds/switched-boundary.ts";

/** A start whose simulator is recorded by the process that opens it. */
export const recordableStart = (options: SimulatorOptions) => {
  const boundary = new SwitchedBoundary();
  return {
    options: withBoundary(options, boundary),
    /** Records it from its present state until it is closed. */
    recordTo: async (
      sink: CapsuleSink,
      sim: LocalSimulator,
      wish: { name: string; withSecrets: boolean },
    ) => {
      const own = () => sim;
      const origin = () => new URL(sim.apiUrl).origin;
      const { LiveRecordings } = await import("../capsules/live-recordings.ts");
      await new LiveRecordings({ boundary, options, own, origin }).beginTo(sink, wish);
    },
  };
};
