import type { CapsuleSink } from "../capsules/line-stream.ts";
import type { SimulatorOptions } from "../options/simulator-options.ts";
import type { LocalSimulator } from "../simulator.ts";
import { withEdges } from "../worlds/edges.ts";
import { SwitchedEdges } from "../worlds/switched-edges.ts";

/** A start whose simulator is recorded by the process that opens it. */
export const recordableStart = (options: SimulatorOptions) => {
  const edges = new SwitchedEdges();
  return {
    options: withEdges(options, edges),
    /** Records it from its present state until it is closed. */
    recordTo: async (
      sink: CapsuleSink,
      sim: LocalSimulator,
      wish: { name: string; withSecrets: boolean },
    ) => {
      const own = () => sim;
      const origin = () => new URL(sim.apiUrl).origin;
      const { LiveRecordings } = await import("../capsules/live-recordings.ts");
      await new LiveRecordings({ edges, options, own, origin }).beginTo(sink, wish);
    },
  };
};
