import type { OtherSide } from "../../../src/cli/tasks/compared-scenario.ts";
import { sendInProcess } from "../../../src/scripts/in-process-send.ts";
import type { ScriptAnswer, ScriptCall } from "../../../src/scripts/script-call.ts";
import { createSimulator, type LocalSimulator } from "../../../src/simulator.ts";

/** Changes an answer of the second instance, as a service that differs would give it. */
export type Plant = (answer: ScriptAnswer, call: ScriptCall) => ScriptAnswer;

/** Another simulator, with other ids and random values, as the other side of a comparison. */
export class SecondInstance implements OtherSide {
  plant: Plant = (answer) => answer;
  readonly calls: string[] = [];
  private readonly sim: LocalSimulator;
  private passedMs = 0;

  private constructor(sim: LocalSimulator) {
    this.sim = sim;
  }

  static async open(seed: string, now: string) {
    return new SecondInstance(await createSimulator({ seed, clock: "manual", now }));
  }

  readonly send = async (call: ScriptCall): Promise<ScriptAnswer> => {
    this.calls.push(`${call.method} ${call.path}`);
    const answer = await sendInProcess(this.sim)(call);
    if (answer === "lost") throw new Error("Expected an answer in the same process");
    return this.plant(answer, call);
  };

  async wait(ms: number) {
    this.passedMs += ms;
    await this.sim.advance(`${ms}ms`);
  }

  nowMs() {
    return this.passedMs;
  }

  close() {
    return this.sim.close();
  }
}
