import { join } from "node:path";
import { defined } from "../../contract/core/defined.ts";
import type { Guessable } from "../../crypto/seeded-credentials.ts";
import { listhenFor } from "../../http/sockets/listen.ts";
import { hostTime } from "../../machine/host-time.ts";
import { START_FLAGS } from "../../options/start-options.ts";
import { createSimulator, type LocalSimulator, type SimulatorOptions } from "../../simulator.ts";
import { isStateDirectory } from "../../storage/file/state/state-folder.ts";
import { reportSkippedFiles } from "../../storage/world/recovery-report.ts";
import { parseStorageUrl } from "../../storage/world/storage-url.ts";
import { VERSION } from "../../version.ts";
import { type Command, EXIT, type Invocation, usageError } from "../frame/command.ts";
import { LOG_FILE, startDetached, tellStarter } from "../frame/detach.ts";
import {
  type InstanceFile,
  instanceDirectory,
  instancePath,
  needsNoFolder,
  removeInstance,
  writeInstance,
} from "../frame/instance-file.ts";
import { loseLinesOnFullDisk } from "../frame/log-file.ts";
import { reachableBy } from "../frame/reachable-by.ts";
import { simulatorOptions, startFailure } from "../frame/simulator-options.ts";
import { portFailure, requirePort, type Where, wantedPorts } from "../frame/wanted-port.ts";
import { showConsole } from "../tasks/browser.ts";
import type { RecordedStart } from "../tasks/capsule-file.ts";
import { JsonLog } from "../tasks/json-log.ts";
import { bannerLines } from "../tasks/start-banner.ts";
import { requireTerminal } from "../tasks/watch-terminal.ts";
import { activityLines } from "../text/activity.ts";
import type { Terminal } from "../text/terminal.ts";

/** A start that writes its run down, if it was asked to: few do, and what it loads would slow all. */
const recordedStart = async (
  { options: { capsule: file, withSecrets } }: Invocation,
  options: SimulatorOptions,
): Promise<RecordedStart> => {
  if (typeof file !== "string") return { options, begin: async () => {} };
  const { recordedInto } = await import("../tasks/capsule-file.ts");
  return recordedInto(file, options, withSecrets === true);
};

export const command: Command = {
  name: "start",
  summary: "start a simulator",
  options: START_FLAGS,
  examples: [
    "service-sim start",
    "service-sim start --port 0 --storage memory: --json",
    "service-sim start --port 0 --storage memory: --log json",
    "service-sim start --clock manual --now 2026-01-05T09:00:00Z --seed 7",
  ],
  run: async (invocation, terminal) => {
    if (invocation.options.tui === true) requireScreen(invocation);
    if (invocation.options.detach !== true) return startHere(invocation, terminal);
    const instance = await startDetached(invocation, terminal);
    if (invocation.options.open === true) await showConsole(instance, terminal);
    return EXIT.done;
  },
};

/** Runs the server in this process until it is told to stop. */
const startHere: Command["run"] = async (invocation, terminal) => {
  const startedMs = hostTime.monotonicMs();
  keepRunningOnFullDisk(invocation);
  const isWatched = invocation.options.tui === true;
  const log = invocation.options.log === "json" ? new JsonLog() : undefined;
  const where = whereToListen(invocation);
  requireExtras(where);
  // A screen shows activity itself; printed lines would overwrite it.
  let openedAt: string | undefined;
  const activity = isWatched
    ? {}
    : watcherOf(terminal, {
        log,
        isVerbose: invocation.options.verbose === true,
        since: () => openedAt,
      });
  const options: SimulatorOptions = {
    ...simulatorOptions(invocation, {
      storage: String(invocation.options.storage),
      worlds: "fixed",
    }),
    beforeMovingAside: async () => void (await requirePort(where)),
    ...activity,
  };
  const directory = instanceDirectory(options.storage);
  const left = new LeftInstance(directory, terminal);
  const opening = { ...options, ...left.callbacks, answersBeforeReady: true };
  const recorded = await recordedStart(invocation, opening);
  const sim = await openSimulator(recorded.options, invocation);
  await recorded.begin(sim).catch(async (error) => {
    await sim.close();
    throw startFailure(error, invocation);
  });
  openedAt = sim.now;
  const { instance, guessable } = await takePort(sim, where);
  await becomeReady(sim, invocation);
  const { other, unwritten } = await leaveInstance(sim, { storage: options.storage, instance });
  if (unwritten === undefined) left.hold(instance);
  const signal = isWatched ? undefined : waitForSignal();
  terminal.document(readyLine(sim, instance));
  const notes = [...notesOf(sim, guessable), ...hiddenNotes(instance, unwritten)];
  tellStarter({ instance, notes: [...notes, ...mendedNotes(sim)] });
  const readyMs = hostTime.monotonicMs() - startedMs;
  if (log) log.ready(instance, { now: sim.now, isTold: terminal.json });
  else if (!terminal.json) {
    const reach = reachableBy(
      where.host,
      other === undefined && unwritten === undefined
        ? { file: instancePath(directory) }
        : { text: `the control token ${instance.controlToken}` },
    );
    const { allowWebhookTargets: allowedTargets = [] } = options;
    const facts = { status: sim.status(), opened: sim.opened };
    const started = { ...facts, instance, reach, allowedTargets, readyMs };
    terminal.print(...bannerLines(started, terminal.style));
  }
  for (const note of notes) terminal.note(note);
  if (other !== undefined) tellOfNeighbour(other, instance, terminal);
  // The process that started a detached one opens the page itself: its terminal is still there.
  if (invocation.options.open === true && !process.send) void showConsole(instance, terminal);
  await (isWatched ? watchHere(instance, invocation, terminal) : signal);
  removeInstance(directory, instance);
  await sim.close();
  terminal.document({ event: "stopped" });
  log?.stopped({ isTold: terminal.json });
  if (!log)
    terminal.print(`${terminal.style.mark("done")} stopped${restOf(options.storage, directory)}`);
  return EXIT.done;
};

