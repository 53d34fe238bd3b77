import { type Figure, pairsInTurn } from "./figure.ts";
import { startSimulator } from "./simulator-process.ts";
import { EMPTY_PROGRAM, wholeProcessMs } from "./whole-process.ts";
import type { Workplace } from "./workplace.ts";

const COUNTS = { warmUps: 2, pairs: 15 };

/** Time from spawning `start` on new state until the platform has answered a call. */
const firstAnswerMs = async (workplace: Workplace, storage: string): Promise<number> => {
  const startedMs = performance.now();
  const { child, call } = await startSimulator(workplace, ["--storage", storage]);
  const { status } = await call("GET", "/config");
  const tookMs = performance.now() - startedMs;
  await workplace.end(child);
  if (status !== 200) throw new Error(`Expected GET /config to answer 200 but found ${status}`);
  return tookMs;
};

const startUp = (storage: string): Figure => ({
  name: `start to first answer, ${storage.replace(/:.*/, ":")}`,
  floor: "node -e ''",
  unit: "ms",
  target: { atMost: 2.5 },
  measure: (workplace) => {
    const empty = { args: EMPTY_PROGRAM, cwd: workplace.directory() };
    return pairsInTurn(COUNTS, {
      measured: () => firstAnswerMs(workplace, storage),
      floor: () => wholeProcessMs(workplace, empty),
    });
  },
});

/** Time until a user can start working. */
export const startUpFigures = [startUp("file:state"), startUp("memory:")];
