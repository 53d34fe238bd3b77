import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { makeStateDirectory } from "../../storage/file/state/state-folder.ts";
import type { Terminal } from "../text/terminal.ts";
import { CommandError, EXIT, type Invocation } from "./command.ts";
import { type InstanceFile, instanceDirectory, needsNoFolder } from "./instance-file.ts";
import { urlHint } from "./reach.ts";
import { requireStorage, startFailure } from "./simulator-options.ts";

/** Log file for the output of a detached simulator, in its state directory. */
export const LOG_FILE = "service-sim.log";
const READY_TIMEOUT_MS = 30_000;
/** Options of the parent alone: the log holds activity, not the banner with its credentials. */
const LEFT_TO_THE_PARENT = new Set(["--detach", "--json", "--quiet", "--verbose"]);

/** A simulator that is ready, and notes for the process that started it. */
export interface StartedReport {
  instance: InstanceFile;
  notes: readonly string[];
}

/** Reports readiness to the parent process, if one waits. */
export const tellStarter = (report: StartedReport) =>
  process.send?.(report, undefined, undefined, () => {
    // The parent has gone, so nobody is left to tell.
  });

/** State of a started process: ready, ended with a code, or neither in time. */
type Fare = StartedReport | { exitCode: number } | undefined;

const fareOf = (child: ChildProcess) =>
  new Promise<Fare>((resolve) => {
    const timer = setTimeout(() => resolve(undefined), READY_TIMEOUT_MS);
    const done = (fare: Fare) => {
      clearTimeout(timer);
      resolve(fare);
    };
    child.on("message", (message) => done(message as StartedReport));
    child.on("exit", (code) => done({ exitCode: code ?? EXIT.couldNotStart }));
  });

/**
 * Starts the same command in a process of its own, and returns when it is ready. If it ends before
 * that, prints its last lines and returns its exit code.
 */
export const startDetached = async (
  invocation: Invocation,
  terminal: Terminal,
): Promise<InstanceFile> => {
  requireStorage(invocation);
  const directory = instanceDirectory(String(invocation.options.storage));
  const logPath = join(directory, LOG_FILE);
  const log = openLog(directory, { logPath, storage: String(invocation.options.storage) });
  const own = process.argv.slice(1).filter((arg) => !LEFT_TO_THE_PARENT.has(arg));
  const child = spawn(process.execPath, [...own, "--quiet", "--verbose"], {
    detached: true,
    stdio: ["ignore", log, log, "ipc"],
  });
  if (log !== "ignore") closeSync(log);
  const fare = await fareOf(child);
  if (fare === undefined) {
    child.kill();
    throw new CommandError(
      { code: "NOT_READY", exitCode: EXIT.couldNotStart },
      `the simulator was not ready within ${READY_TIMEOUT_MS / 1000}s`,
      [log === "ignore" ? WITHOUT_LOG : `see ${logPath}`],
    );
  }
  if ("exitCode" in fare)
    throw ended(
      fare.exitCode,
      log === "ignore" ? undefined : { log: readFileSync(logPath, "utf8"), path: logPath },
    );
  child.disconnect();
  child.unref();
  tell(fare, terminal, { invocation, ...(log !== "ignore" && { logPath }) });
  return fare.instance;
};

const WITHOUT_LOG = "leave out --detach to see why: there is no folder for a log";

/** A simulator in memory needs no folder, and goes without a log where there is none. */
const openLog = (
  directory: string,
  { logPath, storage }: { logPath: string; storage: string },
): number | "ignore" => {
  try {
    makeStateDirectory(directory);
    return openSync(logPath, "a", 0o600);
  } catch (error) {
    if (needsNoFolder(storage, error)) return "ignore";
    throw startFailure(error);
  }
};

/** Finds the error and the next steps in the last lines of a failed start. */
const LAST_WORDS = /(?:^|\n)error {2}(.+)((?:\nnext {3}.+(?:\n {7}.+)*)?)\s*$/;

/** Reads the part of the log that the started process wrote; earlier processes wrote there too. */
const ended = (exitCode: number, written: { log: string; path: string } | undefined) => {
  const [, sentence = `it ended with exit code ${exitCode}`, steps = ""] =
    LAST_WORDS.exec(written?.log ?? "") ?? [];
  const next = steps.split("\n").flatMap((line) => line.slice("next   ".length) || []);
  return new CommandError(
    { code: "DID_NOT_START", exitCode },
    sentence,
    next.length > 0 ? next : [written ? `see ${written.path}` : WITHOUT_LOG],
  );
};

const tell = (
  { instance, notes }: StartedReport,
  terminal: Terminal,
  { invocation, logPath }: { invocation: Invocation; logPath?: string },
) => {
  const { apiUrl, controlUrl, pid, clientId, clientSecret, url } = instance;
  const port = Number(new URL(url).port);
  terminal.document({ event: "ready", apiUrl, controlUrl, port, pid, clientId, clientSecret });
  terminal.print(
    `${terminal.style.mark("done")} ready at ${apiUrl}, pid ${pid}, client id ${clientId}`,
    `  console: ${controlUrl}/console/`,
  );
  for (const note of notes) terminal.note(note);
  const reachable = urlHint(invocation, url);
  const logs = logPath === undefined ? "there are no logs" : `logs: ${logPath}`;
  terminal.note(`${logs}; stop it with service-sim stop${reachable}`);
  if (reachable !== "" && logPath !== undefined)
    terminal.note(`commands in this folder do not find it; add${reachable}`);
};