/**
 * The log that `--detach` has opened for this process has a bound; a shell's file is its user's.
 */
const keepRunningOnFullDisk = ({ options }: Invocation) => {
  const own = process.send ? join(instanceDirectory(String(options.storage)), LOG_FILE) : undefined;
  for (const stream of [process.stdout, process.stderr]) loseLinesOnFullDisk(stream, own);
};

/** The end of the last line, which tells of the state. */
const restOf = (storage = "memory:", directory: string) => {
  if (parseStorageUrl(storage)?.kind !== "file") return "; its state was in memory and is lost";
  return isStateDirectory(directory)
    ? "; the state is kept"
    : `; ${directory} and its state were removed`;
};

const requireScreen = ({ options }: Invocation) => {
  requireTerminal();
  if (options.log === "json")
    throw usageError("--tui cannot be used with --log json", "service-sim start --log json");
  for (const other of ["json", "detach", "quiet", "verbose"])
    if (options[other] === true)
      throw usageError(
        `--tui cannot be used with --${other}`,
        "service-sim start --detach, then service-sim tui",
      );
};

/** Shows the screen of `tui` inside the simulator's own process. */
const watchHere = async (
  { url, controlToken }: InstanceFile,
  invocation: Invocation,
  terminal: Terminal,
) => {
  const { watchOnTerminal } = await import("../tasks/watch.ts");
  const at = { url, ...defined({ token: controlToken }) };
  await watchOnTerminal({ at, ownsSimulator: true }, invocation, terminal);
};

interface LogOptions {
  /** The log for programs, in place of lines for people. */
  log: JsonLog | undefined;
  /** Tells of control calls too. */
  isVerbose: boolean;
  /** The instant above the first line. */
  since: () => string | undefined;
}

/** Prints one line per request and webhook in the foreground. */
const watcherOf = (
  terminal: Terminal,
  { log, isVerbose, since }: LogOptions,
): Pick<SimulatorOptions, "onActivity" | "onAlarm"> => {
  if (log) return log.watcher({ isVerbose });
  const lineOf = activityLines(terminal.style, { hasControl: isVerbose, since });
  return {
    onAlarm: (message) => terminal.activity(`error  ${message}`),
    ...((isVerbose || (process.stderr.isTTY && !terminal.quiet)) && {
      onActivity: (activity) => {
        const line = lineOf(activity);
        if (line !== undefined) terminal.activity(line);
      },
    }),
  };
};

const openSimulator = async (options: SimulatorOptions, invocation: Invocation) => {
  try {
    return await createSimulator(options);
  } catch (error) {
    throw startFailure(error, invocation);
  }
};

/**
 * Fires every timer that became due while the simulator was stopped; `/_sim/live` answers
 * meanwhile.
 */
const becomeReady = async (sim: LocalSimulator, invocation: Invocation) => {
  try {
    await sim.ready();
  } catch (error) {
    throw startFailure(error, invocation);
  }
};

/** Stops cleanly on SIGINT and SIGTERM; a second signal does not wait. */
const waitForSignal = () =>
  new Promise<void>((stop) => {
    const onSignal = () => {
      process.once("SIGINT", () => process.exit(EXIT.notDone));
      stop();
    };
    process.once("SIGINT", onSignal);
    process.once("SIGTERM", onSignal);
  });

/** The end of leaving the file by which commands find a simulator. */
interface InstanceFileEnd {
  /** Pid of the simulator that they find instead. */
  other?: number | undefined;
  /** Reason why there is no file. */
  unwritten?: string;
}

