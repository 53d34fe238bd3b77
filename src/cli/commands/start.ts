import { join } from "node:path";
import { defined } from "../../contract/core/defined.ts";
import { hostTime } from "../../machine/host-time.ts";
import { START_FLAGS } from "../../options/start-options.ts";
import type { SimulatorOptions } from "../../simulator.ts";
import { type Command, EXIT, type Invocation, usageError } from "../frame/command.ts";
import { LOG_FILE, startDetached } from "../frame/detach.ts";
import { type InstanceFile, instanceDirectory, removeInstance } from "../frame/instance-file.ts";
import { loseLinesOnFullDisk } from "../frame/log-file.ts";
import { requireExtras, whereToListen } from "../frame/place-to-listen.ts";
import { simulatorOptions, startFailure } from "../frame/simulator-options.ts";
import { StopSignals } from "../frame/stop-signals.ts";
import { requirePort } from "../frame/wanted-port.ts";
import { announce, tellDrain, tellStopped } from "../tasks/announcement.ts";
import { showConsole } from "../tasks/browser.ts";
import type { RecordedStart } from "../tasks/capsule-file.ts";
import { JsonLog } from "../tasks/json-log.ts";
import { LeftInstance } from "../tasks/left-instance.ts";
import { becomeReady, openSimulator, takePort } from "../tasks/opened-simulator.ts";
import { watcherOf } from "../tasks/start-activity.ts";
import { requireTerminal } from "../tasks/watch-terminal.ts";
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
    const processes = await severalOf(invocation);
    if (invocation.options.tui === true) requireScreen(invocation);
    if (invocation.options.detach !== true) {
      keepRunningOnFullDisk(invocation);
      return processes ? processes.start(terminal) : startHere(invocation, terminal);
    }
    const instance = await startDetached(invocation, terminal);
    if (invocation.options.open === true) await showConsole(instance, terminal);
    return EXIT.done;
  },
};

/** A start in several processes, if it was asked for: few do, and what it loads would slow all. */
const severalOf = async (invocation: Invocation) => {
  if (invocation.options.processes === undefined) return undefined;
  const { processesOf, requireSeveral, startProcesses } = await import(
    "../tasks/start-processes.ts"
  );
  const count = processesOf(invocation);
  requireSeveral(count, invocation);
  return { start: (terminal: Terminal) => startProcesses(count, invocation, terminal) };
};

/** Runs the server in this process until it is told to stop. */
const startHere: Command["run"] = async (invocation, terminal) => {
  const startedMs = hostTime.monotonicMs();
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
  const left = new LeftInstance(options.storage, terminal);
  const opening = { ...options, ...left.callbacks, answersBeforeReady: true };
  const recorded = await recordedStart(invocation, opening);
  const sim = await openSimulator(recorded.options, invocation);
  const closed = async (error: unknown) => {
    await sim.close();
    throw startFailure(error, invocation);
  };
  await recorded.begin(sim).catch(closed);
  openedAt = sim.now;
  const { instance, guessable } = await takePort(sim, where);
  await becomeReady(sim, invocation);
  const end = await left.leave(instance).catch(closed);
  const signals = isWatched ? undefined : new StopSignals();
  const ready = { instance, guessable, opened: sim.opened, status: sim.status(), now: sim.now };
  const run = { invocation, terminal, where, options, log, startedMs };
  announce(ready, end, run);
  await (signals?.first ?? watchHere(instance, invocation, terminal));
  tellDrain(ready.status.drainMs, terminal);
  await signals?.during((skip) => sim.drain(skip));
  removeInstance(left.directory, instance);
  await sim.close();
  tellStopped(run);
  return EXIT.done;
};

/**
 * The log that `--detach` has opened for this process has a bound; a shell's file is its user's.
 */
const keepRunningOnFullDisk = ({ options }: Invocation) => {
  const own = process.send ? join(instanceDirectory(String(options.storage)), LOG_FILE) : undefined;
  for (const stream of [process.stdout, process.stderr]) loseLinesOnFullDisk(stream, own);
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
