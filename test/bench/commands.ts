import { type Figure, pairsInTurn } from "./figure.ts";
import { startSimulator } from "./simulator-process.ts";
import { EMPTY_PROGRAM, wholeProcessMs } from "./whole-process.ts";
import type { Workplace } from "./workplace.ts";

const wholeCommand = (workplace: Workplace, args: readonly string[], cwd: string) =>
  pairsInTurn(
    { warmUps: 3, pairs: workplace.of({ short: 10, usual: 20 }) },
    {
      measured: () =>
        wholeProcessMs(workplace, { args: [workplace.build.serviceSim, ...args], cwd }),
      floor: () => wholeProcessMs(workplace, { args: EMPTY_PROGRAM, cwd }),
    },
  );

const wholeProcess = (about: Pick<Figure, "name" | "target" | "measure">): Figure => ({
  floor: "node -e ''",
  unit: "ms",
  from: "short",
  ...about,
});

/** A command that needs no simulator. */
const alone = (option: string): Figure =>
  wholeProcess({
    name: `${option}, whole process`,
    target: { atMost: 1.6 },
    measure: (workplace) => wholeCommand(workplace, [option], workplace.directory()),
  });

/** A command that talks to a running simulator, as a shell script calls it. */
const client = (...args: string[]): Figure =>
  wholeProcess({
    name: `${args.join(" ")}, whole process`,
    target: { atMost: 1.6 },
    measure: async (workplace) => {
      const { child, cwd } = await startSimulator(workplace, []);
      const pairs = await wholeCommand(workplace, args, cwd);
      await workplace.end(child);
      return pairs;
    },
  });

/** Commands as whole processes. */
export const commandFigures: readonly Figure[] = [
  alone("--version"),
  alone("--help"),
  client("advance", "1s"),
  client("status"),
];
