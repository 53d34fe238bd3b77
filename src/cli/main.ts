import type { Cluster } from "node:cluster";
import { failAnswer, failAtOnce } from "./frame/answer-failure.ts";
import { directToLoopback } from "./frame/environment.ts";
import { toldFailure } from "./frame/failure-message.ts";
import { writeWhollyOrFail } from "./frame/log-file.ts";
import { hideSecretsOfTitle } from "./frame/process-title.ts";
import { runCommandLine } from "./program.ts";

hideSecretsOfTitle();
Object.assign(process.env, directToLoopback(process.env));

for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", failAnswer);
  writeWhollyOrFail(stream, failAnswer);
}

// An error that no promise of a command holds, such as one of a callback.
process.on("uncaughtException", (error) => {
  const failure = toldFailure(error);
  // Told behind what else is done at the exit, which restores a screen.
  process.once("exit", () => failAtOnce(failure));
  process.exit(failure.exitCode);
});

/** Tells a worker of `start --processes` from a detached start, which has a channel too. */
const isWorker = () => {
  if (process.send === undefined) return false;
  const cluster: unknown = process.getBuiltinModule("node:cluster");
  return (cluster as Cluster).isWorker;
};

const run = async () => {
  if (!isWorker()) return runCommandLine(process.argv.slice(2));
  const { runWorker } = await import("./tasks/worker-process.ts");
  return runWorker();
};

void run().then((exitCode) => {
  process.exitCode = exitCode;
  // Exits without waiting for open work, such as a webhook attempt to a receiver that hangs.
  process.stdout.write("", (error) => {
    if (error) failAnswer(error);
    process.exit();
  });
});
