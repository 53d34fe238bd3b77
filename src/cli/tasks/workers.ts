import cluster, { type Worker } from "node:cluster";
import { defined } from "../../contract/core/defined.ts";
import { showDuration } from "../../domain/core/durations.ts";
import { hostTime } from "../../machine/host-time.ts";
import { CommandError, EXIT } from "../frame/command.ts";
import type { ReadySimulator } from "./announcement.ts";
import type { Watcher } from "./start-activity.ts";
import type { FromWorker, ToldFailure, ToWorker, WorkerStart } from "./worker-messages.ts";

/** Pause before a worker that died is started again; it doubles while the next one dies early. */
const PAUSE_MS = { first: 200, last: 5_000 } as const;

/** A worker that has served for so long did not die of its start. */
const STEADY_MS = 10_000;

/** Time that workers have to end beyond their drain, before SIGKILL. */
const END_MS = 10_000;

/** Callbacks for news of the workers. */
export interface WorkerReports extends Watcher {
  onAlarm: (message: string) => void;
  onWebhookKey: (webhookKey: string) => void;
}

/** The place of one worker, which another one takes when it dies. */
interface Place {
  worker?: Worker;
  pauseMs: number;
  /** Pending start of the next one. */
  pause?: NodeJS.Timeout;
}

/** The end of a worker in words. */
const endOf = (code: number | null, signal: string | null, failure?: ToldFailure) => {
  if (signal !== null && signal !== undefined) return `was ended by ${signal}`;
  return `ended with exit code ${code}${failure ? `: ${failure.message}` : ""}`;
};

/** A worker that ended before it was ready. */
class EarlyEnd extends Error {
  override readonly name = "EarlyEnd";
  /** The failure of a start in one process. */
  readonly refusal: CommandError;

  constructor(end: string, refusal: CommandError) {
    super(end);
    this.refusal = refusal;
  }
}

/** The processes of one start, each of which is a whole simulator. */
export class Workers {
  private readonly start: WorkerStart;
  private readonly reports: WorkerReports;
  private readonly places: Place[];
  private isStopping = false;
  private allGone = () => {};

  constructor(count: number, start: WorkerStart, reports: WorkerReports) {
    this.start = start;
    this.reports = reports;
    this.places = Array.from({ length: count }, () => ({ pauseMs: PAUSE_MS.first }));
  }

  /**
   * Starts all of them, the first one alone: it may make the worlds.
   * @returns the first one, once all are ready
   * @throws CommandError of one that could not start; none stays then
   */
  async open(): Promise<ReadySimulator> {
    const [first, ...others] = this.places as [Place, ...Place[]];
    try {
      const ready = await this.fork(first);
      await Promise.all(others.map((place) => this.fork(place)));
      return ready;
    } catch (error) {
      await this.stop(AbortSignal.abort());
      throw error instanceof EarlyEnd ? error.refusal : error;
    }
  }

  /** Stops all of them after their drain, which the signal skips. Those that do not end are killed. */
  async stop(skip: AbortSignal, drainMs = 0): Promise<void> {
    this.isStopping = true;
    for (const { pause } of this.places) hostTime.clearTimeout(pause);
    const gone = new Promise<void>((resolve) => {
      this.allGone = resolve;
    });
    const stopNow = () => this.tellAll({ stop: "now" });
    if (skip.aborted) stopNow();
    else this.tellAll({ stop: "drain" });
    skip.addEventListener("abort", stopNow);
    const kill = hostTime.setTimeout(() => this.kill(), drainMs + END_MS);
    this.noteGone();
    await gone;
    hostTime.clearTimeout(kill);
  }

  /** Ends all of them at once. */
  kill() {
    for (const { worker } of this.places) worker?.process.kill("SIGKILL");
  }

  private tellAll(message: ToWorker) {
    for (const { worker } of this.places) this.tell(worker, message);
  }

  private tell(worker: Worker | undefined, message: ToWorker) {
    // One that has just died is told of by its exit.
    if (worker?.isConnected()) worker.send(message, () => {});
  }

  private noteGone() {
    if (this.isStopping && this.places.every(({ worker }) => !worker)) this.allGone();
  }

  /** Starts a worker at a place. Resolves when it is ready; one that dies later has a successor. */
  private fork(place: Place): Promise<ReadySimulator> {
    const startedMs = hostTime.monotonicMs();
    const worker = cluster.fork();
    place.worker = worker;
    let failure: ToldFailure | undefined;
    return new Promise((resolve, reject) => {
      let isReady = false;
      worker.on("online", () => this.tell(worker, { start: this.start }));
      worker.on("message", (message: FromWorker) => {
        if ("ready" in message) {
          isReady = true;
          resolve(message.ready);
        } else if ("failure" in message) {
          failure = message.failure;
          this.tell(worker, { stop: "now" });
        } else this.report(message);
      });
      const onEnd = (code: number | null, signal: string | null) => {
        if (place.worker !== worker) return;
        delete place.worker;
        const end = `process ${worker.process.pid} ${endOf(code, signal, failure)}`;
        if (isReady) this.replace(place, { end, livedMs: hostTime.monotonicMs() - startedMs });
        else reject(new EarlyEnd(end, refusalOf(failure, end)));
        this.noteGone();
      };
      worker.on("exit", onEnd);
      worker.on("error", () => worker.process.pid === undefined && onEnd(EXIT.couldNotStart, null));
    });
  }

  private report(message: Exclude<FromWorker, { ready: unknown } | { failure: unknown }>) {
    if ("alarm" in message) this.reports.onAlarm(message.alarm);
    else if ("webhookKey" in message) this.reports.onWebhookKey(message.webhookKey);
    else this.reports.onActivity?.(message.activity);
  }

  /** Starts a worker in place of one that died. */
  private replace(place: Place, { end, livedMs }: { end: string; livedMs: number }) {
    if (this.isStopping) return;
    if (livedMs >= STEADY_MS) place.pauseMs = PAUSE_MS.first;
    const { pauseMs } = place;
    place.pauseMs = Math.min(pauseMs * 2, PAUSE_MS.last);
    this.reports.onAlarm(`${end}; another one starts in ${showDuration(pauseMs)}`);
    place.pause = hostTime.setTimeout(() => {
      const startedMs = hostTime.monotonicMs();
      this.fork(place).then(
        ({ instance }) => this.reports.onAlarm(`process ${instance.pid} serves instead`),
        ({ message }: Error) =>
          this.replace(place, { end: message, livedMs: hostTime.monotonicMs() - startedMs }),
      );
    }, pauseMs);
  }
}

/** The refusal of a worker, as a start in one process would print it. */
const refusalOf = (failure: ToldFailure | undefined, end: string) => {
  if (!failure)
    return new CommandError({ code: "DID_NOT_START", exitCode: EXIT.couldNotStart }, end, [
      "service-sim start --help",
    ]);
  const { code, exitCode, details, message, next } = failure;
  return new CommandError({ code, exitCode, ...defined({ details }) }, message, next);
};
