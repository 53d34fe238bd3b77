import { readdirSync, readFileSync } from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";

const WATCHED = ["open", "readFile", "readdir", "stat", "mkdir", "rename", "rm", "rmdir"] as const;

type Call = (...given: never[]) => Promise<unknown>;

/** Calls of the file system that have not ended. */
const pending = new Map<number, string>();
let made = 0;

/** Notes each call of `node:fs/promises` until it ends; returns a function that stops this. */
export const watchCalls = (): (() => void) => {
  const calls = promises as unknown as Record<string, Call>;
  const whole = WATCHED.map((name) => [name, calls[name] as Call] as const);
  for (const [name, call] of whole)
    calls[name] = (...given) => {
      made += 1;
      const id = made;
      pending.set(id, `${name} ${String(given[0])}`);
      return call(...given).finally(() => pending.delete(id));
    };
  syncBuiltinESMExports();
  return () => {
    for (const [name, call] of whole) calls[name] = call;
    syncBuiltinESMExports();
  };
};

const TASKS = "/proc/self/task";

const lineOf = (path: string) => {
  try {
    return readFileSync(path, "utf8").split("\n")[0] ?? "";
  } catch {
    return "";
  }
};

/** Names and system calls of the threads of this process, where the system shows them. */
const threads = () => {
  try {
    return readdirSync(TASKS).map((id) =>
      ["comm", "syscall", "wchan"].map((name) => lineOf(join(TASKS, id, name))).join(" "),
    );
  } catch {
    return [];
  }
};

/** Everything that says why no answer comes: calls and resources under way, and the threads. */
export const stateOfProcess = (): string =>
  [
    `calls under way: ${[...pending.values()].join(", ") || "none"}`,
    `resources: ${process.getActiveResourcesInfo().join(", ")}`,
    `threads: ${threads().join("; ")}`,
  ].join("\n  ");
