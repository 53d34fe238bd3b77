import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import type { CapsuleSink } from "../../capsules/line-stream.ts";
import {
  type Capsule,
  DamagedCapsule,
  EmptyCut,
  readCapsule,
  UnreadableCapsule,
} from "../../capsules/read-capsule.ts";
import { Recorder } from "../../capsules/recorder.ts";
import { fileFault } from "../../machine/file-fault.ts";
import { recordableStart } from "../../replay/recordable-start.ts";
import { fixtureOf } from "../../scripts/script-files.ts";
import type { LocalSimulator, SimulatorOptions } from "../../simulator.ts";
import { CommandError, EXIT, usageError } from "../frame/command.ts";
import { fileSink } from "./file-sink.ts";

/** A simulator's options that write down its run, and the recorder. */
export interface Recording {
  options: SimulatorOptions;
  recorder: Recorder;
}

/** Bytes of a run that are kept in memory; a longer one asks for a file. */
export const MAX_KEPT_BYTES = 64 * 1024 * 1024;

/** Keeps a run in memory, up to a bound. */
export class KeptCapsule implements CapsuleSink {
  private lines: (string | Uint8Array)[] = [];
  private bytes = 0;

  write(line: string | Uint8Array) {
    this.bytes += line.length;
    if (this.isWhole) this.lines.push(line);
  }

  close() {}

  /** Whether nothing was left out. */
  get isWhole() {
    return this.bytes <= MAX_KEPT_BYTES;
  }

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
  startOptions: SimulatorOptions,
  { sink, withSecrets }: { sink: CapsuleSink; withSecrets: boolean },
): Promise<Recording> => {
  const options = {
    ...startOptions,
    seed: startOptions.seed ?? randomBytes(SEED_BYTES).toString("hex"),
  };
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

/** The start of `--capsule <file>`, from the state that it finds. */
export const recordedInto = (
  file: string,
  startOptions: SimulatorOptions,
  withSecrets: boolean,
): RecordedStart => {
  const { options, recordTo } = recordableStart(startOptions);
  return {
    options,
    begin: async (sim) => {
      // What fell due meanwhile has happened: it belongs to the state.
      await sim.ready();
      await recordTo(fileSink(file), sim, { name: file, withSecrets });
    },
  };
};

const WRITES_ONE = "service-sim exec --capsule run.capsule -- npm test    writes one";

/** The failure of a command that cannot repeat a capsule. */
export const unreadable = (error: UnreadableCapsule) => {
  if (error instanceof DamagedCapsule)
    return new CommandError(
      {
        code: "CAPSULE_DAMAGED",
        exitCode: EXIT.couldNotStart,
        details: { line: error.line },
      },
      error.message,
      ["copy the file again from its source, or record the run again", WRITES_ONE],
    );
  const exitCode = error instanceof EmptyCut ? EXIT.notDone : EXIT.usage;
  return new CommandError({ code: "CAPSULE_UNREADABLE", exitCode }, error.message, [WRITES_ONE]);
};

/**
 * Reads the capsule in a file.
 * @throws CommandError when it is none that this program can repeat, or is damaged
 */
export const openCapsule = (file: string): Capsule => {
  try {
    return readCapsule(readFileSync(file), file);
  } catch (error) {
    if (error instanceof UnreadableCapsule) throw unreadable(error);
    throw usageError(`cannot read the capsule ${file}: ${fileFault(error)}`, WRITES_ONE);
  }
};
