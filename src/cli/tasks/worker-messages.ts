import type { Activity, SimulatorOptions } from "../../simulator.ts";
import type { CommandError, Invocation } from "../frame/command.ts";
import type { ReadySimulator } from "./announcement.ts";

/** The start that a worker runs. It comes over its channel: no list of processes shows a password. */
export interface WorkerStart {
  /** Options without callbacks, which no channel carries. */
  options: SimulatorOptions;
  /** The typed options, for the hints of a refusal. */
  invocation: Pick<Invocation, "args" | "options" | "sources">;
  where: { host: string; port: number };
  /** Tells whether a line of activity is printed for each call. */
  tellsActivity: boolean;
}

/** A message to a worker: its start, or to stop after its drain or at once. */
export type ToWorker = { start: WorkerStart } | { stop: "drain" | "now" };

/** The parts of a refusal from which the other process makes it again. */
export type ToldFailure = Pick<CommandError, "code" | "exitCode" | "message" | "next" | "details">;

/** A message of a worker. */
export type FromWorker =
  | { ready: ReadySimulator }
  | { failure: ToldFailure }
  | { activity: Activity }
  | { alarm: string }
  | { webhookKey: string };
