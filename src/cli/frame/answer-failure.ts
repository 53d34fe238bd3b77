import { writeSync } from "node:fs";
import { safeText } from "../../text/safe-text.ts";
import { type CommandError, EXIT } from "./command.ts";

const STANDARD_ERROR = 2;

/**
 * Ends the process when an answer cannot be written. A reader may close the pipe early, as in
 * `service-sim openapi | head`; any other failure is an error.
 */
export const failAnswer = ({ code, message }: NodeJS.ErrnoException) => {
  if (code === "EPIPE") return;
  tell(`error  cannot write the whole answer: ${message}\n`);
  process.exit(EXIT.notDone);
};

/**
 * Prints a failure without waiting, for a process that ends now.
 * @returns its exit code
 */
export const failAtOnce = ({ message, next, exitCode }: CommandError): number => {
  const steps = next.map((step, at) => `${at === 0 ? "next  " : "      "} ${step}\n`);
  tell(`error  ${safeText(message)}\n${steps.join("")}`);
  return exitCode;
};

const tell = (text: string) => {
  try {
    writeSync(STANDARD_ERROR, text);
  } catch {
    // Nothing can be printed here, so only the exit code reports it.
  }
};
