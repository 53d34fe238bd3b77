import { crc32 } from "node:zlib";
import type { Storage } from "unstorage";
import { FORMAT_VERSION } from "../../../runtime/change.ts";
import { WorldState } from "../../../runtime/world-state.ts";
import { bytesAt, isUnread } from "../../format/checked-file.ts";
import { partsOfState, stateOfParts } from "../../format/checkpoint.ts";
import type { Part, WriteParts } from "../../port/held-world.ts";
import {
  type Chunk,
  checkpointKeys,
  folderOf,
  folderOfManifest,
  type Manifest,
  manifestKey,
  manifests,
  readManifests,
  storeManifest,
  type Unusable,
} from "./checkpoint-manifest.ts";

/** Checkpoints kept: if the newest proves unreadable, the one before is used. */
const KEPT = 2;

/** Sorts before all segments. */
const NO_SEGMENT = "0-0";

/**
 * Writes a checkpoint into a folder of its own, with its manifest last.
 * @param at.seq the world's last change, which a whole checkpoint may have already
 * @param at.segment the journal's segment that begins with it
 */
export const storeCheckpoint = async (
  storage: Storage,
  write: WriteParts,
  at: { seq: number; segment?: string; damaged?: ReadonlySet<string> },
): Promise<Manifest> => {
  const { seq, segment = NO_SEGMENT, damaged = new Set() } = at;
  const newest = (await manifests(storage)).findLast(({ folder }) => !damaged.has(folder));
  if (newest?.from === seq) return newest;
  const folder = folderOf(seq);
  const chunks: Chunk[] = [];
  let size = 0;
  try {
    const facts = await write(async ({ bytes, ...part }) => {
      const key = `${folder}:${chunks.length}`;
      chunks.push({ key, crc: crc32(bytes), ...part });
      size += bytes.length;
      await storage.setItemRaw(key, bytes);
    });
    const manifest = { format: FORMAT_VERSION, folder, chunks, size, ...facts, segment };
    await storeManifest(storage, manifest);
    return manifest;
  } catch (error) {
    // The unfinished half would take the space that the journal needs.
    await removeUnfinished(storage, folder).catch(() => {});
    throw error;
  }
};

/** Writes a checkpoint of a state that has no journal of its own. */
export const storeState = (storage: Storage, state: WorldState): Promise<Manifest> =>
  storeCheckpoint(storage, partsOfState(state), { seq: state.seq });

/** A chunk with its bytes, or the reason why they cannot be used. */
const readChunk = async (
  storage: Storage,
  { key, crc, ...part }: Chunk,
): Promise<Part | Unusable> => {
  const bytes = await bytesAt(storage, key);
  if (!Buffer.isBuffer(bytes)) return { key, found: bytes?.found ?? "no file" };
  return crc32(bytes) === crc ? { ...part, bytes } : { key, found: "a wrong checksum" };
};

/** The world in a checkpoint, at its `from`, or the part that is missing or damaged. */
const readOne = async (storage: Storage, manifest: Manifest): Promise<WorldState | Unusable> => {
  const all = await Promise.all(manifest.chunks.map((chunk) => readChunk(storage, chunk)));
  const unusable = all.find((one): one is Unusable => "found" in one);
  return unusable ?? stateOfParts(all as Part[], manifest.meta);
};

/** The world in one checkpoint, at its `from`; nothing when it cannot be read. */
export const readFrom = async (
  storage: Storage,
  manifest: Manifest,
): Promise<WorldState | undefined> => {
  const state = await readOne(storage, manifest);
  return state instanceof WorldState ? state : undefined;
};

/** A checkpoint as it was read. */
export interface LoadedCheckpoint {
  state: WorldState;
  manifest: Manifest | undefined;
  /** Checkpoint files that were skipped because they cannot be used. */
  passedOver: Unusable[];
}

/**
 * The newest whole checkpoint, or an empty world when there is none.
 * @param mode.before ignores checkpoints that are not older than this one
 * @throws OtherFormat
 */
export const readCheckpoint = async (
  storage: Storage,
  mode: { before?: string } = {},
): Promise<LoadedCheckpoint> => {
  const { manifests: all, unusable: passedOver } = await readManifests(storage);
  const { before } = mode;
  const counts = ({ folder }: Manifest) => before === undefined || folder < before;
  for (const manifest of all.filter(counts).reverse()) {
    const state = await readOne(storage, manifest);
    if (state instanceof WorldState) return { state, manifest, passedOver };
    passedOver.push(state);
  }
  return { state: new WorldState({ isLoading: true }), manifest: undefined, passedOver };
};

/**
 * Deletes all but the newest checkpoints, unfinished and damaged ones included. One whose manifest
 * could not be read stays, since another attempt may read it.
 * @param damaged folders of checkpoints that cannot be used
 * @returns the `seq` below which the journal is no longer needed
 */
export const pruneCheckpoints = async (
  storage: Storage,
  damaged: ReadonlySet<string> = new Set(),
): Promise<number> => {
  const { keys, manifests: all, unusable } = await readManifests(storage);
  const kept = all.filter(({ folder }) => !damaged.has(folder)).slice(-KEPT);
  if (kept.length === 0) return 0;
  const keep = new Set(
    kept.flatMap(({ chunks, folder }) => [...chunks.map(({ key }) => key), manifestKey(folder)]),
  );
  const unread = unusable
    .filter(({ found }) => isUnread(found))
    .map(({ key }) => `${folderOfManifest(key)}:`);
  for (const key of keys)
    if (!keep.has(key) && !unread.some((folder) => key.startsWith(folder)))
      await storage.removeItem(key);
  return kept.length < KEPT ? 0 : (kept[0]?.from ?? 0);
};

/** Deletes the files of one checkpoint, which was not finished. */
const removeUnfinished = async (storage: Storage, folder: string): Promise<void> => {
  for (const key of await checkpointKeys(storage))
    if (key.startsWith(`${folder}:`)) await storage.removeItem(key);
};
