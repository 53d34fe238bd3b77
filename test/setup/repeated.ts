import { expect } from "vitest";
import { readCapsule } from "../../src/capsules/read-capsule.ts";
import { Recorder } from "../../src/capsules/recorder.ts";
import { Replay } from "../../src/replay/replay.ts";
import type { LocalSimulator, SimulatorOptions } from "../../src/simulator.ts";
import { withBoundary } from "../../src/worlds/boundary.ts";

/** Files whose simulators are written down in every run; `npm run campaign:repeats` does all. */
export const ALWAYS_REPEATED = [
  "test/api/wallets/oidc-issuers.slow.test.ts",
  "test/api/agents/transfers.slow.test.ts",
  "test/revisions/wallets-codes.http.slow.test.ts",
];

/** Whether simulators of a file, the running one, are written down and repeated when they close. */
export const isRepeated = (path = expect.getState().testPath): boolean =>
  process.env.SERVICE_SIM_TEST_REPEATS === "1" ||
  ALWAYS_REPEATED.some((file) => path?.endsWith(file));

/** Opens a simulator whose run is repeated when it closes; a difference fails that close. */
export const openRepeated = async (
  options: SimulatorOptions,
  open: (options: SimulatorOptions) => Promise<LocalSimulator>,
): Promise<LocalSimulator> => {
  const lines: string[] = [];
  const recorder = new Recorder({
    options,
    ...(options.fixture !== undefined && { fixture: options.fixture }),
    withSecrets: false,
    write: (line) => void lines.push(line),
  });
  const sim = await open(withBoundary(options, recorder));
  recorder.opened(sim);
  const close = sim.close.bind(sim);
  let closing: Promise<void> | undefined;
  sim.close = () => {
    closing ??= close().then(async () => {
      recorder.close();
      const replay = await Replay.open(readCapsule(lines.join(""), "run.capsule"));
      const { divergence } = await replay.run().finally(() => replay.sim.close());
      if (divergence)
        throw new Error(`Expected the run again but found ${JSON.stringify(divergence)}`);
    });
    return closing;
  };
  return sim;
};
