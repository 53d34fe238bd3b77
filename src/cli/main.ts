import { writeSync } from "node:fs";
import { EXIT } from "./frame/command.ts";
import { writeWhollyOrFail } from "./frame/log-file.ts";
import { runCommandLine } from "./program.ts";

const STANDARD_ERROR = 2;

/**
 * Whoever reads the answer may have read enough: `service-sim openapi | head` is no failure. An
 * answer that cannot be written for another reason is one.
 */
const onStreamError = ({ code, message }: NodeJS.ErrnoException) => {
  if (code === "EPIPE") return;
  try {
    writeSync(STANDARD_ERROR, `error  Expected to write the whole answer but found ${message}\n`);
  } catch {
    // There is nowhere left to say it; the exit code does.
  }
  process.exit(EXIT.notDone);
};
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", onStreamError);
  writeWhollyOrFail(stream, onStreamError);
}

void runCommandLine(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
  // What is still open, like a webhook attempt at a receiver that hangs, is not waited for.
  process.stdout.write("", (error) => {
    if (error) onStreamError(error);
    process.exit();
  });
});
