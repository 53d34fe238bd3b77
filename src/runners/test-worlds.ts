import { createHash } from "node:crypto";
import { connect } from "../library/connect.ts";
import type { Simulator } from "../library/simulator.ts";

/** A test that gets a world of its own. */
export interface NamedTest {
  /** Path of its file, relative to the project. */
  file: string;
  /** Its titles, from the outermost group. */
  titles: readonly string[];
  /** 0 at first, then the number of the retry. */
  retry: number;
}

/** Address and credentials of the simulator that all tests share. */
export interface SharedAddress {
  url: string;
  clientId: string;
  clientSecret: string;
  controlToken: string;
}

const HASH_DIGITS = 12;

/** Separates file and titles: neither has it. */
const BETWEEN = "\0";

/**
 * The name of a test's world. It comes from the test alone, never from its worker, so that workers
 * in any order draw the same ids.
 */
export const worldNameOf = ({ file, titles, retry }: NamedTest): string => {
  const text = [file.replaceAll("\\", "/"), ...titles].join(BETWEEN);
  const hash = createHash("sha256").update(text).digest("hex").slice(0, HASH_DIGITS);
  return retry === 0 ? `t-${hash}` : `t-${hash}-r${retry}`;
};

const STARTED = Symbol.for("service-sim.shared");

type Starter = { [STARTED]?: Set<SharedAddress> };

/** Simulators that setups of this process have started: reporters are in the same one. */
export const sharedInThisProcess = (): Set<SharedAddress> => {
  const starter = globalThis as Starter;
  starter[STARTED] ??= new Set();
  return starter[STARTED];
};

/** Connects to the simulator that all tests share. */
export const connectShared = ({ url, ...credentials }: SharedAddress): Promise<Simulator> =>
  connect(url, credentials);

/** Makes the world of a test; one that an earlier run kept is replaced. */
export const forkFor = async (shared: Simulator, test: NamedTest): Promise<Simulator> => {
  const name = worldNameOf(test);
  try {
    return await shared.fork(name);
  } catch (error) {
    if ((error as { code?: string }).code !== "WORLD_EXISTS") throw error;
    await shared.removeWorld(name);
    return shared.fork(name);
  }
};

let lastRemoval: Promise<void> = Promise.resolve();

/**
 * Removes the world of a test that has ended, beside the next one: a test waits only for the
 * removal before, and fails with what that met.
 */
export const removeBeside = async (sim: Simulator): Promise<void> => {
  const before = lastRemoval;
  lastRemoval = sim.close();
  lastRemoval.catch(() => {});
  await before;
};

/** Resolves once the world of the last test is removed. */
export const allRemoved = (): Promise<void> => lastRemoval;

/** Tests if worlds of failed tests are to stay, for a look at them. */
export const isKept = (environment: Readonly<Record<string, string | undefined>>): boolean =>
  !["", "0", undefined].includes(environment.SERVICE_SIM_KEEP);

/** The line that tells of a world that stays. */
export const keptLine = ({ world, apiUrl }: Simulator, title: string): string =>
  `service-sim: "${title}" failed; its world stays: ` +
  `service-sim why <id> --world ${world} --url ${new URL(apiUrl).origin}`;
