import type { CapsuleSink } from "../../capsules/line-stream.ts";
import { endOf } from "../../capsules/read-capsule.ts";
import type { ControlClient } from "../../client/control-client.ts";
import { reach } from "../frame/reach.ts";
import { fileSink } from "./file-sink.ts";

/** Bytes of a file's end in which its last line is looked for. */
const TAIL_BYTES = 256;

/** A capsule on its way from a simulator into a file. */
export interface Download {
  /** Resolves when all of it is in the file. */
  ended: Promise<void>;
  hasEnded: boolean;
  /** Calls that it has; nothing when it has no last line. */
  requests: number | undefined;
  /** Leaves it as it is. */
  stop(): void;
}

/**
 * Has a simulator write down what it does from now on.
 * @throws CommandError when it refuses, and when the file cannot be written
 */
export const download = async (
  client: ControlClient,
  { file, withSecrets }: { file: string; withSecrets: boolean },
): Promise<Download> => {
  let sink: CapsuleSink | undefined;
  let early: Buffer[] = [];
  let tail: Buffer = Buffer.alloc(0);
  const take = (bytes: Buffer) => {
    tail = Buffer.concat([tail, bytes]).subarray(-TAIL_BYTES);
    if (sink) sink.write(bytes);
    else early.push(bytes);
  };
  const asked = client.stream("/capsule", { name: file, withSecrets }, take);
  const answer = await reach(
    asked.then((one) => ("status" in one ? one : { status: 200, body: one })),
  );
  const { ended, stop } = answer as Extract<Awaited<typeof asked>, { stop(): void }>;
  try {
    // Not before it begins: a simulator that refuses leaves an earlier file as it is.
    sink = fileSink(file);
  } catch (error) {
    stop();
    throw error;
  }
  for (const bytes of early) sink.write(bytes);
  early = [];
  const written: Download = {
    hasEnded: false,
    requests: undefined,
    stop,
    ended: ended.then(() => {
      written.hasEnded = true;
      written.requests = endOf(tail)?.requests;
      sink?.close();
    }),
  };
  return written;
};
