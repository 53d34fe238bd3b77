import { writeSync } from "node:fs";
import type { ClientOptions } from "../control/client.ts";
import type { Story } from "../control/why.ts";
import { RESTORE } from "../tui/frame-writer.ts";
import type { Invocation } from "./command.ts";
import { formatWhy } from "./commands/why.ts";
import { plainStyle, wantsAscii, wantsColor } from "./terminal.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Puts the screen back when the process ends in any way that lets it act. */
const restoreNow = () => {
  try {
    writeSync(1, RESTORE);
  } catch {
    // The terminal is gone.
  }
};

/** What is watched, and how. */
export interface Watched {
  at: ClientOptions;
  opens?: string | undefined;
  ownsSimulator?: boolean;
}

/** Shows a simulator on the terminal until it is left, or a signal comes. */
export const watchOnTerminal = async (
  { at, opens, ownsSimulator = false }: Watched,
  { options }: Invocation,
): Promise<void> => {
  const color = typeof options.color === "string" ? options.color : undefined;
  const { stdin, stdout } = process;
  const { watch } = await import("../tui/watch.tsx");
  const watching = watch({
    at,
    stdin,
    stdout,
    paint: {
      color: wantsColor(stdout, color),
      ascii: options.ascii === true || wantsAscii(true),
    },
    story: (story) => formatWhy(story as Story, plainStyle()),
    ownsSimulator,
    opens,
  });
  const onExit = () => {
    watching.abandon();
    restoreNow();
  };
  process.once("exit", onExit);
  const onSignal = () => watching.leave();
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    await watching.ended;
  } finally {
    process.off("exit", onExit);
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
};
