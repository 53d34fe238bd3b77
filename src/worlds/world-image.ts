import { hash } from "node:crypto";
import type { Fixture } from "../contract/platform/fixtures.ts";
import { startTokenOf } from "../domain/platform/platform.ts";
import type { FaultImage } from "../http/door/fault-injection.ts";
import { Engine } from "../runtime/engine.ts";
import { NoJournal } from "../runtime/journal.ts";
import { MemoryPoints } from "../runtime/past/memory-points.ts";
import type { RestorePoint } from "../runtime/past/restore-points.ts";
import { snapshotFile } from "../runtime/past/snapshot-file.ts";
import { readSnapshotFile } from "../runtime/past/snapshot-reading.ts";
import type { Wall } from "../runtime/ports.ts";
import type { WorldState } from "../runtime/world-state.ts";
import type { OpenWorld } from "../storage/open-world.ts";
import { besideInMemory } from "../storage/world/forked-world.ts";
import type { Identity } from "../storage/world/identity.ts";
import { VERSION } from "../version.ts";
import { OwnReports } from "./own-reports.ts";
import type { RunningWorld } from "./running-world.ts";
import type { TapedFork } from "./world-tape.ts";
import type { WorldsOfProcess } from "./worlds.ts";

/** Secrets of a world, or what stands in for them. */
export type WorldSecrets = Pick<
  Identity,
  "clientSecret" | "webhookKeyPem" | "retiredWebhookKeyPems"
>;

/** One world as it stands, for another process to continue from (spec/capsules.md#beginning). */
export interface WorldImage extends WorldSecrets {
  name: string;
  /** The world that it was forked from; none for the default one. */
  from?: string;
  isLate?: boolean;
  clientId: string;
  /** Number of starts of its state, this one included, and of requests since. */
  start: number;
  requests: number;
  /** The newest instant that its clock has shown. */
  latestMs: number;
  counts: FaultImage;
  /** The records, as an exported snapshot has them. */
  state: string;
  earlier: EarlierImage;
}

/** States that a world can go back to. */
export interface EarlierImage {
  /** The state that a reset of a fork goes back to. */
  forkedAt?: string;
  points: readonly { point: RestorePoint; state: string }[];
}

/** Beginning of the default world, for its resets, and names that are used up. */
export interface ProcessImage {
  openedAtMs: number;
  fixture?: Fixture;
  forkCounts: readonly [string, number][];
  /** Names of worlds that were removed; left out by recordings of earlier versions. */
  removed?: readonly string[];
}

const digestOf = (secret: string) => hash("sha256", secret, "hex");

/** A state as text; the digest of its client secret becomes that of the secret in the image. */
const textOf = (state: WorldState, own: Identity, { clientSecret }: WorldSecrets) => {
  const isOwn = startTokenOf(state)?.secretHash === digestOf(own.clientSecret);
  const secretHash = isOwn ? digestOf(clientSecret) : "";
  return snapshotFile(state, { name: "capsule", program: VERSION, secretHash });
};

const earlierOf = async ({ world }: RunningWorld, secrets: WorldSecrets): Promise<EarlierImage> => {
  const { kept, points, stateAtFork: forkedAt } = world;
  const text = (state: WorldState) => textOf(state, kept.now, secrets);
  const forked = await forkedAt?.();
  const images: { point: RestorePoint; state: string }[] = [];
  for (const point of points.list()) {
    const state = await points.load(point.name);
    if (state) images.push({ point, state: text(state) });
  }
  return { ...(forked && { forkedAt: text(forked) }), points: images };
};

/** The secrets that an image has in place of those of a world. */
type SecretsOf = (own: Identity) => WorldSecrets;

/** States that every world of a process can go back to, by its name. */
export const allEarlier = async (worlds: WorldsOfProcess, secretsOf: SecretsOf) => {
  const all = new Map<string, EarlierImage>();
  for (const world of worlds.all())
    all.set(world.name, await earlierOf(world, secretsOf(world.world.kept.now)));
  return all;
};

const imageOf = (
  world: RunningWorld,
  secrets: WorldSecrets,
  earlier: EarlierImage = { points: [] },
): WorldImage => {
  const { engine, reports, name, clientId } = world;
  // What is due happens before: it belongs to the state.
  engine.catchUp();
  world.autoClock.forget();
  return {
    name,
    clientId,
    ...secrets,
    start: world.world.start,
    requests: reports instanceof OwnReports ? reports.count : 0,
    latestMs: engine.clock.now(),
    counts: world.faults.image(),
    state: textOf(engine.state, world.world.kept.now, secrets),
    earlier,
  };
};

