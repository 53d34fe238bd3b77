import type { SimulatorStatus } from "../../contract/control/status.ts";
import type { Guessable } from "../../crypto/seeded-credentials.ts";
import { showDuration } from "../../domain/core/durations.ts";
import { hostTime } from "../../machine/host-time.ts";
import type { LocalSimulator, SimulatorOptions } from "../../simulator.ts";
import { isStateDirectory } from "../../storage/file/state/state-folder.ts";
import { reportSkippedFiles } from "../../storage/world/recovery-report.ts";
import { parseStorageUrl } from "../../storage/world/storage-url.ts";
import type { Invocation } from "../frame/command.ts";
import { tellStarter } from "../frame/detach.ts";
import { type InstanceFile, instanceDirectory, instancePath } from "../frame/instance-file.ts";
import { reachableBy } from "../frame/reachable-by.ts";
import type { Where } from "../frame/wanted-port.ts";
import type { Terminal } from "../text/terminal.ts";
import { showConsole } from "./browser.ts";
import type { JsonLog } from "./json-log.ts";
import { hiddenNotes, type InstanceFileEnd } from "./left-instance.ts";
import { bannerLines } from "./start-banner.ts";

/** A simulator that is ready, as its start tells of it. */
export interface ReadySimulator {
  instance: InstanceFile;
  /** Credentials that anyone who knows the seed can derive. */
  guessable: readonly Guessable[];
  opened: LocalSimulator["opened"];
  status: SimulatorStatus;
  /** The simulated instant. */
  now: string;
}

/** A start that tells of its simulator. */
export interface StartRun {
  invocation: Invocation;
  terminal: Terminal;
  where: Where;
  options: SimulatorOptions;
  /** The log for programs, in place of lines for people. */
  log: JsonLog | undefined;
  /** Monotonic instant at which it began. */
  startedMs: number;
}

const readyLine = ({ apiUrl, controlUrl, url, pid, clientId, clientSecret }: InstanceFile) => ({
  event: "ready",
  apiUrl,
  controlUrl,
  port: Number(new URL(url).port),
  pid,
  clientId,
  clientSecret,
});

/** Tells the terminal, the log and the process that waits that a simulator is ready. */
export const announce = (
  ready: ReadySimulator,
  { other, unwritten }: InstanceFileEnd,
  { invocation, terminal, where, options, log, startedMs }: StartRun,
) => {
  const { instance, now, status, opened } = ready;
  terminal.document(readyLine(instance));
  const notes = [...notesOf(ready), ...hiddenNotes(instance, unwritten)];
  tellStarter({ instance, notes: [...notes, ...mendedNotes(ready)] });
  const readyMs = hostTime.monotonicMs() - startedMs;
  if (log) log.ready(instance, { now, isTold: terminal.json });
  else if (!terminal.json) {
    const reach = reachableBy(
      where.host,
      other === undefined && unwritten === undefined
        ? { file: instancePath(instanceDirectory(options.storage)) }
        : { text: `the control token ${instance.controlToken}` },
    );
    const { allowWebhookTargets: allowedTargets = [] } = options;
    const started = { status, opened, instance, reach, allowedTargets, readyMs };
    terminal.print(...bannerLines(started, terminal.style));
  }
  for (const note of notes) terminal.note(note);
  if (other !== undefined) tellOfNeighbour(other, instance, terminal);
  // The process that started a detached one opens the page itself: its terminal is still there.
  if (invocation.options.open === true && !process.send) void showConsole(instance, terminal);
};

/** Tells that a simulator still serves calls for a while. */
export const tellDrain = (drainMs: number | undefined, terminal: Terminal) => {
  if (drainMs !== undefined)
    terminal.note(`it stops in ${showDuration(drainMs)}; the next signal stops it at once`);
};

/** Prints the last line of a start. */
export const tellStopped = ({ terminal, options, log }: StartRun) => {
  terminal.document({ event: "stopped" });
  log?.stopped({ isTold: terminal.json });
  const { storage } = options;
  const rest = restOf(storage, instanceDirectory(storage));
  if (!log) terminal.print(`${terminal.style.mark("done")} stopped${rest}`);
};

/** The end of the last line, which tells of the state. */
const restOf = (storage = "memory:", directory: string) => {
  const kind = parseStorageUrl(storage)?.kind;
  if (kind === "memory") return "; its state was in memory and is lost";
  if (kind === "postgres") return "; the state is kept";
  return isStateDirectory(directory)
    ? "; the state is kept"
    : `; ${directory} and its state were removed`;
};

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
const mendedNotes = ({ opened }: ReadySimulator): string[] => {
  const passedOver = reportSkippedFiles(opened.passedOver);
  return passedOver === undefined ? [] : [passedOver];
};

/** Notes that the operator should read after a start. */
const notesOf = ({ opened, guessable }: ReadySimulator): string[] => {
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
