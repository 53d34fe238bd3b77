import { randomBytes } from "node:crypto";
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { type Capsule, readCapsule, UnreadableCapsule } from "../../capsules/capsule-lines.ts";
import { Recorder } from "../../capsules/recorder.ts";
import { fixtureOf } from "../../control/seed/fixture-files.ts";
import type { SimulatorOptions } from "../../simulator.ts";
import { withEdges } from "../../worlds/edges.ts";
import { CommandError, EXIT, usageError } from "../frame/command.ts";

/** A simulator's options that write down its run, and the recorder. */
export interface Recording {
  options: SimulatorOptions;
  recorder: Recorder;
}

/** The place of a recording: a file from the start, or memory until a file is wanted. */
export interface CapsuleSink {
  write(line: string): void;
  close(): void;
}

/** @throws CommandError when the file cannot be made */
export const fileSink = (file: string): CapsuleSink => {
  try {
    const descriptor = openSync(file, "w", 0o600);
    return {
      write: (line) => void writeSync(descriptor, line),
      close: () => closeSync(descriptor),
    };
  } catch (error) {
    throw usageError(`cannot write the capsule ${file}: ${(error as NodeJS.ErrnoException).code}`);
  }
};

/** Bytes of a run that are kept in memory; a longer one asks for a file. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

/** Keeps a run in memory, up to a bound. */
export class KeptCapsule implements CapsuleSink {
  private lines: string[] = [];
  private bytes = 0;

  write(line: string) {
    this.bytes += line.length;
    if (this.bytes <= MAX_KEPT_BYTES) this.lines.push(line);
  }

  close() {}

  /** Writes what was kept; a run that was too long ends where the bound was met. */
  saveTo(file: string) {
    const sink = fileSink(file);
    for (const line of this.lines) sink.write(line);
    sink.close();
  }
}

const SEED_BYTES = 4;

/** Has a run written down. A seed is drawn when none is given: the capsule has to name it. */
export const recording = async (
  given: SimulatorOptions,
  { sink, withSecrets }: { sink: CapsuleSink; withSecrets: boolean },
): Promise<Recording> => {
  const options = { ...given, seed: given.seed ?? randomBytes(SEED_BYTES).toString("hex") };
  const { fixture } = options;
  const named = fixture === undefined ? undefined : (await fixtureOf(fixture)).fixture;
  const recorder = new Recorder({
    options,
    ...(named !== undefined && { fixture: named }),
    withSecrets,
    write: (line) => sink.write(line),
  });
  return { options: withEdges(options, recorder), recorder };
};

/** @throws CommandError when the file is no capsule that this program can repeat */
export const openCapsule = (file: string): Capsule => {
  try {
    return readCapsule(readFileSync(file, "utf8"), file);
  } catch (error) {
    if (error instanceof UnreadableCapsule)
      throw new CommandError({ code: "CAPSULE_UNREADABLE", exitCode: EXIT.usage }, error.message, [
        "service-sim exec --capsule run.capsule -- npm test    writes one",
      ]);
    throw usageError(
      `cannot read the capsule ${file}: ${(error as NodeJS.ErrnoException).code}`,
      "service-sim exec --capsule run.capsule -- npm test    writes one",
    );
  }
};
