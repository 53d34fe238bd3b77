import { existsSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { startBareServer } from "./bare-process.ts";
import type { Child } from "./child.ts";
import { type Figure, type Pair, Skipped } from "./figure.ts";
import { startSimulator } from "./simulator-process.ts";
import type { Workplace } from "./workplace.ts";

const PAIRS = 3;
const IDLE_MS = 5000;

const residentMiB = ({ pid }: Child): number => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const kiB = /^VmRSS:\s+([0-9]+) kB$/m.exec(status)?.[1];
  if (kiB === undefined) throw new Error(`Expected VmRSS of process ${pid} but found none`);
  return Number(kiB) / 1024;
};

const residentAfterIdling = async (workplace: Workplace, child: Child) => {
  await pause(IDLE_MS);
  const resident = residentMiB(child);
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

/** Memory of an idle simulator. */
export const memoryFigure: Figure = {
  name: "resident memory, 5 s after ready",
  floor: "bare node:http",
  unit: "MiB",
  target: { atMost: 1.8 },
  measure: (workplace) => {
    if (!existsSync("/proc/self/status"))
      throw new Skipped("this system has no /proc, which tells the memory of a process");
    return Promise.all(Array.from({ length: PAIRS }, () => idlePair(workplace)));
  },
};
