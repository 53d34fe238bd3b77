import { createHash } from "node:crypto";
import { connect } from "../library/connect.ts";
import type { Simulator } from "../library/simulator.ts";
import { hostTime } from "../machine/host-time.ts";

/** A test that gets a world of its own. */
export interface NamedTest {
  /** Path of its file, relative to the project. */
  file: string;
  /** Its titles, from the outermost group. */
  titles: readonly string[];
  /** 0 at first, then the number of the retry. */
  retry: number;
  /** 0 at first, then the number of the repetition, where a run repeats each test. */
  repeat?: number | undefined;
  /** Name of the project that runs it, of several that have the same files. */
  project?: string | undefined;
}

/** Address and credentials of the simulator that all tests share. */
export interface SharedAddress {
  url: string;
  /** Left out for one that was there before: the environment has them. */
  clientId?: string;
  clientSecret?: string;
  controlToken?: string;
}

const HASH_DIGITS = 12;

/** Separates file and titles: neither has it. */
const BETWEEN = "\0";

/**
 * The name of a test's world. It comes from the test alone, never from its worker, so that workers
 * in any order draw the same ids.
 */
export const worldNameOf = ({
  file,
  titles,
  retry,
  repeat = 0,
  project = "",
}: NamedTest): string => {
  const isOne = repeat === 0 && project === "";
  const which = isOne ? [] : [JSON.stringify([project, repeat])];
  const text = [file.replaceAll("\\", "/"), ...titles, ...which].join(BETWEEN);
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

/** Longest wait of an ended test's world for a next test that takes its place. */
const NEXT_TEST_MS = 20;

/** Worlds of ended tests that are still there. */
let ended: Simulator[] = [];
let removal: Promise<void> = Promise.resolve();
let timer: NodeJS.Timeout | undefined;

const removeEnded = () => {
  if (timer) hostTime.clearTimeout(timer);
  timer = undefined;
  const worlds = ended;
  ended = [];
  const before = removal.catch(() => {});
  removal = Promise.all([before, ...worlds.map((sim) => sim.close())]).then(() => {});
  removal.catch(() => {});
};

const endedIn = ({ apiUrl }: Simulator) => {
  const at = ended.findIndex((sim) => sim.apiUrl === apiUrl);
  return at < 0 ? undefined : ended.splice(at, 1)[0];
};

/**
 * Makes the world of a test, in place of one whose test has ended: one call for both. A world of
 * its name that an earlier run kept is replaced.
 */
export const forkFor = async (shared: Simulator, test: NamedTest): Promise<Simulator> => {
  const name = worldNameOf(test);
  const inPlaceOf = endedIn(shared);
  try {
    return await shared.fork(name, { ...(inPlaceOf && { inPlaceOf }) });
  } catch (error) {
    await inPlaceOf?.close();
    const { code, reason } = error as { code?: string; reason?: string };
    if (code === "WORLD_EXISTS") await shared.removeWorld(name);
    else if (reason !== "WORLDS_FULL" || !inPlaceOf) throw error;
    return shared.fork(name);
  }
};

/**
 * Removes the world of a test that has ended, with the call that makes the next one's. Where no
 * test follows, it is removed by itself; a later test fails with what that met.
 */
export const removeWithNextFork = async (sim: Simulator): Promise<void> => {
  ended.push(sim);
  timer ??= hostTime.setTimeout(removeEnded, NEXT_TEST_MS);
  await removal;
};

/** Resolves once the worlds of all ended tests are removed. */
export const removeAllEnded = (): Promise<void> => {
  removeEnded();
  return removal;
};

/** Tests if worlds of failed tests are to stay, for a look at them. */
export const isKept = (environment: Readonly<Record<string, string | undefined>>): boolean =>
  !["", "0", undefined].includes(environment.SERVICE_SIM_KEEP);

/** The line that tells of a world that stays. */
export const keptLine = ({ world, apiUrl }: Simulator, title: string): string =>
  `service-sim: "${title}" failed; its world is kept: ` +
  `service-sim why <id> --world ${world} --url ${new URL(apiUrl).origin}`;
