import { instant } from "../../domain/core/draft.ts";
import { refuse } from "../../domain/core/refusal.ts";
import type { WorldState } from "../../runtime/world-state.ts";
import { requireWorld } from "../core/controlled-world.ts";
import type { World } from "../core/world.ts";
import { isInstant } from "./instants.ts";
import { noSnapshot } from "./snapshots.ts";

/**
 * A state of the caller's own, by `world:x`, `snapshot:x`, an instant of the present world, or
 * `now` (spec/snapshots.md#references). Its clock is the one that it would continue with.
 */
export const stateAt = async (world: World, ref: string): Promise<WorldState> => {
  const [, kind, name = ""] = /^(world|snapshot):(.*)$/s.exec(ref) ?? [];
  if (kind === "world") return presentOf(await requireWorld(name, world.worlds));
  if (kind === "snapshot") return snapshotAt(world, name);
  if (ref === "now") return presentOf(world);
  if (!isInstant(ref))
    return refuse(
      "INVALID_INSTANT",
      { value: ref },
      {
        says: `Expected world:<name>, snapshot:<name>, now or an instant but found "${ref}"`,
        ...(await nextFor(world, ref)),
      },
    );
  return stateAtInstant(world, ref);
};

/** Tells how to write the bare name of a world or a snapshot. */
const nextFor = async ({ worlds, timelines: past }: World, ref: string) => {
  const isNamed = ({ name }: { name: string }) => name === ref;
  if ((await worlds.list()).some(isNamed)) return { next: `write world:${ref}` };
  return past.points.list().some(isNamed) ? { next: `write snapshot:${ref}` } : {};
};

const presentOf = ({ engine }: World) => {
  const state = engine.state.fork();
  state.clock = engine.clock.stateFromNow();
  return state;
};

const snapshotAt = async (world: World, name: string) => {
  const { point, state } = (await world.timelines.load(name)) ?? noSnapshot(world, name);
  if (point.clock) state.clock = point.clock;
  return state;
};

const stateAtInstant = async (world: World, ref: string) => {
  const { timelines: past, engine } = world;
  const atMs = Date.parse(ref);
  const nowMs = engine.clock.now();
  if (atMs > nowMs) return refuse("TIME_AHEAD", { value: ref, now: instant(nowMs) });
  const state =
    (await past.at({ atMs })) ??
    refuse("BEFORE_HORIZON", { value: ref, earliest: instant(past.earliest().atMs) });
  state.clock = { ...(state.clock ?? engine.clock.stateFromNow()), offsetMs: 0, instantMs: atMs };
  return state;
};
