import { fileURLToPath } from "node:url";
import { type Figure, pairsInTurn } from "./figure.ts";
import { processorMsOfProcess } from "./proc.ts";
import { createQuoteBody } from "./quote-body.ts";
import { requestLoop } from "./request-loop.ts";
import { basicAuthorization, startSimulator } from "./simulator-process.ts";
import type { Workplace } from "./workplace.ts";

const WORLDS = 100;
const REQUESTS = 3_000;
const CONNECTIONS = 50;
const US_PER_MS = 1000;

const IDLE_WORLDS = fileURLToPath(new URL("idle-worlds.js", import.meta.url));
const IDLE_RUNS = 3;
const IDLE_LIMIT_KIB = 100;
const IDLE_RUN_LIMIT_MS = 60_000;

/** The same requests to 100 worlds in turn, and to one; CPU time of the simulator for each. */
const loadFigure: Figure = {
  name: `POST /quotes, ${WORLDS} worlds in turn`,
  floor: "one world",
  unit: "µs",
  target: { atMost: 1.2 },
  measure: async (workplace) => {
    const options = ["--storage", "memory:", "--clock", "manual", "--worlds", "open"];
    const { child, apiUrl, call, clientId, clientSecret } = await startSimulator(
      workplace,
      options,
    );
    const body = await createQuoteBody(call);
    const { origin, pathname } = new URL(apiUrl);
    const requests = Array.from({ length: WORLDS }, (_, n) => ({
      method: "POST" as const,
      path: `${pathname}/quotes`,
      headers: {
        authorization: basicAuthorization({ clientId: `${clientId}+w-${n}`, clientSecret }),
      },
      body,
    }));
    const usedUs = async (worlds: number) => {
      const beforeMs = processorMsOfProcess(child.pid);
      const asked = requests.slice(0, worlds);
      const counts = { connections: CONNECTIONS, total: REQUESTS };
      await requestLoop(workplace, { origin, headers: {}, requests: asked, ...counts });
      return ((processorMsOfProcess(child.pid) - beforeMs) / REQUESTS) * US_PER_MS;
    };
    return pairsInTurn(
      { warmUps: 3, pairs: workplace.of({ short: 7, usual: 11 }) },
      { measured: () => usedUs(WORLDS), floor: () => usedUs(1) },
    );
  },
};

/** KiB that an idle world holds, and timers of such worlds, measured in a process of their own. */
export const idleWorlds = async (
  workplace: Workplace,
  storage: string,
): Promise<{ kibEach: number; timers: number }> => {
  const args = ["--expose-gc", IDLE_WORLDS, workplace.build.library, storage];
  const child = workplace.start(args, workplace.directory());
  return JSON.parse(await child.text(IDLE_RUN_LIMIT_MS));
};

const idleFigure: Figure = {
  name: "an idle world's memory, without timers of its own",
  floor: `${IDLE_LIMIT_KIB} KiB`,
  unit: "KiB",
  target: { atMost: 1 },
  measure: async (workplace) => {
    const pairs = [];
    for (let run = 0; run < IDLE_RUNS; run += 1) {
      const { kibEach, timers } = await idleWorlds(workplace, "memory:");
      if (timers > 0) throw new Error(`Expected no timer of idle worlds but found ${timers}`);
      pairs.push({ measured: kibEach, floor: IDLE_LIMIT_KIB });
    }
    return pairs;
  },
};

/** The cost of many worlds in one process. */
export const manyWorldsFigures: readonly Figure[] = [loadFigure, idleFigure];
