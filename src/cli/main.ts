import { runCommandLine } from "./program.ts";

/** Whoever reads the answer may have read enough: `service-sim openapi | head` is no failure. */
const ignoreClosedPipe = (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
};
process.stdout.on("error", ignoreClosedPipe);
process.stderr.on("error", ignoreClosedPipe);

void runCommandLine(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
  // What is still open, like a webhook attempt at a receiver that hangs, is not waited for.
  process.stdout.write("", () => process.exit());
});
