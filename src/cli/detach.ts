import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ControlClient } from "../control/client.ts";
import { CommandError, EXIT, type Invocation } from "./command.ts";
import { type InstanceFile, instanceDirectory, readInstance } from "./instance-file.ts";
import { startFailure } from "./simulator-options.ts";
import type { Terminal } from "./terminal.ts";

/** What a detached simulator writes goes here, in its state directory. */
export const LOG_FILE = "service-sim.log";
const READY_TIMEOUT_MS = 30_000;
const POLL_MS = 25;
/** The log has the activity, not the banner with its credentials. */
const LEFT_TO_THE_PARENT = new Set(["--detach", "--json", "--quiet", "--verbose"]);

/**
 * Starts the same command in a process of its own, and returns when it is ready. If it ends before
 * that, its last words are shown and its exit code is ours.
 */
export const startDetached = async (
  invocation: Invocation,
  terminal: Terminal,
): Promise<number> => {
  const directory = instanceDirectory(String(invocation.options.storage));
  const logPath = join(directory, LOG_FILE);
  const log = openLog(directory, logPath);
  const own = process.argv.slice(1).filter((arg) => !LEFT_TO_THE_PARENT.has(arg));
  const args = [...own, "--quiet", "--verbose"];
  const child = spawn(process.execPath, args, { detached: true, stdio: ["ignore", log, log] });
  let exitCode: number | undefined;
  child.on("exit", (code) => {
    exitCode = code ?? EXIT.couldNotStart;
  });
  closeSync(log);
  for (let waitedMs = 0; waitedMs < READY_TIMEOUT_MS; waitedMs += POLL_MS) {
    if (exitCode !== undefined) throw ended(exitCode, logPath);
    const instance = readInstance(directory);
    if (instance && instance.pid === child.pid && (await isReady(instance))) {
      child.unref();
      tell(instance, logPath, terminal);
      return EXIT.done;
    }
    await pause(POLL_MS);
  }
  child.kill();
  throw new CommandError(
    { code: "NOT_READY", exitCode: EXIT.couldNotStart },
    `Expected a ready simulator within ${READY_TIMEOUT_MS / 1000}s but found none`,
    [`see ${logPath}`],
  );
};

const openLog = (directory: string, logPath: string) => {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    return openSync(logPath, "a", 0o600);
  } catch (error) {
    throw startFailure(error);
  }
};

const isReady = async ({ url, controlToken }: InstanceFile) => {
  try {
    const client = new ControlClient({ url, token: controlToken });
    return (await client.get("/ready")).status === 200;
  } catch {
    return false;
  }
};

const ended = (exitCode: number, logPath: string) => {
  const text = readFileSync(logPath, "utf8");
  const [, sentence = `it ended with exit code ${exitCode}`, next] =
    /(?:^|\n)error {2}(.+)(?:\nnext {3}(.+))?(?:\n {7}.+)*\s*$/.exec(text) ?? [];
  return new CommandError({ code: "DID_NOT_START", exitCode }, sentence, [
    next ?? `see ${logPath}`,
  ]);
};

const tell = (instance: InstanceFile, logPath: string, terminal: Terminal) => {
  const { apiUrl, controlUrl, pid, clientId, clientSecret, url } = instance;
  const port = Number(new URL(url).port);
  terminal.document({ event: "ready", apiUrl, controlUrl, port, pid, clientId, clientSecret });
  terminal.print(
    `${terminal.style.mark("done")} ready at ${apiUrl}, pid ${pid}, signs in as ${clientId}`,
  );
  terminal.note(`it logs into ${logPath}; service-sim stop ends it`);
};
