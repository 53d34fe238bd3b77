import { readFileSync } from "node:fs";

/** Fields of /proc/<pid>/stat from the state on; the command in front of it may hold spaces. */
const statFields = (pid: number): string[] => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
};

/** When a process started, in clock ticks since boot; empty where /proc is missing. */
export const startTicksOf = (pid: number) => statFields(pid)[19] ?? "";

/**
 * Whether a process runs. One that has ended but was not waited for by its parent still has a
 * pid (a zombie, common in containers): it does not run.
 */
export const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  return statFields(pid)[0] !== "Z";
};
