import { writeSync } from "node:fs";
import { EXIT } from "./command.ts";

const STANDARD_ERROR = 2;

/**
 * Ends the process when an answer cannot be written. A reader may close the pipe early, as in
 * `service-sim openapi | head`; any other failure is an error.
 */
export const failAnswer = ({ code, message }: NodeJS.ErrnoException) => {
  if (code === "EPIPE") return;
  try {
    writeSync(STANDARD_ERROR, `error  cannot write the whole answer: ${message}\n`);
  } catch {
    // Nothing can be printed here, so only the exit code reports it.
  }
  process.exit(EXIT.notDone);
};
