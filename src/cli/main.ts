import { writeSync } from "node:fs";
import { EXIT } from "./frame/command.ts";
import { writeWhollyOrFail } from "./frame/log-file.ts";
import { runCommandLine } from "./program.ts";

const STANDARD_ERROR = 2;

/**
 * A reader may close the pipe early, as in `service-sim openapi | head`. Any other failure to write
 * an answer is an error.
 */
const onStreamError = ({ code, message }: NodeJS.ErrnoException) => {
  if (code === "EPIPE") return;
  try {
    writeSync(STANDARD_ERROR, `error  cannot write the whole answer: ${message}\n`);
  } catch {
    // Nothing can be printed here, so only the exit code reports it.
  }
  process.exit(EXIT.notDone);
};
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", onStreamError);
  writeWhollyOrFail(stream, onStreamError);
}

void runCommandLine(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
  // Exits without waiting for open work, such as a webhook attempt to a receiver that hangs.
  process.stdout.write("", (error) => {
    if (error) onStreamError(error);
    process.exit();
  });
});
