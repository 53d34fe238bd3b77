import cluster from "node:cluster";
import { hostTime } from "../../machine/host-time.ts";
import { MAX_PROCESSES } from "../../options/start-options.ts";
import { drainMsOf, SHARED_ONLY, worldOptionsOf } from "../../options/world-options.ts";
import type { SimulatorOptions } from "../../simulator.ts";
import { parseStorageUrl } from "../../storage/world/storage-url.ts";
import { type Command, EXIT, type Invocation, usageError } from "../frame/command.ts";
import { removeInstance } from "../frame/instance-file.ts";
import { whereToListen } from "../frame/place-to-listen.ts";
import { withoutSecrets } from "../frame/process-title.ts";
import { simulatorOptions, startFailure, wholeNumber } from "../frame/simulator-options.ts";
import { StopSignals } from "../frame/stop-signals.ts";
import { requirePort, type Where } from "../frame/wanted-port.ts";
import { announce, tellDrain, tellStopped } from "./announcement.ts";
import { JsonLog } from "./json-log.ts";
import { LeftInstance } from "./left-instance.ts";
import { watcherOf } from "./start-activity.ts";
import { Workers } from "./workers.ts";

/** A worker that reaches the others on this machine, at a port that the system chooses. */
const LOOPBACK_PEER = "127.0.0.1:0";

/** Options that one process alone can serve, and why. */
const OF_ONE_PROCESS: Readonly<Record<string, string>> = {
  tui: "a screen shows one process: start --detach --processes, then service-sim tui",
  capsule: "a capsule has the calls of one process",
  https: "several processes share a port only for plain http: put a proxy in front of them",
  qr: "only one process can print it",
  tunnel: "only one process can open it: run a tunnel to the port of --processes",
};

/** The number of processes that a start asks for. */
export const processesOf = ({ options }: Invocation): number =>
  wholeNumber("--processes", String(options.processes), { min: 1, max: MAX_PROCESSES });

/** Refuses several processes with what only one can do, before anything is made. */
export const requireSeveral = (count: number, { options }: Invocation): void => {
  const help = "service-sim start --help";
  if (parseStorageUrl(String(options.storage))?.kind !== "postgres")
    throw usageError(`--processes: ${SHARED_ONLY}`, help);
  for (const [option, why] of Object.entries(OF_ONE_PROCESS))
    if (options[option] !== undefined && options[option] !== false)
      throw usageError(`--${option} cannot be used with --processes: ${why}`, help);
  const { peer = LOOPBACK_PEER } = options;
  if (count > 1 && !String(peer).endsWith(":0"))
    throw usageError(
      `--peer: ${count} processes cannot share the port of ${peer}: give port 0, and each takes a free one`,
      help,
    );
};

/** The options of each worker, checked. */
const workerOptions = (invocation: Invocation): SimulatorOptions => {
  const options: SimulatorOptions = {
    peer: LOOPBACK_PEER,
    ...simulatorOptions(invocation, {
      storage: String(invocation.options.storage),
      worlds: "fixed",
    }),
  };
  try {
    worldOptionsOf(options);
  } catch (error) {
    throw startFailure(error, invocation);
  }
  return options;
};

/** Lets workers start as this process was started, but for secrets: the lists of processes show it. */
const setUpWorkers = () => {
  // A connection that this process would hand to a worker that dies is answered by nobody.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({
    args: withoutSecrets(process.argv.slice(2)),
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
};

/** Serves the worlds of a database from several processes until it is told to stop. */
export const startProcesses = async (
  count: number,
  invocation: Invocation,
  terminal: Parameters<Command["run"]>[1],
): Promise<number> => {
  const startedMs = hostTime.monotonicMs();
  const log = invocation.options.log === "json" ? new JsonLog() : undefined;
  const wanted = whereToListen(invocation);
  const options = workerOptions(invocation);
  let openedAt: string | undefined;
  const isVerbose = invocation.options.verbose === true;
  const watcher = watcherOf(terminal, { log, isVerbose, since: () => openedAt });
  const port = await requirePort(wanted);
  const where: Where = { host: wanted.host, port, ports: [port] };
  setUpWorkers();
  const left = new LeftInstance(options.storage, terminal);
  const { onAlarm = () => {} } = watcher;
  const { args, options: typed, sources = {} } = invocation;
  const workers = new Workers(
    count,
    {
      options,
      invocation: { args, options: typed, sources },
      where: { host: where.host, port },
      tellsActivity: watcher.onActivity !== undefined,
    },
    { ...watcher, onAlarm, onWebhookKey: left.callbacks.onWebhookKey },
  );
  const first = await workers.open();
  openedAt = first.now;
  const ready = { ...first, instance: { ...first.instance, pid: process.pid } };
  const end = await left.leave(ready.instance).catch(async (error) => {
    await workers.stop(AbortSignal.abort());
    throw error;
  });
  const signals = new StopSignals(() => {
    workers.kill();
    process.exit(EXIT.notDone);
  });
  const run = { invocation, terminal, where, options, log, startedMs };
  announce(ready, end, run);
  await signals.first;
  tellDrain(ready.status.drainMs, terminal);
  await signals.during((skip) => workers.stop(skip, drainMsOf(options)));
  removeInstance(left.directory, ready.instance);
  tellStopped(run);
  return EXIT.done;
};
