import { randomBytes } from "node:crypto";
import type { Storage } from "unstorage";
import type { Kind } from "../../../domain/records/records.ts";
import { isBranch } from "../../../runtime/branch.ts";
import type { WorldMeta } from "../../../runtime/world-state.ts";
import { readChecked, storeChecked } from "../../format/checked-file.ts";

export interface Chunk {
  key: string;
  kind: Kind | "balances" | "postings" | "history";
  crc: number;
  /** Ids of its first and last record and their number, for a chunk of records. */
  holds?: { first: string; last: string; count: number };
}

/** Table of contents of a checkpoint; written last, so a checkpoint without it is unfinished. */
export interface Manifest {
  format: number;
  /** Prefix of the keys of its parts. */
  folder: string;
  /** Last change that it surely holds; later ones are applied again from the journal. */
  from: number;
  /** Newest change that it may already hold. */
  to: number;
  /** Instant of that change; missing in checkpoints of earlier versions. */
  toAtMs?: number;
  /** Journal segment begun for it: earlier segments hold nothing after `from`. */
  segment: string;
  chunks: Chunk[];
  /** Total characters of all chunks. */
  size: number;
  meta: WorldMeta;
}

/** A checkpoint file that cannot be used, with the reason. */
export interface Unusable {
  key: string;
  found: string;
}

/** Zero-padded, so that newer folders sort later; partly random, so that no key is used twice. */
export const folderOf = (from: number) =>
  `checkpoint:${String(from).padStart(12, "0")}-${randomBytes(4).toString("hex")}`;

const FOLDER = /^checkpoint:[0-9]{12,15}-[0-9a-f]+:/;
const SUFFIX = ":manifest";

export const manifestKey = (folder: string) => `${folder}${SUFFIX}`;

export const folderOfManifest = (key: string) => key.slice(0, -SUFFIX.length);

/** Keys of all checkpoint files; other files in the folder are foreign. */
export const checkpointKeys = async (storage: Storage): Promise<string[]> =>
  (await storage.getKeys("checkpoint")).filter((key) => FOLDER.test(key));

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);

/** Recognizes the facts about a world after a change. */
export const isMeta = (meta: unknown, from: unknown): meta is WorldMeta => {
  const { world, seed, branch, counter, seq, atMs } = (meta ?? {}) as Partial<WorldMeta>;
  const texts = [world, seed].every((one) => typeof one === "string");
  return texts && isBranch(branch) && [counter, atMs].every(isWhole) && seq === from;
};

/** Checkpoints as one listing has found them. */
export interface Checkpoints {
  /** Keys of all their files. */
  keys: string[];
  /** Oldest first. */
  manifests: Manifest[];
  /** Those that cannot be used. */
  unusable: Unusable[];
}

/** Reads the manifests of all checkpoints. */
export const readManifests = async (storage: Storage): Promise<Checkpoints> => {
  const keys = await checkpointKeys(storage);
  const manifests: Manifest[] = [];
  const unusable: Unusable[] = [];
  for (const key of keys.filter((one) => one.endsWith(SUFFIX)).sort()) {
    const folder = folderOfManifest(key);
    const image = await readChecked<Manifest>(storage, { kind: "manifest", key });
    if (image && "body" in image && image.body.folder === folder) manifests.push(image.body);
    else if (image)
      unusable.push({ key, found: "found" in image ? image.found : "another's manifest" });
  }
  return { keys, manifests, unusable };
};

/** The readable manifests, oldest first. */
export const manifests = async (storage: Storage): Promise<Manifest[]> =>
  (await readManifests(storage)).manifests;

export const storeManifest = (storage: Storage, manifest: Manifest): Promise<void> =>
  storeChecked(storage, { kind: "manifest", key: manifestKey(manifest.folder) }, manifest);
