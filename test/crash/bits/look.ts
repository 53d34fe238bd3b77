import { existsSync, readdirSync } from "node:fs";
import { join, sep } from "node:path";
import { firstFolderOf, openStateFiles } from "../../../src/storage/file/doctor/state-check.ts";
import { folderItems } from "../../../src/storage/file/state/folder-items.ts";
import {
  readSummary,
  readWorldFile,
  snapshotsOf,
} from "../../../src/storage/file/state/world-files.ts";
import { readState } from "../../../src/storage/file/timeline/read-state.ts";
import { openTimeline } from "../../../src/storage/file/timeline/timeline-folders.ts";
import { keptOriginIn, readOrigin } from "../../../src/storage/file/timeline/timeline-origin.ts";
import { keptIdentity } from "../../../src/storage/world/identity.ts";
import { readFixture } from "../../../src/storage/world/kept-fixture.ts";
import { damageOfRequests } from "../../../src/storage/world/kept-requests.ts";
import { reportRecovery } from "../../../src/storage/world/recovery-report.ts";
import { FIRST_WORLD } from "../../../src/storage/world/start-state.ts";
import type { WorldHandle } from "../../../src/storage/world/world-handle.ts";
import { openSmallState, textOf } from "./small-state.ts";

/** Everything that a reader of a state directory would be given. */
export interface Seen {
  /** Worlds and kept states by name, each as text. */
  states: Record<string, string>;
  /** Everything else that counts, as one text. */
  beside: string;
  /** Sentences about damage that was healed. */
  told: string[];
}

/** Reads a state directory, or refuses it by throwing. */
export type Look = (directory: string, file: string) => Promise<Seen>;

/** The part of a state directory that a file belongs to. */
const partOf = (file: string) => {
  const [top = "", name = "", inner = "", point = ""] = file.split(sep);
  if (top !== "worlds") return "";
  if (inner === "snapshots") return join(top, name, inner, point);
  return inner === "start" ? join(top, name, inner) : join(top, name);
};

const lookAtKept = async (directory: string): Promise<Seen> => {
  const kept = keptOriginIn(directory);
  if (!kept) throw new Error(`Expected a kept state in ${directory} but found none`);
  const { state } = await readOrigin(kept);
  return { states: { kept: textOf(state) }, beside: JSON.stringify(kept.image), told: [] };
};

const lookAtWorld = async (directory: string): Promise<Seen> => {
  const world = readWorldFile(directory);
  const summary = readSummary(directory);
  const identity = await keptIdentity(folderItems(directory));
  const read = await readState(openTimeline(directory), { isLookOnly: true });
  return {
    states: { world: textOf(read.state) },
    beside: JSON.stringify([world, summary, identity]),
    told: toldOf(read),
  };
};

const toldOf = ({ recovery, passedOver }: Pick<WorldHandle, "recovery" | "passedOver">) => [
  ...reportRecovery(recovery),
  ...passedOver.map(({ file, found }) => `${found} in ${file}`),
];

const lookAtFirst = async (directory: string): Promise<Seen> => {
  const files = openStateFiles(directory);
  const read = await readState(files, { isLookOnly: true });
  const items = folderItems(firstFolderOf(directory));
  const identity = await keptIdentity(items);
  const fixture = await readFixture(items);
  const requests = await damageOfRequests(items);
  return {
    states: { first: textOf(read.state) },
    beside: JSON.stringify([identity, fixture]),
    told: [...toldOf(read), ...(requests ? [`${requests.found} in ${requests.file}`] : [])],
  };
};

/** Reads the part that a file belongs to as a start does, without changing it. */
export const lookOnly: Look = (directory, file) => {
  const part = partOf(file);
  const [, name = "", inner] = part.split(sep);
  const path = join(directory, part);
  if (inner !== undefined) return lookAtKept(path);
  return name === "" || name === FIRST_WORLD ? lookAtFirst(directory) : lookAtWorld(path);
};

/** Names of kept states, damaged ones included, which a list leaves out. */
const snapshotNames = (directory: string) => {
  const folder = snapshotsOf(firstFolderOf(directory));
  const entries = existsSync(folder) ? readdirSync(folder) : [];
  return new Set(entries.map((entry) => entry.replace(/~[0-9]+$/, "")));
};

/** Opens all worlds and loads all kept states, as a simulator does; changes the directory. */
export const openAll: Look = async (directory) => {
  const world = await openSmallState(directory);
  const { others, points, engine, identity } = world;
  try {
    const states: Record<string, string> = { first: textOf(engine.state) };
    const requests: string[] = [];
    const told = toldOf(world);
    const earlier = world.requests?.read(engine.state, (damage) => requests.push(damage));
    for (const name of snapshotNames(directory)) {
      const state = await points.load(name);
      if (state) states[`snapshot ${name}`] = textOf(state);
    }
    const listed = await others?.list();
    const [damaged] = listed?.damaged ?? [];
    if (damaged) throw damaged.damage;
    for (const { name } of listed?.worlds ?? []) {
      const other = await others?.open(name);
      if (!other) continue;
      states[`world ${name}`] = textOf(other.engine.state);
      told.push(...toldOf(other).map((one) => `world ${name}: ${one}`));
      await other.close();
    }
    const beside = [identity, ...(requests.length > 0 ? [] : [earlier?.length])];
    return {
      states,
      beside: JSON.stringify(beside),
      told: [...told, ...requests],
    };
  } finally {
    await world.close();
  }
};
