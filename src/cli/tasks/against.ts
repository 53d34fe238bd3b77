import type { MeantDifference } from "../../conform/differences-meant.ts";
import type { Brand } from "../../contract/core/brand-words.ts";
import type { ScenarioFile } from "../../control/scenarios/scenario-files.ts";
import {
  controlCall,
  type ScenarioCall,
  type ScenarioTarget,
} from "../../control/scenarios/scenario-target.ts";
import { createSimulator, type Simulator, type SimulatorOptions } from "../../simulator.ts";
import { type ComparedScenario, compareScenario, type OtherSide } from "./compared-scenario.ts";

const CONTROL = "/_sim";

/** A world of this process, as scenarios call it. */
const targetOf = (sim: Simulator): ScenarioTarget => {
  const authorization = `Basic ${btoa(`${sim.clientId}:${sim.clientSecret}`)}`;
  return {
    call: async ({ method, path, headers, body }: ScenarioCall) => {
      const isControl = path.startsWith(`${CONTROL}/`);
      const url = isControl ? sim.controlUrl + path.slice(CONTROL.length) : sim.apiUrl + path;
      const answer = await sim.fetch(
        new Request(url, {
          method,
          headers: { authorization, "x-sim-world": sim.world, ...headers },
          ...(body && { body: Buffer.from(body) }),
        }),
      );
      const text = await answer.text();
      const isJson = answer.headers.get("content-type")?.includes("json") === true;
      return { status: answer.status, body: isJson && text !== "" ? JSON.parse(text) : undefined };
    },
    receive: () => {
      throw new Error("Expected no receiver in a comparison");
    },
  };
};

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
      const ours = targetOf(world);
      await ours.call(controlCall("PUT", "/clock", { mode: "manual" }));
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
