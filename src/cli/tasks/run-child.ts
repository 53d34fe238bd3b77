import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { CommandError, EXIT } from "../frame/command.ts";
import { directToLoopback, environmentOf } from "../frame/environment.ts";
import { StartedProcesses } from "./started-processes.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * The environment of this process for a program that calls a simulator. A world that it names
 * belongs to another simulator, and no proxy reaches this one.
 */
export const childEnvironment = (instance: Parameters<typeof environmentOf>[0]) => {
  const { SERVICE_SIM_WORLD: _elsewhere, ...rest } = process.env;
  return { ...directToLoopback(rest, instance.url), ...environmentOf(instance) };
};

const cannotRun = (program: string, { code, message }: NodeJS.ErrnoException) =>
  new CommandError(
    { code: "CANNOT_RUN", exitCode: EXIT.usage },
    `cannot run ${program}: ${code ?? message}`,
    [`check that ${program} exists and is executable`],
  );

/** Whether a person may press Ctrl-C here, which the terminal sends to all of a process group. */
const hasTerminal = () =>
  [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY === true);

const ended = (child: ChildProcess, program: string) =>
  new Promise<number>((resolve, reject) => {
    child.on("error", (error) => reject(cannotRun(program, error)));
    child.on("exit", (code, signal) =>
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)),
    );
  });

/**
 * Runs a program to its end, with the signals that this process gets, and ends what the program
 * leaves. Without a terminal the program gets a process group of its own.
 * @returns its exit code, or 128 and the number of the signal that ended it
 */
export const runChild = async (
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> => {
  const hasGroup = process.platform !== "win32" && !hasTerminal();
  let started: StartedProcesses | undefined;
  const forward = (signal: NodeJS.Signals) => started?.send(signal);
  // Before the program runs, which may let somebody know that it does.
  for (const signal of SIGNALS) process.on(signal, forward);
  try {
    const child = spawn(program, args, { stdio: "inherit", env, detached: hasGroup });
    started = new StartedProcesses({ pid: child.pid ?? 0, hasGroup, url: env.SERVICE_SIM_URL });
    const code = await ended(child, program);
    await started.endRest();
    return code;
  } finally {
    for (const signal of SIGNALS) process.off(signal, forward);
    started?.forget();
  }
};
