import { failAnswer } from "./frame/answer-failure.ts";
import { writeWhollyOrFail } from "./frame/log-file.ts";
import { hideSecretsOfTitle } from "./frame/process-title.ts";
import { runCommandLine } from "./program.ts";

hideSecretsOfTitle();

for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", failAnswer);
  writeWhollyOrFail(stream, failAnswer);
}

void runCommandLine(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
  // Exits without waiting for open work, such as a webhook attempt to a receiver that hangs.
  process.stdout.write("", (error) => {
    if (error) failAnswer(error);
    process.exit();
  });
});
