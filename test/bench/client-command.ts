import { type Figure, pairsInTurn } from "./figure.ts";
import { startSimulator } from "./simulator-process.ts";
import { EMPTY_PROGRAM, wholeProcessMs } from "./whole-process.ts";

/** A command that talks to a running simulator, as a shell script calls it. */
export const clientCommandFigure: Figure = {
  name: "advance 1s, whole process",
  floor: "node -e ''",
  unit: "ms",
  target: { atMost: 1.6 },
  measure: async (workplace) => {
    const { child, cwd } = await startSimulator(workplace, []);
    const { serviceSim } = workplace.build;
    const pairs = await pairsInTurn(
      { warmUps: 2, pairs: 20 },
      {
        measured: () => wholeProcessMs(workplace, { args: [serviceSim, "advance", "1s"], cwd }),
        floor: () => wholeProcessMs(workplace, { args: EMPTY_PROGRAM, cwd }),
      },
    );
    await workplace.end(child);
    return pairs;
  },
};
