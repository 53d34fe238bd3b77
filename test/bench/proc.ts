import { existsSync, readFileSync } from "node:fs";
import { Skipped } from "./figure.ts";

const hasProc = () => existsSync("/proc/self/status");

/** @throws Skipped where the system does not tell of processes in /proc */
export const requireProc = () => {
  if (!hasProc()) throw new Skipped("this system has no /proc, which tells what a process uses");
};

/** Resident memory of a process. */
export const residentMiB = (pid: number): number => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const kiB = /^VmRSS:\s+([0-9]+) kB$/m.exec(status)?.[1];
  if (kiB === undefined) throw new Error(`Expected VmRSS of process ${pid} but found none`);
  return Number(kiB) / 1024;
};

/** Ticks that the system counts CPU time in. */
const TICK_MS = 10;

/** CPU time of a process and of all its threads so far; 0 where the system has no /proc. */
export const processorMsOfProcess = (pid: number): number => {
  if (!hasProc()) return 0;
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name of the program, in brackets, may have spaces.
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13)
    .map(Number);
  return (user + system) * TICK_MS;
};

/** Processes that a process has started and that still run; none where the system has no /proc. */
export const childPids = (pid: number): number[] => {
  if (!hasProc()) return [];
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return children.split(" ").filter(Boolean).map(Number);
};
