import { readFileSync } from "node:fs";

/** Fields of /proc/<pid>/stat after the command, which may contain spaces. */
const statFields = (pid: number): string[] => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
};

/** Start of a process in clock ticks since boot; empty where /proc is missing. */
export const startTicksOf = (pid: number) => statFields(pid)[19] ?? "";

/**
 * Tells whether a process runs. A zombie has ended but keeps its pid until its parent waits for it,
 * as is common in containers: it does not run.
 */
export const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  return statFields(pid)[0] !== "Z";
};
