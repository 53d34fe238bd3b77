import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startBareServer } from "./bare-process.ts";
import type { Child } from "./child.ts";
import type { Figure, Pair } from "./figure.ts";
import { requireProc, residentMiB } from "./proc.ts";
import { startSimulator } from "./simulator-process.ts";
import type { Workplace } from "./workplace.ts";

const PAIRS = 3;
const IDLE_MS = 5000;
const MEMORY_RUN = fileURLToPath(new URL("memory-run.js", import.meta.url));
const RUN_LIMIT_MS = 300_000;

const residentAfterIdling = async (workplace: Workplace, child: Child) => {
  await pause(IDLE_MS);
  const resident = residentMiB(child.pid);
  await workplace.end(child);
  return resident;
};

const idlePair = async (workplace: Workplace): Promise<Pair> => {
  const simulator = await startSimulator(workplace, ["--storage", "file:state"]);
  const measured = residentAfterIdling(workplace, simulator.child);
  const bare = await startBareServer(workplace, { status: 200, text: "{}" });
  const floor = residentAfterIdling(workplace, bare.child);
  return { measured: await measured, floor: await floor };
};

/** Heap in MiB after a garbage collection: at the start of a run, and after each of its rounds. */
const heapsMiB = async (workplace: Workplace, what: "payments" | "bounds"): Promise<number[]> => {
  const args = ["--expose-gc", MEMORY_RUN, workplace.build.library, what];
  const child = workplace.start(args, workplace.directory());
  const heaps = JSON.parse(await child.text(RUN_LIMIT_MS)) as number[];
  await workplace.end(child);
  return heaps;
};

const textOf = (heaps: readonly number[]) => heaps.map((one) => one.toFixed(1)).join(", ");

/** Memory of a simulator: at rest, by payment, and when it forgets as much as it takes up. */
export const memoryFigures: readonly Figure[] = [
  {
    name: "resident memory, 5 s after ready",
    floor: "bare node:http",
    unit: "MiB",
    target: { atMost: 1.6 },
    from: "short",
    measure: async (workplace) => {
      requireProc();
      // A user's first start leaves the compiled code with which all later ones begin.
      await idlePair(workplace);
      return Promise.all(Array.from({ length: PAIRS }, () => idlePair(workplace)));
    },
  },
  {
    name: "memory of 1,000 finished payments",
    floor: "1 MiB",
    unit: "MiB",
    target: { atMost: 4 },
    measure: async (workplace) => {
      const heaps = await heapsMiB(workplace, "payments");
      // The mean: what is bounded grows in some rounds and shrinks in others.
      const measured = ((heaps.at(-1) ?? 0) - (heaps[0] ?? 0)) / (heaps.length - 1);
      const notes = [`MiB before and after each 1,000: ${textOf(heaps)}`];
      return { pairs: [{ measured, floor: 1 }], notes };
    },
  },
  {
    name: "memory at the end of calls that leave no record",
    floor: "when the bounds were full",
    unit: "MiB",
    target: { atMost: 1.05 },
    measure: async (workplace) => {
      const heaps = await heapsMiB(workplace, "bounds");
      const pairs = [{ measured: heaps.at(-1) ?? 0, floor: heaps[1] ?? 0 }];
      return { pairs, notes: [`MiB at the start and after each round: ${textOf(heaps)}`] };
    },
  },
];
