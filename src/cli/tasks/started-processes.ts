import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { hostTime } from "../../machine/host-time.ts";
import { startTicksOf } from "../../machine/process-probe.ts";

/** A process of this machine. */
interface ProcessRow {
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
const processTable = (): ProcessRow[] => {
  if (process.platform === "win32") return [];
  if (process.platform !== "linux") return rowsOfPs();
  try {
    return readdirSync("/proc").flatMap((name) => (/^[0-9]+$/.test(name) ? rowOf(+name) : []));
  } catch {
    return [];
  }
};

/** The processes that a process has started, and those that these have, and so on. */
const descendantsOf = (pid: number, table: readonly ProcessRow[]): ProcessRow[] => {
  const descendants: ProcessRow[] = [];
  const parents = new Set([pid]);
  for (let more = true; more; ) {
    const next = table.filter((row) => parents.has(row.parent) && !parents.has(row.pid));
    for (const row of next) parents.add(row.pid);
    descendants.push(...next);
    more = next.length > 0;
  }
  return descendants;
};

/** Whether a process was started with this variable; false where nothing tells. */
const wasStartedWith = (pid: number, variable: string): boolean => {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, "latin1")}`.includes(`\0${variable}\0`);
  } catch {
    return false;
  }
};

/** Sends a signal; a process that is gone, or belongs to another user, is left alone. */
const sendSignal = (pid: number, signal: NodeJS.Signals) => {
  try {
    process.kill(pid, signal);
  } catch {}
};

/** Time that processes have to end after SIGTERM, before SIGKILL, wall milliseconds. */
export const GRACE_MS = 5000;

const LOOK_EVERY_MS = 20;

/** A program that was started, and what is known of it. */
interface Root {
  pid: number;
  /** It has a process group and a session of its own. */
  hasGroup: boolean;
  /** Address of its simulator, which it has handed on in its environment. */
  url: string | undefined;
}

/** A program and all that it has started (decisions/exec-ends-all.md). */
export class StartedProcesses {
  private readonly root: Root;
  /** Processes seen at a signal, with their starts: a pid may come again. */
  private readonly seen = new Map<number, string>();
  private isEnding = false;
  private killing: NodeJS.Timeout | undefined;

  constructor(root: Root) {
    this.root = root;
  }

  /**
   * Sends a signal to the program. One that ends it reaches all that it has started, and what does
   * not end within the grace is killed; a second one kills at once.
   */
  send(signal: NodeJS.Signals) {
    const { pid, hasGroup } = this.root;
    if (pid === 0) return;
    const others = this.rest().filter((row) => (hasGroup ? row.group : row.pid) !== pid);
    if (this.isEnding && signal !== "SIGINT") return this.kill();
    sendSignal(hasGroup ? -pid : pid, signal);
    // A terminal has sent it to all of them.
    if (signal === "SIGINT") return;
    this.isEnding = true;
    for (const row of others) sendSignal(row.pid, signal);
    this.killing = hostTime.setTimeout(() => this.kill(), GRACE_MS);
  }

  /** Ends what the program has left behind: SIGTERM first, SIGKILL after the grace. */
  async endRest() {
    if (process.platform === "win32" || this.root.pid === 0) return;
    this.killing ??= hostTime.setTimeout(() => this.kill(), GRACE_MS);
    if (!this.isEnding) for (const { pid } of this.rest()) sendSignal(pid, "SIGTERM");
    this.isEnding = true;
    const deadlineMs = hostTime.monotonicMs() + GRACE_MS * 2;
    while (this.rest().length > 0 && hostTime.monotonicMs() < deadlineMs)
      await new Promise<void>((resolve) => {
        hostTime.setTimeout(resolve, LOOK_EVERY_MS);
      });
  }

  /** Stops the timer of the grace. */
  forget() {
    hostTime.clearTimeout(this.killing);
  }

  private kill() {
    for (const { pid } of this.rest()) sendSignal(pid, "SIGKILL");
  }

  private look(table = processTable()) {
    for (const { pid } of descendantsOf(this.root.pid, table)) this.note(pid);
    this.note(this.root.pid);
  }

  private note(pid: number) {
    if (!this.seen.has(pid)) this.seen.set(pid, startTicksOf(pid));
  }

  /** Pids of all that still runs. */
  private rest(): ProcessRow[] {
    const table = processTable();
    this.look(table);
    const above = ancestorsOf(process.pid, table);
    return table.filter((row) => !above.has(row.pid) && (this.isKnown(row) || this.isOfRoot(row)));
  }

  private isKnown({ pid }: ProcessRow) {
    return this.seen.has(pid) && this.seen.get(pid) === startTicksOf(pid);
  }

  /** Its parent may be gone: what is left are its group and session, and what it was given. */
  private isOfRoot({ pid, group, session }: ProcessRow) {
    const { hasGroup, url } = this.root;
    if (hasGroup) return group === this.root.pid || session === this.root.pid;
    return (
      url !== undefined && session === ownSession() && wasStartedWith(pid, `SERVICE_SIM_URL=${url}`)
    );
  }
}

let session: number | undefined;

const ownSession = () => {
  session ??= processTable().find(({ pid }) => pid === process.pid)?.session ?? -1;
  return session;
};

/** This process and those that started it, which are never ended. */
const ancestorsOf = (pid: number, table: readonly ProcessRow[]): Set<number> => {
  const parents = new Map(table.map((row) => [row.pid, row.parent]));
  const above = new Set<number>();
  for (let at: number | undefined = pid; at !== undefined && !above.has(at); at = parents.get(at))
    above.add(at);
  return above;
};
