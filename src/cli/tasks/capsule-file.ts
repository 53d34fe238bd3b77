import { randomBytes } from "node:crypto";
import { type Capsule, readCapsule, UnreadableCapsule } from "../../capsules/capsule-lines.ts";
import { recordableStart } from "../../capsules/recordable-start.ts";
import { Recorder } from "../../capsules/recorder.ts";
import { fixtureOf } from "../../control/seed/fixture-files.ts";
import { readUserText } from "../../runtime/user-text.ts";
import type { LocalSimulator, SimulatorOptions } from "../../simulator.ts";
import { CommandError, EXIT, type Invocation, usageError } from "../frame/command.ts";
import { type CapsuleSink, fileSink } from "./file-sink.ts";

/** A simulator's options that write down its run, and the recorder. */
export interface Recording {
  options: SimulatorOptions;
  recorder: Recorder;
}

/** Bytes of a run that are kept in memory; a longer one asks for a file. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

/** Keeps a run in memory, up to a bound. */
export class KeptCapsule implements CapsuleSink {
  private lines: (string | Uint8Array)[] = [];
  private bytes = 0;

  write(line: string | Uint8Array) {
    this.bytes += line.length;
    if (this.bytes <= MAX_KEPT_BYTES) this.lines.push(line);
  }

  close() {}

  /** Writes what was kept; a run that was too long ends where the bound was met. */
  saveTo(file: string) {
    const sink = fileSink(file);
    this.moveTo(sink);
    sink.close();
  }

  moveTo(sink: CapsuleSink) {
    for (const line of this.lines) sink.write(line);
  }
}

const SEED_BYTES = 4;

/** Has a run written down (spec/capsules.md#recording). A seed is drawn when none is given: the capsule has to name it. */
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
  return { options: recorder.recorded(options), recorder };
};

/** A start that may be written down. */
export interface RecordedStart {
  options: SimulatorOptions;
  /** @throws CommandError when the file cannot be made */
  begin(sim: LocalSimulator): Promise<void>;
}

/** The start of `--capsule <file>`, from the state that it finds; without that option nothing is written. */
export const recordedStart = (
  { options: asked }: Invocation,
  given: SimulatorOptions,
): RecordedStart => {
  const { capsule: file, withSecrets } = asked;
  if (typeof file !== "string") return { options: given, begin: async () => {} };
  const { options, recordTo } = recordableStart(given);
  return {
    options,
    begin: async (sim) => {
      // What fell due meanwhile has happened: it belongs to the state.
      await sim.ready();
      await recordTo(fileSink(file), sim, { name: file, withSecrets: withSecrets === true });
    },
  };
};

/** @throws CommandError when the file is no capsule that this program can repeat */
export const openCapsule = (file: string): Capsule => {
  try {
    return readCapsule(readUserText(file), file);
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
