import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** A process of this machine. */
export interface ProcessRow {
  pid: number;
  parent: number;
  group: number;
  /** 0 where the system does not tell it. */
  session: number;
}

/** Fields of /proc/<pid>/stat after the command, which may hold spaces and brackets. */
const rowOf = (pid: number): ProcessRow[] => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state, parent, group, session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // A zombie has ended: only its parent can take it away.
    if (state === "Z" || state === "X") return [];
    return [{ pid, parent: Number(parent), group: Number(group), session: Number(session) }];
  } catch {
    return [];
  }
};

const rowsOfPs = (): ProcessRow[] => {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,pgid=,stat="], { encoding: "utf8" });
  return (stdout ?? "").split("\n").flatMap((line) => {
    const [pid, parent, group, state = "Z"] = line.trim().split(/\s+/);
    if (state.startsWith("Z")) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), session: 0 }];
  });
};

/** All processes that run; none where nothing tells of them. */
export const processTable = (): ProcessRow[] => {
  if (process.platform === "win32") return [];
  if (process.platform !== "linux") return rowsOfPs();
  try {
    return readdirSync("/proc").flatMap((name) => (/^[0-9]+$/.test(name) ? rowOf(+name) : []));
  } catch {
    return [];
  }
};

/** The processes that a process has started, and those that these have, and so on. */
export const descendantsOf = (pid: number, table: readonly ProcessRow[]): ProcessRow[] => {
  const found: ProcessRow[] = [];
  const parents = new Set([pid]);
  for (let more = true; more; ) {
    const next = table.filter((row) => parents.has(row.parent) && !parents.has(row.pid));
    for (const row of next) parents.add(row.pid);
    found.push(...next);
    more = next.length > 0;
  }
  return found;
};

/** Whether a process was started with this variable; false where nothing tells. */
export const wasStartedWith = (pid: number, variable: string): boolean => {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, "latin1")}`.includes(`\0${variable}\0`);
  } catch {
    return false;
  }
};

/** Sends a signal; a process that is gone, or belongs to another user, is left alone. */
export const sendSignal = (pid: number, signal: NodeJS.Signals) => {
  try {
    process.kill(pid, signal);
  } catch {}
};
