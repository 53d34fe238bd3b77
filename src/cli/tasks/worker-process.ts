import cluster from "node:cluster";
import { workFor } from "../../machine/stopping-pid.ts";
import type { SimulatorOptions } from "../../simulator.ts";
import { EXIT, type Invocation } from "../frame/command.ts";
import { toldFailure } from "../frame/failure-message.ts";
import { becomeReady, openSimulator, takePort } from "./opened-simulator.ts";
import type { FromWorker, ToWorker, WorkerStart } from "./worker-messages.ts";

/** Tells the process that started this one; nothing once that one has gone. */
const tell = (message: FromWorker) => {
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
};

/**
 * Messages of the process that started this one, and signals. The signal of a terminal goes to both.
 */
class Orders {
  /** Nothing when it has gone before. */
  readonly start: Promise<WorkerStart | undefined>;
  readonly stop: Promise<void>;
  private readonly skipping = new AbortController();

  constructor() {
    let begin: (start?: WorkerStart) => void = () => {};
    let end = () => {};
    this.start = new Promise((resolve) => {
      begin = resolve;
    });
    this.stop = new Promise((resolve) => {
      end = resolve;
    });
    const endNow = () => {
      this.skipping.abort();
      begin();
      end();
    };
    process.on("message", (message: ToWorker) => {
      if ("start" in message) begin(message.start);
      else if (message.stop === "now") endNow();
      else end();
    });
    process.once("disconnect", endNow);
    process.on("SIGINT", () => {});
    process.once("SIGTERM", () => {
      process.on("SIGTERM", endNow);
      end();
    });
  }

  /** Aborts when nothing is to be waited for. */
  get skip(): AbortSignal {
    return this.skipping.signal;
  }
}

const callbacksOf = ({ tellsActivity }: WorkerStart): SimulatorOptions => ({
  onAlarm: (alarm) => tell({ alarm }),
  onWebhookKey: (webhookKey) => tell({ webhookKey }),
  ...(tellsActivity && { onActivity: (activity) => tell({ activity }) }),
});

const serve = async (start: WorkerStart, orders: Orders) => {
  const invocation: Invocation = {
    ...start.invocation,
    everyCommand: () => Promise.resolve({ groups: [], commands: [] }),
  };
  const options = { ...start.options, ...callbacksOf(start), answersBeforeReady: true };
  const sim = await openSimulator(options, invocation);
  const { host, port } = start.where;
  const { instance, guessable } = await takePort(sim, {
    host,
    port,
    ports: [port],
    isShared: true,
  });
  await becomeReady(sim, invocation);
  const { opened, now } = sim;
  tell({ ready: { instance, guessable, opened, status: sim.status(), now } });
  await orders.stop;
  await sim.drain(orders.skip);
  await sim.close();
};

/**
 * Runs one of several processes of a start: on the port of the process that started it, which
 * prints for all of them. It stops when that one has gone.
 * @returns the exit code
 */
export const runWorker = async (): Promise<number> => {
  // Otherwise Node.js ends it at once, and the store keeps its worlds until its lease has ended.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
  const orders = new Orders();
  workFor(process.ppid);
  const start = await orders.start;
  if (!start) return EXIT.notDone;
  try {
    await serve(start, orders);
    return EXIT.done;
  } catch (error) {
    const { code, exitCode, message, next, details } = toldFailure(error);
    tell({ failure: { code, exitCode, message, next, details } });
    // A process that has ended may not be heard any more.
    await orders.stop;
    return exitCode;
  }
};
