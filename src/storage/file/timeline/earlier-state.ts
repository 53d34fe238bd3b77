import type { Change } from "../../../runtime/change.ts";
import type { PastPoint } from "../../../runtime/past/restore-points.ts";
import { isAfter, UntilPoint } from "../../../runtime/past/until-point.ts";
import { WorldState } from "../../../runtime/world-state.ts";
import type { Reach } from "../../port/held-world.ts";
import { readFrom } from "./checkpoint-files.ts";
import { readManifests } from "./checkpoint-manifest.ts";
import type { StateFiles } from "./read-state.ts";
import { hasOrigin, readOrigin, readOriginChanges } from "./timeline-origin.ts";

/** The earliest point that the files of a timeline give. */
export const reachOf = async ({ storage, journals, origin }: StateFiles): Promise<Reach> => {
  if (origin && hasOrigin(origin)) return origin.image.reach;
  const first = origin ? undefined : journals.firstRecord();
  if (first?.seq === 1) return { seq: 1, atMs: first.at };
  const [oldest] = (await readManifests(storage)).manifests;
  return { seq: oldest?.to ?? 0, atMs: oldest?.toAtMs ?? oldest?.meta.atMs ?? 0 };
};

/**
 * The world as it was at a point of its timeline; nothing when the files do not reach it.
 * Checkpoints hold changes up to their `to`, so a point before that needs an older one.
 */
export const earlierIn = async (
  files: StateFiles,
  point: PastPoint,
): Promise<WorldState | undefined> => {
  const { storage, journals, origin } = files;
  const reach = await reachOf(files);
  if (isAfter({ seq: reach.seq, at: reach.atMs }, point)) return undefined;
  const { manifests } = await readManifests(storage);
  for (const manifest of manifests.toReversed()) {
    const { from: seq, to, segment, meta } = manifest;
    if (isAfter({ seq: to, at: meta.atMs }, point)) continue;
    const state = await readFrom(storage, manifest);
    if (!state) continue;
    const until = new UntilPoint(state, point);
    journals.recover((change) => until.take(change), { seq, segment }, { isLookOnly: true });
    if (state.seq >= to) return state;
  }
  if (origin && !hasOrigin(origin)) return undefined;
  const { state, isEnd } = origin
    ? await readOrigin(origin, point)
    : { state: new WorldState({ isLoading: true }), isEnd: true };
  const until = new UntilPoint(state, point, { isPast: !isEnd });
  const seq = isEnd ? state.seq : (origin?.image.meta.seq ?? 0);
  journals.recover((change) => until.take(change), { seq }, { isLookOnly: true });
  return state;
};

/** Changes of a timeline, from its earliest point on, as far as its files have them. */
export const changesIn = async (
  files: StateFiles,
  { after, upTo }: { after: number; upTo: number },
): Promise<readonly Change[]> => {
  const { journals, origin } = files;
  const before = Math.max(after, (await reachOf(files)).seq);
  const changes: Change[] = [];
  const take = (change: Change) => {
    if (change.seq > before && change.seq <= upTo) changes.push(change);
  };
  if (origin && hasOrigin(origin) && before < origin.image.meta.seq)
    await readOriginChanges(origin, take);
  const beginsAt = journals.beginsAt() ?? upTo + 1;
  const seq = Math.max(before, beginsAt - 1);
  if (seq < upTo) journals.recover(take, { seq }, { isLookOnly: true });
  return changes;
};
