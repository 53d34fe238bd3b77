import type { Recordings, RecordingWish } from "../control/core/world.ts";
import { refuse } from "../domain/core/refusal.ts";
import type { SimulatorOptions } from "../options/simulator-options.ts";
import { CallsUnderWay, type SwitchedBoundary } from "../worlds/switched-boundary.ts";
import { allEarlier } from "../worlds/world-image.ts";
import { type CapsuleSink, LineStream } from "./line-stream.ts";
import { Recorder } from "./recorder.ts";
import type { Credentials } from "./secrets.ts";

/** A simulator that runs, as its recorder needs it. */
export interface RecordedProcess {
  boundary: SwitchedBoundary;
  options: SimulatorOptions;
  own(): Credentials;
  origin(): string;
}

/** A recording that continues. */
interface Open {
  recorder: Recorder;
  end(): Promise<void>;
}

const DEFAULT_NAME = "a capsule";

/** Writes down what a simulator does while it runs (spec/capsules.md#recording). */
export class LiveRecordings implements Omit<Recordings, "ofWorld"> {
  private readonly process: RecordedProcess;
  private open: Open | undefined;

  constructor(process: RecordedProcess) {
    this.process = process;
  }

  async begin(wish: RecordingWish): Promise<ReadableStream<Uint8Array>> {
    const lines = new LineStream(() => void this.open?.end());
    await this.beginTo(lines, wish);
    return lines.readable;
  }

  /**
   * Begins a capsule when no call is under way.
   * @throws Refusal when one is being written, and when calls do not end
   */
  async beginTo(sink: CapsuleSink, { name = DEFAULT_NAME, withSecrets }: RecordingWish) {
    const { boundary, options } = this.process;
    const { recorded } = boundary;
    if (recorded) refuse("RECORDED_ALREADY", { name: recorded.name });
    const recorder = new Recorder({
      options,
      withSecrets,
      joins: true,
      write: (line) => sink.write(line),
    });
    let isOpen = true;
    const close = (left = 0) => {
      if (!isOpen) return;
      isOpen = false;
      this.open = undefined;
      recorder.close(left);
      sink.close();
    };
    const end = () => (isOpen ? boundary.switchBack(close) : Promise.resolve());
    try {
      await boundary.switchTo({ name, end: close }, async (worlds) => {
        for (const other of [...worlds.names()]) await worlds.present(other);
        const own = this.process.own();
        const earlier = await allEarlier(worlds, (one) => recorder.placeholders.of(one, own));
        const origin = this.process.origin();
        return {
          boundary: recorder,
          begin: () => recorder.begin(worlds, { own, origin, earlier }),
        };
      });
    } catch (error) {
      sink.close();
      if (!(error instanceof CallsUnderWay)) throw error;
      return refuse("UNAVAILABLE", { why: `${error.count} calls are under way that do not end` });
    }
    this.open = { recorder, end };
  }

  async end(): Promise<{ requests: number }> {
    const { open } = this;
    if (!open) return refuse("NOTHING_RECORDED", {});
    await open.end();
    return { requests: open.recorder.requests };
  }
}