/** Stops a simulator that has a state directory and cannot write there; memory needs no folder. */
const leaveInstance = async (
  sim: LocalSimulator,
  { storage, instance }: { storage: string | undefined; instance: InstanceFile },
): Promise<InstanceFileEnd> => {
  try {
    return { other: writeInstance(instanceDirectory(storage), instance) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (needsNoFolder(storage, error)) return { unwritten: code ?? message };
    await sim.close();
    throw startFailure(error);
  }
};

const hiddenNotes = ({ url }: InstanceFile, unwritten: string | undefined) =>
  unwritten === undefined
    ? []
    : [
        `commands cannot find this simulator: this folder is not writable (${unwritten}); ` +
          `add --url ${url}`,
      ];

/** The instance file of a simulator, which is written again when its folder or its key is new. */
class LeftInstance {
  private readonly directory: string;
  private readonly terminal: Terminal;
  private instance: InstanceFile | undefined;

  constructor(directory: string, terminal: Terminal) {
    this.directory = directory;
    this.terminal = terminal;
  }

  readonly callbacks = {
    onWebhookKey: (webhookPublicKey: string) => {
      if (this.instance) this.hold({ ...this.instance, webhookPublicKey });
      this.writeAgain();
    },
    onStateMadeAgain: () => this.writeAgain(),
  };

  /** Takes the contents of the file that was written. */
  hold(instance: InstanceFile) {
    this.instance = instance;
  }

  /** The simulator continues, so a file that is not written again fails nothing. */
  private writeAgain() {
    try {
      if (this.instance) writeInstance(this.directory, this.instance);
    } catch (error) {
      const { message } = error as Error;
      this.terminal.activity(`error  instance.json was not written again: ${message}`);
    }
  }
}

const conveniencesOf = ({ options }: Invocation) => {
  const { https, qr, tunnel } = options;
  const wanted = {
    open: false,
    https: https === true,
    qr: qr === true && options.json !== true && options.log !== "json",
    tunnel: tunnel === true,
  };
  return Object.values(wanted).some(Boolean) ? { conveniences: wanted } : {};
};

const whereToListen = (invocation: Invocation): Where => ({
  ...wantedPorts(invocation),
  host: String(invocation.options.host),
  ...conveniencesOf(invocation),
});

/** Refuses extras that cannot be served before anything is opened. */
const requireExtras = ({ conveniences }: Where) => {
  try {
    if (conveniences) listhenFor(conveniences, (extra) => `--${extra}`);
  } catch (error) {
    throw startFailure(error);
  }
};

interface Listening {
  instance: InstanceFile;
  guessable: readonly Guessable[];
}

const takePort = async (sim: LocalSimulator, where: Where): Promise<Listening> => {
  try {
    const { url, guessable } = await sim.listen(where);
    const { apiUrl, controlUrl, controlToken, clientId, clientSecret, webhookPublicKey } = sim;
    const instance = {
      pid: process.pid,
      url,
      apiUrl,
      controlUrl,
      controlToken,
      clientId,
      clientSecret,
      webhookPublicKey,
      version: VERSION,
    };
    return { instance, guessable };
  } catch (error) {
    await sim.close();
    throw await portFailure(error as NodeJS.ErrnoException, where);
  }
};

const readyLine = (sim: LocalSimulator, { pid, url }: InstanceFile) => ({
  event: "ready",
  apiUrl: sim.apiUrl,
  controlUrl: sim.controlUrl,
  port: Number(new URL(url).port),
  pid,
  clientId: sim.clientId,
  clientSecret: sim.clientSecret,
});

const tellOfNeighbour = (pid: number, { url }: InstanceFile, terminal: Terminal) =>
  terminal.note(`commands in this folder find pid ${pid}; add --url ${url} to reach this one`);

const REMEDIES: Readonly<Record<Guessable, string>> = {
  "client secret": "start with --client-secret",
  "webhook key": "run service-sim keys rotate",
  "token issuer's key": "start a new world there with --fresh",
};

/**
 * Notes about repairs at start, for the terminal of a detached start; alarms reach only the log.
 */
const mendedNotes = ({ opened }: LocalSimulator): string[] => {
  const passedOver = reportSkippedFiles(opened.passedOver);
  return passedOver === undefined ? [] : [passedOver];
};

/** Notes that the operator should read after a start. */
const notesOf = ({ opened }: LocalSimulator, guessable: readonly Guessable[]): string[] => {
  const { told, asideIn } = opened;
  const remedies = guessable.map((secret) => REMEDIES[secret]).join(" and ");
  return [
    ...told,
    ...(asideIn === undefined
      ? []
      : [`the earlier state is in ${asideIn}; continue it with start --storage file:${asideIn}`]),
    ...(guessable.length > 0
      ? [
          `warning: the ${guessable.join(" and the ")} are derived from the seed: anyone who reaches ` +
            `this address can guess them; ${remedies}`,
        ]
      : []),
  ];
};
