import { nodeOf } from "../setup/nodes.ts";
import { dropCode, keepCode } from "./build.ts";
import type { Place } from "./child.ts";
import { type Figure, type Pair, pairsInTurn, Skipped } from "./figure.ts";
import { startSimulator } from "./simulator-process.ts";
import { EMPTY_PROGRAM, wholeProcessMs } from "./whole-process.ts";
import type { Workplace } from "./workplace.ts";

const NEWER_NODES = [22, 24, 26];
const COUNTS_ANEW = { warmUps: 1, pairs: 7 };

/** Time from spawning `start` on new state until the platform has answered a call. */
const firstAnswerMs = async (
  workplace: Workplace,
  storage: string,
  by: Partial<Place>,
): Promise<number> => {
  const startedMs = performance.now();
  const { child, call } = await startSimulator(workplace, ["--storage", storage], by);
  const { status } = await call("GET", "/config");
  const tookMs = performance.now() - startedMs;
  await workplace.end(child);
  if (status !== 200) throw new Error(`Expected GET /config to answer 200 but found ${status}`);
  return tookMs;
};

const startPairs = (
  workplace: Workplace,
  storage: string,
  by: Partial<Place> = {},
): Promise<Pair[]> => {
  const empty = { args: EMPTY_PROGRAM, cwd: workplace.directory() };
  const counts = { warmUps: 2, pairs: workplace.of({ short: 9, usual: 15 }) };
  return pairsInTurn(counts, {
    measured: () => firstAnswerMs(workplace, storage, by),
    floor: () => wholeProcessMs(workplace, empty, by),
  });
};

const startUp = (about: Pick<Figure, "name" | "from" | "measure">): Figure => ({
  floor: "node -e ''",
  unit: "ms",
  target: { atMost: 3.5 },
  ...about,
});

/** First starts: each user has a cache of its own. */
const firstStartPairs = (workplace: Workplace): Promise<Pair[]> => {
  const empty = { args: EMPTY_PROGRAM, cwd: workplace.directory() };
  const anew = () => ({ env: { XDG_CACHE_HOME: workplace.directory() } });
  return pairsInTurn(COUNTS_ANEW, {
    measured: () => firstAnswerMs(workplace, "file:state", anew()),
    floor: () => wholeProcessMs(workplace, empty),
  });
};

const onNode = (major: number): Figure =>
  startUp({
    name: `start to first answer, Node.js ${major}`,
    measure: async (workplace) => {
      const node = await nodeOf(major);
      if ("why" in node) throw new Skipped(node.why);
      return startPairs(workplace, "file:state", { program: node.program });
    },
  });

/** Time until a user can start working. */
export const startUpFigures: readonly Figure[] = [
  startUp({
    name: "start to first answer, file:",
    from: "short",
    measure: (workplace) => startPairs(workplace, "file:state"),
  }),
  startUp({
    name: "start to first answer, memory:",
    measure: (workplace) => startPairs(workplace, "memory:"),
  }),
  startUp({
    name: "start to first answer, with NODE_ variables",
    measure: (workplace) => {
      const env = workplace.nodeSettings();
      if (Object.keys(env).length === 0) throw new Skipped("no NODE_ variable is set here");
      return startPairs(workplace, "file:state", { env });
    },
  }),
  {
    name: "the first start of a user, in a checkout",
    floor: "node -e ''",
    unit: "ms",
    target: { atMost: 4.5 },
    measure: async (workplace) => {
      keepCode(workplace.build);
      try {
        return await firstStartPairs(workplace);
      } finally {
        dropCode(workplace.build);
      }
    },
  },
  {
    name: "the first start of a user, without kept code",
    floor: "node -e ''",
    unit: "ms",
    measure: firstStartPairs,
  },
  ...NEWER_NODES.map(onNode),
];
