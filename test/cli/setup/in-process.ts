import { globalAgent } from "node:http";
import { setImmediate as immediate } from "node:timers/promises";
import { runCommandLine } from "../../../src/cli/program.ts";

/** Output of a command line, and the exit code that its process would have. */
export interface Printed {
  code: number;
  stdout: string;
  stderr: string;
}

/** Folder and environment of a process; by default this process's. */
export interface Surroundings {
  folder?: string;
  env?: NodeJS.ProcessEnv;
}

type Write = typeof process.stdout.write;

/** Takes what is written to the streams of this process, until it is told to let go. */
const takeStreams = (onLine: () => void = () => {}) => {
  const parts = { stdout: [] as string[], stderr: [] as string[] };
  const { stdout, stderr } = process;
  const before = { stdout: stdout.write, stderr: stderr.write };
  const taker =
    (to: string[]): Write =>
    (part: string | Uint8Array, ...rest: unknown[]) => {
      to.push(typeof part === "string" ? part : Buffer.from(part).toString());
      const done = rest.at(-1);
      if (typeof done === "function") queueMicrotask(() => done());
      if (to === parts.stdout && to.at(-1)?.includes("\n")) onLine();
      return true;
    };
  stdout.write = taker(parts.stdout);
  stderr.write = taker(parts.stderr);
  return {
    texts: () => ({ stdout: parts.stdout.join(""), stderr: parts.stderr.join("") }),
    letGo: () => {
      stdout.write = before.stdout;
      stderr.write = before.stderr;
    },
  };
};

// As members of process: graceful-fs, which Playwright brings, replaces them and keeps the folder.
const home = process.cwd();
/** Folder of the command that runs on in this process; home when there is none. */
let stay = home;

/** Whether a command runs on here in another folder: a process has one. */
export const staysElsewhere = (folder: string) => stay !== home && stay !== folder;

/** Leaves the folder of commands that ran on here: it may be removed now. */
export const goHome = () => {
  stay = home;
  process.chdir(home);
};

/** Gives this process another folder and environment while something runs. */
const within = async <T>({ folder, env }: Surroundings, run: () => Promise<T>): Promise<T> => {
  const before = process.env;
  if (env) process.env = env;
  if (folder !== undefined) process.chdir(folder);
  try {
    return await run();
  } finally {
    process.env = before;
    process.chdir(stay);
  }
};

let last: Promise<unknown> = Promise.resolve();

/** One after the other: streams, folder and environment are the process's own. */
const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
  const turn = last.then(run);
  last = turn.catch(() => {});
  return turn;
};

/**
 * Runs a command line in this process, after the ones that were asked for before. A command that
 * waits for a later one needs a process.
 */
export const runInProcess = (
  args: readonly string[],
  surroundings: Surroundings = {},
): Promise<Printed> =>
  inTurn(async () => {
    const taken = takeStreams();
    try {
      const code = await within(surroundings, () => runCommandLine(args));
      return { code, ...taken.texts() };
    } finally {
      taken.letGo();
      // A process that ends closes its connections; a kept one may be closed as it is used again.
      globalAgent.destroy();
    }
  });

const STOPS = ["SIGINT", "SIGTERM"] as const;

const stopListeners = () => STOPS.flatMap((signal) => process.rawListeners(signal));

/** The listeners for signals that a run adds; they are taken away with `remove`. */
const addedBy = async (run: () => Promise<void>) => {
  const before = new Set(stopListeners());
  await run();
  const added = STOPS.flatMap((signal) =>
    process
      .rawListeners(signal)
      .filter((one) => !before.has(one))
      .map((listener) => ({ signal, listener: listener as () => void })),
  );
  const remove = () => {
    for (const { signal, listener } of added) process.removeListener(signal, listener);
  };
  return { added, remove };
};

/** A command that runs on in this process. */
export interface RunningHere {
  /** The first line on stdout; undefined when it ended without one. */
  firstLine: string | undefined;
  /** Its output until it ended, or until it waited for a signal. */
  printed: Omit<Printed, "code">;
  /** Gives it the signal to stop; resolves when it has. */
  stop(): Promise<Printed>;
}

/** Starts a command in this process that runs on until a signal. */
export const startInProcess = (
  args: readonly string[],
  surroundings: Surroundings = {},
): Promise<RunningHere> =>
  inTurn(async () => {
    let tellLine = () => {};
    const line = new Promise<void>((resolve) => {
      tellLine = resolve;
    });
    const taken = takeStreams(() => tellLine());
    let ending: Promise<number> = Promise.resolve(-1);
    // It names files from there whenever it writes them.
    stay = surroundings.folder ?? stay;
    const { added, remove } = await addedBy(() =>
      within(surroundings, async () => {
        ending = runCommandLine(args);
        await Promise.race([line, ending]);
        await immediate();
      }),
    ).finally(taken.letGo);
    const printed = taken.texts();
    const hasStarted = printed.stdout.includes("\n");
    if (!hasStarted) goHome();
    const stop = () =>
      inTurn(async () => {
        const rest = takeStreams();
        let code = 0;
        const again = await addedBy(() =>
          within(surroundings, async () => {
            added.find(({ signal }) => signal === "SIGTERM")?.listener();
            code = await ending;
          }),
        ).finally(rest.letGo);
        again.remove();
        remove();
        const { stdout, stderr } = rest.texts();
        return { code, stdout: printed.stdout + stdout, stderr: printed.stderr + stderr };
      });
    let stopped: Promise<Printed> | undefined;
    return {
      firstLine: hasStarted ? printed.stdout.split("\n")[0] : undefined,
      printed,
      stop: () => {
        stopped ??= stop();
        return stopped;
      },
    };
  });
