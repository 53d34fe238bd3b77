import { closeSync, openSync, writeSync } from "node:fs";
import { OptionError } from "../options/simulator-options.ts";
import type { CapsuleSink } from "./line-stream.ts";

/** A single write may take less than all of it. */
const writeAll = (descriptor: number, part: string | Uint8Array) => {
  let rest: Uint8Array = typeof part === "string" ? Buffer.from(part) : part;
  while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
};

/**
 * Writes a capsule into a file, which only its owner can read.
 * @throws OptionError when the file cannot be made
 */
export const fileSink = (file: string): CapsuleSink => {
  try {
    const descriptor = openSync(file, "w", 0o600);
    return {
      write: (part) => void writeAll(descriptor, part),
      close: () => closeSync(descriptor),
    };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new OptionError(`cannot write the capsule ${file}: ${code}`, "capsule");
  }
};
