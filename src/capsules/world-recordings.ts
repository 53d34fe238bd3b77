import type { RefusedCall, WorldRecording } from "../contract/control/recordings.ts";
import { defined } from "../contract/core/defined.ts";
import { refuse } from "../domain/core/refusal.ts";
import type { WorldState } from "../runtime/world-state.ts";
import type { SimulatorOptions } from "../simulator-options.ts";
import type { TapedEdges } from "../worlds/taped-edges.ts";
import { processImageOf } from "../worlds/world-image.ts";
import type { TapedCall, TapedEntry, WorldTape } from "../worlds/world-tape.ts";
import { ownText } from "./own-words.ts";
import { refusedCall } from "./refused-calls.ts";
import type { Credentials } from "./secrets.ts";
import { capsuleOf } from "./world-capsule.ts";

/** Refused calls, and webhooks, that a report shows. */
const MOST_SHOWN = 5;

const TOO_LONG =
  "its run is over 4 MiB, or those of all worlds over 64 MiB: record the whole run in a file " +
  "instead, with service-sim exec --capsule run.capsule -- <command>";

/** A simulator that runs, as far as the recordings of its worlds need it. */
export interface TapedProcess {
  edges: TapedEdges;
  options: SimulatorOptions;
  own(): Credentials;
  origin(): string;
}

const isRefused = (entry: TapedEntry): entry is TapedCall =>
  entry.kind === "call" && entry.reply.status >= 400;

const refusedOn = ({ id, method, url, reply }: TapedCall): RefusedCall => {
  const { status, brand } = reply;
  const asked = { id, method, url: brand?.inward(url) ?? url };
  return refusedCall(asked, { status, text: ownText(reply) });
};

const webhooksIn = (state: WorldState): WorldRecording["webhooks"] =>
  [...state.ids("Delivery", "all", "").slice(-MOST_SHOWN)].flatMap((id) => {
    const delivery = state.get("Delivery", id);
    // Those that a fork inherited were never its own.
    if (!delivery || delivery.state === "FORKED") return [];
    const { type, about, attempts } = delivery;
    const last = attempts.at(-1);
    const answer = last && String(last.httpStatus ?? last.error);
    return [{ id, type, state: delivery.state, ...defined({ about, answer }) }];
  });

/** The newest webhooks of a world and of those forked from it; ids rise with time. */
const webhooksOf = (tape: WorldTape, { room }: TapedEdges): WorldRecording["webhooks"] => {
  const all = new Map<string, WorldRecording["webhooks"][number]>();
  for (const one of room.all())
    if (one.isOf(tape))
      for (const webhook of webhooksIn(one.state()))
        if (!all.has(webhook.id)) all.set(webhook.id, webhook);
  const inOrder = [...all.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  return inOrder.slice(-MOST_SHOWN);
};

/**
 * The recording of a world since its birth, also of one that is gone
 * (spec/capsules.md#recordings-of-worlds).
 * @throws Refusal when there is none of that name
 */
export const recordingOf = (
  name: string,
  { edges, options, own, origin }: TapedProcess,
): WorldRecording => {
  const tape = edges.room.get(name);
  if (!tape) return refuse("WORLD_NOT_FOUND", { world: name });
  const entries = entriesOf(tape, edges);
  const told = {
    world: name,
    calls: entries.filter(({ kind }) => kind === "call").length,
    refused: entries.filter(isRefused).slice(-MOST_SHOWN).map(refusedOn),
    webhooks: webhooksOf(tape, edges),
  };
  if (tape.family.isOver || !edges.process) return { ...told, left: TOO_LONG };
  const process = { ...processImageOf(edges.process), forkCounts: [] };
  const capsule = capsuleOf({ tape, entries, options, own: own(), address: origin(), process });
  return { ...told, capsule };
};

const entriesOf = (tape: WorldTape, { room }: TapedEdges) =>
  tape.family.entries.filter((entry) => {
    const world = (entry.kind === "call" && entry.of) || entry.world;
    return entry.at > tape.at && (world === tape.name || room.get(world)?.isOf(tape));
  });
