import type { SimulatorOptions } from "../simulator.ts";
import { reportsOfLeft } from "./failure-report.ts";
import { startShared } from "./shared-start.ts";
import {
  connectShared,
  type SharedAddress,
  sharedInThisProcess,
  worldNameOf,
} from "./test-worlds.ts";
import { namedTest, type Task, titleOf } from "./vitest-tasks.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Options of the simulator that all tests share, as far as they are plain values. */
    serviceSim?: SimulatorOptions;
    serviceSimAddress?: SharedAddress;
  }
}

/** A test, a group or a file, as the process of vitest knows of it. */
interface Reported extends Task {
  tasks?: readonly Reported[];
}

/** The part of a vitest project that the setup uses. */
interface Project {
  provide(name: "serviceSimAddress", address: SharedAddress): void;
  getProvidedContext(): { serviceSim?: SimulatorOptions };
  vitest?: { state: { getFiles(): readonly Reported[] } };
}

/** Time moves only when a test moves it, and the same tests get the same ids. */
const DEFAULTS: SimulatorOptions = { seed: "vitest", clock: "manual" };

/** Starts the simulator that all workers share, unless one is there, and stops it when they are done. */
const setup = async (project: Project): Promise<() => Promise<void>> => {
  const ownOptions = project.getProvidedContext().serviceSim;
  const shared = await startShared({ ...DEFAULTS, ...ownOptions });
  const { address } = shared;
  project.provide("serviceSimAddress", address);
  sharedInThisProcess().add(address);
  return async () => {
    await tellLeft(project, address);
    sharedInThisProcess().delete(address);
    await shared.close();
  };
};

/** Tells of tests whose process ended while they ran: nobody else knows of their worlds. */
const tellLeft = async (project: Project, address: SharedAddress) => {
  const running = new Map((project.vitest?.state.getFiles() ?? []).flatMap(worldsRunning));
  if (running.size === 0) return;
  const sim = await connectShared(address).catch(() => undefined);
  if (!sim) return;
  for (const text of await reportsOfLeft(sim, running)) console.error(text);
  await sim.close();
};

/** Worlds of the tests in a file, or a group, that have not ended, each with the test's title. */
const worldsRunning = (task: Reported): [world: string, title: string][] => {
  if (task.tasks) return task.tasks.flatMap(worldsRunning);
  const { state } = task.result ?? {};
  const isRunning = state === undefined || state === "run";
  return isRunning ? [[worldNameOf(namedTest(task)), titleOf(task)]] : [];
};

export default setup;
