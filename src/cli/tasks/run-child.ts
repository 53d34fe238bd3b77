import { spawn } from "node:child_process";
import { constants } from "node:os";
import { CommandError, EXIT } from "../frame/command.ts";
import { environmentOf } from "../frame/environment.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * The environment of this process for a program that calls a simulator. A world that it names
 * belongs to another simulator.
 */
export const childEnvironment = (instance: Parameters<typeof environmentOf>[0]) => {
  const { SERVICE_SIM_WORLD: _elsewhere, ...rest } = process.env;
  return { ...rest, ...environmentOf(instance) };
};

/**
 * Runs a program to its end, with the signals that this process gets.
 * @returns its exit code, or 128 and the number of the signal that ended it
 */
export const runChild = (program: string, args: readonly string[], env: NodeJS.ProcessEnv) =>
  new Promise<number>((resolve, reject) => {
    const child = spawn(program, args, { stdio: "inherit", env });
    const forward = (signal: NodeJS.Signals) => child.kill(signal);
    for (const signal of SIGNALS) process.on(signal, forward);
    const done = () => {
      for (const signal of SIGNALS) process.off(signal, forward);
    };
    child.on("error", (error: NodeJS.ErrnoException) => {
      done();
      reject(
        new CommandError(
          { code: "CANNOT_RUN", exitCode: EXIT.usage },
          `cannot run ${program}: ${error.code ?? error.message}`,
          [`check that ${program} exists and is executable`],
        ),
      );
    });
    child.on("exit", (code, signal) => {
      done();
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0));
    });
  });
