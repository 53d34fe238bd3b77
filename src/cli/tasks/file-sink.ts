import { closeSync, openSync, writeSync } from "node:fs";
import { usageError } from "../frame/command.ts";

/** The place of a recording: a file from the start, or memory until a file is wanted. */
export interface CapsuleSink {
  write(part: string | Uint8Array): void;
  close(): void;
}

/** A single write may take less than all of it. */
const writeAll = (descriptor: number, part: string | Uint8Array) => {
  let rest: Uint8Array = typeof part === "string" ? Buffer.from(part) : part;
  while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
};

/** @throws CommandError when the file cannot be made */
export const fileSink = (file: string): CapsuleSink => {
  try {
    const descriptor = openSync(file, "w", 0o600);
    return {
      write: (part) => void writeAll(descriptor, part),
      close: () => closeSync(descriptor),
    };
  } catch (error) {
    throw usageError(`cannot write the capsule ${file}: ${(error as NodeJS.ErrnoException).code}`);
  }
};
