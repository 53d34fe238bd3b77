import { writeSync } from "node:fs";
import { failAnswer } from "./frame/answer-failure.ts";
import { quickAnswer } from "./frame/quick-answer.ts";

const STANDARD_OUTPUT = 1;

/** Writes without a stream, which takes longer to make than the rest of a quick answer. */
const write = (text: string) => {
  const bytes = Buffer.from(text);
  let from = 0;
  try {
    while (from < bytes.length) from += writeSync(STANDARD_OUTPUT, bytes, from);
  } catch (error) {
    // A full pipe that another program made non-blocking: a stream waits for room.
    if ((error as NodeJS.ErrnoException).code === "EAGAIN")
      process.stdout.on("error", failAnswer).write(bytes.subarray(from));
    else failAnswer(error as NodeJS.ErrnoException);
  }
};

/**
 * Prints what a command line asks for when no command has to be loaded for it.
 * @param folder of the built program
 * @returns whether that was all
 */
export const answerQuickly = (args: readonly string[], folder: string): boolean => {
  const answer = quickAnswer(args, folder);
  if (answer !== undefined) write(answer);
  return answer !== undefined;
};
