import type {
  Batch,
  Holding,
  NewWorld,
  WorldRow,
  Writing,
} from "../../../src/storage/engine/store-engine.ts";
import { Fenced, NameTaken } from "../../../src/storage/port/store-trouble.ts";
import type { ActContext, KeptWorld, SimulatedData } from "./simulated-data.ts";

/** Makes a world; false when there is one of that name. */
export const createWorld = (data: SimulatedData, world: NewWorld): boolean => {
  const { facts, owner, timeline, seq, batch, callers, keep, dueAtMs } = world;
  if (data.worlds.has(facts.name)) return false;
  data.lastOrder += 1;
  data.worlds.set(facts.name, {
    facts: { ...facts },
    order: data.lastOrder,
    owner,
    fence: 1,
    timeline,
    seq,
    dueAtMs: dueAtMs ?? undefined,
    summary: undefined,
    callers: new Set(callers),
  });
  if (batch) data.addBlock(timeline, batch);
  for (const keeping of keep) data.keep(keeping);
  return true;
};

/** Makes a process the owner of a world, if no other live one is. */
export const takeWorld = (
  data: SimulatedData,
  { name, owner }: { name: string; owner: string },
  { nowMs, plants }: ActContext,
): WorldRow | undefined => {
  const world = data.worlds.get(name);
  if (!world) return undefined;
  const isOwn = world.owner === owner;
  const before = data.processes.get(world.owner ?? "");
  if (before && plants.has("a take that frees nothing ends a lease")) before.isOver = true;
  if (isOwn || !data.isLive(world.owner, nowMs)) {
    if (before && !isOwn) before.isOver = true;
    world.owner = owner;
    world.fence += 1;
    world.summary = undefined;
  }
  return data.rowOf(world, nowMs);
};

/** Whether a batch may be appended: to this world, by this owner, now. */
export const mayAppend = (
  world: KeptWorld | undefined,
  { owner, batch }: { owner: string; batch: Batch },
  { plants }: ActContext,
): world is KeptWorld =>
  world !== undefined &&
  (world.owner === owner || (plants.has("owner not compared") && world.owner !== undefined)) &&
  (world.fence === batch.fence || plants.has("append without the fence")) &&
  (world.timeline === batch.timeline || plants.has("timeline not compared")) &&
  world.seq === batch.first - 1;

/** Writes a batch whose world lets it in. */
export const appendBatch = (data: SimulatedData, world: KeptWorld, batch: Batch): void => {
  const { first, last, lines, files = [], dueAtMs } = batch;
  data.addBlock(world.timeline, { first, last, lines });
  world.seq = last;
  if (dueAtMs !== undefined) world.dueAtMs = dueAtMs ?? undefined;
  if (files.length > 0) {
    const { parts } = data.holder(`world:${world.facts.name}`);
    for (const sha256 of files) parts.add(sha256);
  }
};

/** Notes which callers a batch made and dropped. */
export const indexCallers = (world: KeptWorld, { callers }: Batch): void => {
  for (const key of callers?.dropped ?? []) world.callers.delete(key);
  for (const key of callers?.made ?? []) world.callers.add(key);
};

/** The first half of a batch, which no engine should leave. */
export const halfOf = (batch: Batch): Batch => {
  const lines = batch.lines.split("\n").slice(0, -1);
  const half = Math.max(1, Math.floor(lines.length / 2));
  return {
    ...batch,
    last: batch.first + half - 1,
    lines: `${lines.slice(0, half).join("\n")}\n`,
  };
};

const remove = (data: SimulatedData, name: string): void => {
  data.worlds.delete(name);
  data.holders.delete(`world:${name}`);
};

const heldWorld = (
  data: SimulatedData,
  { name, owner, fence, timeline, seq }: Holding,
  { plants }: ActContext,
): KeptWorld => {
  const world = data.worlds.get(name);
  if (
    !world ||
    (world.owner !== owner && !plants.has("owner not compared")) ||
    (world.fence !== fence && !plants.has("write without the fence")) ||
    (world.timeline !== timeline && !plants.has("timeline not compared")) ||
    world.seq !== seq
  )
    throw new Fenced(name, world?.owner);
  return world;
};

/** Changes rows of one world, all of them or none. */
export const writeWorld = (
  data: SimulatedData,
  { holding, writing }: { holding: Holding; writing: Writing },
  context: ActContext,
): void => {
  const world = heldWorld(data, holding, context);
  const { keep = [], drop = [], items = [], switchTo, fork, release } = writing;
  if (fork && data.worlds.has(fork.facts.name)) throw new NameTaken(fork.facts.name);

  for (const holder of drop) data.holders.delete(holder);
  for (const keeping of keep) data.keep(keeping);
  for (const { holder, name, bytes } of items)
    if (bytes) data.holder(holder).items.set(name, Buffer.from(bytes));
    else data.holders.get(holder)?.items.delete(name);
  if (switchTo) {
    world.timeline = switchTo.timeline;
    world.seq = switchTo.seq;
    world.callers = new Set(switchTo.callers);
    world.dueAtMs = switchTo.dueAtMs ?? undefined;
  }
  if (fork) createWorld(data, { ...fork, owner: holding.owner });
  if (release) {
    world.owner = undefined;
    world.summary = release.summary;
    if (release.dueAtMs !== undefined) world.dueAtMs = release.dueAtMs ?? undefined;
  }
  if (!context.plants.has("a write leaves the fence as it is")) world.fence += 1;
  if (writing.remove) remove(data, holding.name);
};
