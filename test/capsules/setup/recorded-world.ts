import { readCapsule } from "../../../src/capsules/read-capsule.ts";
import { Recorder } from "../../../src/capsules/recorder.ts";
import { Replay } from "../../../src/replay/replay.ts";
import type { SimulatorOptions } from "../../../src/simulator.ts";
import { withBoundary } from "../../../src/worlds/boundary.ts";
import { START, startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";

/** Records what is done with a world of a test; the text of its capsule. */
export const recordWorld = async (
  { withSecrets = false, ...more }: SimulatorOptions & { withSecrets?: boolean },
  work: (world: TestSimulator) => Promise<unknown>,
): Promise<string> => {
  const options: SimulatorOptions = { seed: "test", clock: "manual", now: START, ...more };
  const lines: string[] = [];
  const recorder = new Recorder({ options, withSecrets, write: (line) => void lines.push(line) });
  const world = await startTestSimulator(withBoundary(options, recorder));
  recorder.opened(world.sim);
  try {
    await work(world);
  } finally {
    await world.sim.close();
    recorder.close();
  }
  return lines.join("");
};

/** Repeats a capsule, and tells how many requests it had and where the first difference is. */
export const replayed = async (text: string) => {
  const replay = await Replay.open(readCapsule(text, "run.capsule"));
  return replay.run().finally(() => replay.sim.close());
};

/** Ways in which a value may be written. */
const formsOf = (value: string) => [
  value,
  JSON.stringify(value).slice(1, -1),
  encodeURIComponent(value),
  Buffer.from(value).toString("base64").replace(/=+$/, ""),
  Buffer.from(value).toString("base64url"),
  Buffer.from(value).toString("hex"),
];

/** Of some values those that a capsule holds, in whatever way, also inside a body. */
export const valuesIn = (text: string, values: readonly string[]): string[] => {
  const bodies = readCapsule(text, "run.capsule").lines.flatMap((line) =>
    "body" in line && line.body !== undefined ? [Buffer.from(line.body, "base64")] : [],
  );
  const texts = [text, ...bodies.map(String), ...bodies.map((body) => body.toString("latin1"))];
  return values.filter((value) =>
    formsOf(value).some((form) => texts.some((one) => one.includes(form))),
  );
};
