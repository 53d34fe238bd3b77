import type { RefusedCall, WorldRecording } from "../contract/control/recordings.ts";
import { refuse } from "../domain/core/refusal.ts";
import type { SimulatorOptions } from "../options/simulator-options.ts";
import { MOST_TOLD } from "../worlds/last-webhooks.ts";
import type { TapedBoundary } from "../worlds/taped-boundary.ts";
import { processImageOf } from "../worlds/world-image.ts";
import { doneAt, type RefusedTaped, type WorldTape } from "../worlds/world-tape.ts";
import { canonicalText } from "./canonical-names.ts";
import { skippedCall } from "./refused-calls.ts";
import type { Credentials } from "./secrets.ts";
import { capsuleOf } from "./world-capsule.ts";

const TOO_LONG =
  "its run is over 4 MiB, or those of all worlds over 64 MiB: record the whole run in a file " +
  "instead, with service-sim exec --capsule run.capsule -- <command>";

/** A simulator that runs, as far as the recordings of its worlds need it. */
export interface TapedProcess {
  boundary: TapedBoundary;
  options: SimulatorOptions;
  own(): Credentials;
  origin(): string;
}

const refusedOn = ({ id, method, url, reply }: RefusedTaped): RefusedCall => {
  const { status, brand } = reply;
  const call = { id, method, url: brand?.inward(url) ?? url };
  return skippedCall(call, { status, text: canonicalText(reply) });
};

/** The newest refused calls of a world and of those forked from it. */
const refusedOf = (family: readonly WorldTape[]): RefusedCall[] =>
  family
    .flatMap(({ refused }) => refused)
    .sort((a, b) => a.at - b.at)
    .slice(-MOST_TOLD)
    .map(refusedOn);

/** The newest webhooks of a world and of those forked from it; ids rise with time. */
const webhooksOf = (family: readonly WorldTape[]): WorldRecording["webhooks"] => {
  const all = new Map<string, WorldRecording["webhooks"][number]>();
  for (const tape of family)
    for (const webhook of tape.webhooks()) if (!all.has(webhook.id)) all.set(webhook.id, webhook);
  const inOrder = [...all.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  return inOrder.slice(-MOST_TOLD);
};

/**
 * The recording of a world since its birth, also of one that is gone
 * (spec/capsules.md#recordings-of-worlds).
 * @throws Refusal when there is none of that name
 */
export const recordingOf = (
  name: string,
  { boundary, options, own, origin }: TapedProcess,
): WorldRecording => {
  const tape = boundary.room.get(name);
  if (!tape) return refuse("WORLD_NOT_FOUND", { world: name });
  const family = boundary.room.familyOf(tape);
  const repeated = boundary.room.repeatedOf(tape);
  const report = {
    world: name,
    calls: repeated.reduce((sum, { calls }) => sum + calls, 0),
    refused: refusedOf(family),
    webhooks: webhooksOf(family),
  };
  if (tape.isOver || !boundary.process) return { ...report, left: TOO_LONG };
  const process = { ...processImageOf(boundary.process), forkCounts: [] };
  const entries = repeated.flatMap((taped) => taped.entries).sort((a, b) => doneAt(a) - doneAt(b));
  const capsule = capsuleOf({ tape, entries, options, own: own(), address: origin(), process });
  return { ...report, capsule };
};
