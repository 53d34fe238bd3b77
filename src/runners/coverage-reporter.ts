import { coverageText } from "./coverage-text.ts";
import { connectShared, sharedInThisProcess } from "./test-worlds.ts";

/** A reporter of vitest that ends a run with what its tests have exercised of the contract. */
export default class CoverageReporter {
  /** Called by vitest before the shared simulator is stopped. */
  async onTestRunEnd(): Promise<void> {
    for (const address of sharedInThisProcess()) {
      const sim = await connectShared(address);
      const text = await sim.coverage("all").then(coverageText, ({ message }: Error) => message);
      if (text !== undefined) console.log(text);
      await sim.close();
    }
  }
}
