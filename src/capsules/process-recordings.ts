import type { Recordings } from "../control/core/world.ts";
import { refuse } from "../domain/core/refusal.ts";
import type { Boundary } from "../worlds/boundary.ts";
import { SwitchedBoundary } from "../worlds/switched-boundary.ts";
import { TapedBoundary } from "../worlds/taped-boundary.ts";
import { fileSink } from "./file-sink.ts";
import type { LiveRecordings, RecordedProcess } from "./live-recordings.ts";

/** Recordings of a simulator; what writes them is loaded when it is asked for. */
export const recordingsOf = (
  boundary: Boundary,
  { inner, ...parts }: Omit<RecordedProcess, "boundary"> & { inner: Boundary },
): Recordings & { writeTo(file: string): Promise<void> } => {
  let loaded: Promise<LiveRecordings> | undefined;
  const load = () => {
    if (!(inner instanceof SwitchedBoundary))
      return refuse("RECORDED_ALREADY", { name: "a capsule of this run" });
    loaded ??= import("./live-recordings.ts").then(
      (module) => new module.LiveRecordings({ boundary: inner, ...parts }),
    );
    return loaded;
  };
  return {
    begin: async (wish) => (await load()).begin(wish),
    end: async () => (await load()).end(),
    writeTo: async (file) => {
      const recordings = await load();
      await recordings.beginTo(fileSink(file), { name: file, withSecrets: false });
    },
    ofWorld: async (name) => {
      if (!(boundary instanceof TapedBoundary)) return refuse("WORLD_NOT_FOUND", { world: name });
      const { recordingOf } = await import("./world-recordings.ts");
      return recordingOf(name, { boundary, ...parts });
    },
  };
};
