import type { ControlClient } from "../../client/control-client.ts";
import { CommandError } from "../frame/command.ts";
import type { Terminal } from "../text/terminal.ts";
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
export const linesUntilKey = async ({
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
