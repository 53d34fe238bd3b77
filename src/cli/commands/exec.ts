import { spawn } from "node:child_process";
import { constants } from "node:os";
import { createSimulator, type Simulator } from "../../simulator.ts";
import { type Command, CommandError, EXIT, usageError } from "../frame/command.ts";
import { environmentOf } from "../frame/environment.ts";
import { simulatorOptions, startFailure } from "../frame/simulator-options.ts";
import { SIMULATOR_OPTIONS } from "../frame/start-options.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export const command: Command = {
  name: "exec",
  summary: "run a command with its own simulator, in memory and on a free port",
  operands: "<command...>",
  options: SIMULATOR_OPTIONS,
  examples: ["service-sim exec -- npm test", "service-sim exec --clock manual -- ./e2e.sh"],
  passesThrough: true,
  run: async (invocation, terminal) => {
    const [program, ...args] = invocation.args;
    if (program === undefined)
      throw usageError(
        "say which command to run, for example: exec -- npm test",
        "service-sim exec -- npm test",
      );
    const options = simulatorOptions(invocation, { storage: "memory:", worlds: "open" });
    const onAlarm = (message: string) => terminal.activity(`error  ${message}`);
    const sim = await createSimulator({ ...options, onAlarm }).catch((error) => {
      throw startFailure(error);
    });
    const { url } = await sim.listen({ port: 0 });
    try {
      return await runChild({ sim, url }, program, args);
    } finally {
      await sim.close();
    }
  },
};

const runChild = (
  { sim, url }: { sim: Simulator; url: string },
  program: string,
  args: readonly string[],
) =>
  new Promise<number>((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: "inherit",
      env: { ...process.env, ...environmentOf({ ...urlsOf(sim), url }) },
    });
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

const urlsOf = ({ apiUrl, clientId, clientSecret, webhookPublicKey }: Simulator) => ({
  apiUrl,
  clientId,
  clientSecret,
  webhookPublicKey,
});
