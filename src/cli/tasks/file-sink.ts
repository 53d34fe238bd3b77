import { fileSink as capsuleSink } from "../../capsules/file-sink.ts";
import type { CapsuleSink } from "../../capsules/line-stream.ts";
import { usageError } from "../frame/command.ts";

/**
 * Writes a capsule into a file that a command names.
 * @throws CommandError when the file cannot be made
 */
export const fileSink = (file: string): CapsuleSink => {
  try {
    return capsuleSink(file);
  } catch (error) {
    throw usageError((error as Error).message);
  }
};
