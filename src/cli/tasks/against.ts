import type { MeantDifference } from "../../conform/differences-meant.ts";
import type { Brand } from "../../contract/core/brand-words.ts";
import { sendInProcess } from "../../scripts/in-process-send.ts";
import { jsonCall } from "../../scripts/script-call.ts";
import type { ScenarioFile } from "../../scripts/script-files.ts";
import { createSimulator, type SimulatorOptions } from "../../simulator.ts";
import { type ComparedScenario, compareScenario, type OtherSide } from "./compared-scenario.ts";

/** Settings of a comparison beside its two sides. */
export interface AgainstOptions extends Pick<SimulatorOptions, "revision" | "now"> {
  /** Words of the other side. */
  brand?: Brand | undefined;
  settings?: Pick<
    SimulatorOptions,
    "walletCredential" | "webhookSignature" | "cardEvents" | "sandboxUmaDomains"
  >;
  meant?: readonly MeantDifference[];
  onScenario?(compared: ComparedScenario): void;
}

/** Plays scenarios in worlds of a simulator of its own and at another service. */
export const compareAgainst = async (
  files: readonly ScenarioFile[],
  theirs: OtherSide,
  { settings, revision, now, meant = [], onScenario }: AgainstOptions = {},
): Promise<ComparedScenario[]> => {
  const sim = await createSimulator({
    clock: "manual",
    ...settings,
    ...(revision !== undefined && { revision }),
    ...(now !== undefined && { now }),
  });
  try {
    const compared: ComparedScenario[] = [];
    for (const file of files) {
      const world = await sim.fork();
      const ours = sendInProcess(world);
      await ours(jsonCall("PUT", "/_sim/clock", { mode: "manual" }));
      const one = await compareScenario(file, { ours, theirs, meant });
      onScenario?.(one);
      compared.push(one);
      await world.close();
    }
    return compared;
  } finally {
    await sim.close();
  }
};