/** A world as it stood when its tape began. */
export const tapedImage = (birth: TapedFork, secrets: WorldSecrets): WorldImage => {
  const { name, clientId, state, identity, start, requests, latestMs, counts } = birth;
  const text = textOf(state, identity, secrets);
  const image = { name, clientId, ...secrets, start, requests, latestMs, counts };
  return { ...image, state: text, earlier: { points: [] } };
};

/**
 * The worlds of a process as they stand, the default one first.
 * @param secretsOf the secrets that they have in the image
 */
export const imagesOf = (
  worlds: WorldsOfProcess,
  { secretsOf, earlier }: { secretsOf: SecretsOf; earlier: Map<string, EarlierImage> },
): WorldImage[] => {
  const { starting } = worlds;
  const take = (world: RunningWorld) =>
    imageOf(world, secretsOf(world.world.kept.now), earlier.get(world.name));
  const forks = worlds.image().forks.map(({ world, from, isLate }) => {
    const origin = { from, ...(isLate && { isLate }) };
    return { ...take(world), ...origin };
  });
  return [take(starting), ...forks];
};

/** The beginning that resets of the default world go back to. */
export const processImageOf = (worlds: WorldsOfProcess): ProcessImage => {
  const { starting } = worlds;
  const { openedAtMs, startMs } = starting.world.identity;
  const { forkCounts, removed } = worlds.image();
  const fixture = starting.seeded.startFixture;
  return {
    openedAtMs: openedAtMs ?? startMs ?? starting.engine.clock.now(),
    ...(fixture && { fixture }),
    forkCounts,
    ...(removed.length > 0 && { removed }),
  };
};

const stateIn = (text: string) => readSnapshotFile(text).state;

const load = (engine: Engine, { state, latestMs }: WorldImage) => {
  engine.load(stateIn(state), engine.journal);
  engine.clock.notBefore(latestMs);
};

const takePoints = ({ points }: OpenWorld, { earlier }: WorldImage) => {
  for (const { point, state } of earlier.points)
    if (points instanceof MemoryPoints) points.take(point, stateIn(state));
};

const secretsIn = ({ clientSecret, webhookKeyPem, retiredWebhookKeyPems }: WorldSecrets) => ({
  clientSecret,
  webhookKeyPem,
  ...(retiredWebhookKeyPems && { retiredWebhookKeyPems }),
});

/** Has the default world in memory, which nothing acts on yet, continue from an image. */
export const becomeImage = (world: OpenWorld, image: WorldImage, { openedAtMs }: ProcessImage) => {
  Object.assign(world.identity, { ...secretsIn(image), openedAtMs });
  Object.assign(world, { start: image.start, isNew: false });
  load(world.engine, image);
  takePoints(world, image);
};

/** Gives a world the counts of its image, which no record has. */
const countOn = (world: RunningWorld, { counts, requests }: WorldImage) => {
  world.faults.goOnFrom(counts);
  if (world.reports instanceof OwnReports) world.reports.count = requests;
};

/** Adds the other worlds of an image to a process whose default world has become one. */
export const addImages = (
  worlds: WorldsOfProcess,
  [first, ...others]: readonly WorldImage[],
  { wall, forkCounts, removed = [] }: { wall: Wall } & Omit<ProcessImage, "openedAtMs">,
) => {
  const { starting } = worlds;
  if (first) countOn(starting, first);
  for (const image of others) {
    const instant = { mode: "real", offsetMs: 0, instantMs: wall.nowMs() } as const;
    const engine = new Engine({ wall, journal: new NoJournal(), clock: instant });
    load(engine, image);
    const { start, clientId, requests } = image;
    const identity = { ...starting.world.identity, ...secretsIn(image), clientId };
    const { forkedAt } = image.earlier;
    const parts = {
      ...{ engine, identity, wall, start },
      ...(forkedAt !== undefined && { forkedAt: stateIn(forkedAt) }),
    };
    const opened = besideInMemory(starting.world, parts);
    takePoints(opened, image);
    const world = starting.beside(opened, { requests });
    countOn(world, image);
    worlds.adopt(world, { from: image.from ?? starting.name, isLate: image.isLate ?? false });
  }
  worlds.countOn(forkCounts, removed);
};
