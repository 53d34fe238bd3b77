import { writeSync } from "node:fs";
import { type ClientOptions, ControlClient } from "../../client/control-client.ts";
import type { Story } from "../../contract/control/why.ts";
import { RESTORE } from "../../text/screen-codes.ts";
import { CommandError, type Invocation } from "../frame/command.ts";
import { plainStyle, type Terminal, wantsAscii, wantsColor } from "../text/terminal.ts";
import { formatWhy } from "../text/why-lines.ts";
import { followActivity } from "./follow.ts";

const CTRL_C = "\u0003";

interface LinesOptions {
  client: ControlClient;
  terminal: Terminal;
  stdin: NodeJS.ReadStream;
  /** Aborted when the process is told to end. */
  ending: AbortSignal;
}

const nextKey = (stdin: NodeJS.ReadStream, ending: AbortSignal) =>
  new Promise<string>((resolve) => {
    // Reads as Ink does: the two reading modes of a stream do not mix.
    stdin.once("readable", () => resolve(String(stdin.read())));
    ending.addEventListener("abort", () => resolve(CTRL_C), { once: true });
    if (ending.aborted) resolve(CTRL_C);
  });

/**
 * Prints activity on the normal screen until a key is pressed. The terminal's own scrolling and
 * selecting work there.
 * @returns whether to go back to the screen; ctrl-c and the end of the process do not
 */
const linesUntilKey = async ({
  client,
  terminal,
  stdin,
  ending,
}: LinesOptions): Promise<boolean> => {
  const leaving = new AbortController();
  terminal.note("printing activity; press any key to go back to the screen");
  stdin.setRawMode(true);
  stdin.ref();
  const followed = followActivity(client, terminal, { isAll: true, signal: leaving.signal }).catch(
    (error) => {
      if (leaving.signal.aborted) return;
      if (!(error instanceof CommandError)) throw error;
      terminal.note(error.message);
    },
  );
  try {
    const key = await Promise.race([
      nextKey(stdin, ending),
      // Keeps going when the simulator stops: the screen tells when it is back.
      followed.then(() => nextKey(stdin, ending)),
    ]);
    return key !== CTRL_C;
  } finally {
    leaving.abort();
    stdin.setRawMode(false);
    stdin.unref();
  }
};

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Restores the screen whenever the process ends in a way that lets it act. */
const restoreNow = () => {
  try {
    writeSync(1, RESTORE);
  } catch {
    // The terminal is gone.
  }
};

/** The simulator to watch, and the way to show it. */
export interface WatchInput {
  at: ClientOptions;
  opens?: string | undefined;
  ownsSimulator?: boolean;
}

/** Shows a simulator on the terminal until the user leaves or a signal comes. */
export const watchOnTerminal = async (
  watched: WatchInput,
  invocation: Invocation,
  terminal: Terminal,
): Promise<void> => {
  const ending = new AbortController();
  const onSignal = () => ending.abort();
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    let { at, opens } = watched;
    const { stdin } = process;
    const { signal } = ending;
    for (;;) {
      const left = await showScreen({ ...watched, at, opens }, invocation, signal);
      if (left.how === "leave") return;
      at = left.at;
      const client = new ControlClient(at);
      if (!(await linesUntilKey({ client, terminal, stdin, ending: signal }))) return;
      opens = undefined;
    }
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
};

/** The way in which the screen was left, and what it showed last. */
interface ScreenEnd {
  how: "leave" | "lines";
  at: ClientOptions;
}

const showScreen = async (
  { at, opens, ownsSimulator = false }: WatchInput,
  { options }: Invocation,
  ending: AbortSignal,
): Promise<ScreenEnd> => {
  const color = typeof options.color === "string" ? options.color : undefined;
  const { stdin, stdout } = process;
  const { watch } = await import("../../tui/watch.tsx");
  if (ending.aborted) return { how: "leave", at };
  const watching = watch({
    at,
    stdin,
    stdout,
    paint: {
      color: wantsColor(stdout, color),
      ascii: options.ascii === true || wantsAscii(true),
    },
    story: (story, width) =>
      formatWhy(story as Story, { ...plainStyle(), screen: { width, isAscii: false } }),
    ownsSimulator,
    opens,
  });
  const onExit = () => {
    watching.abandon();
    restoreNow();
  };
  process.once("exit", onExit);
  const leave = () => watching.leave();
  ending.addEventListener("abort", leave);
  try {
    return { how: await watching.ended, at: watching.at };
  } finally {
    process.off("exit", onExit);
    ending.removeEventListener("abort", leave);
  }
};
