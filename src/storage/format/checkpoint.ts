import { isAscii } from "node:buffer";
import { crc32 } from "node:zlib";
import type { Storage } from "unstorage";
import type { Kind } from "../../domain/records/records.ts";
import { KINDS } from "../../domain/records/tables.ts";
import { nextTurn } from "../../machine/host-time.ts";
import { FORMAT_VERSION } from "../../runtime/change.ts";
import type { Engine } from "../../runtime/engine.ts";
import { type HistoryImage, hasHistory } from "../../runtime/history.ts";
import { postingImage } from "../../runtime/posting-columns.ts";
import { balanceImage, WorldState } from "../../runtime/world-state.ts";
import { bytesAt, isUnread } from "./checked-file.ts";
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

/** Records serialized in one turn of the event loop, about 0.6 ms of work. */
const SLICE_RECORDS = 1000;
/** Size past which a checkpoint begins a new file. */
const CHUNK_CHARACTERS = 4 * 1024 * 1024;
/** Postings kept one by one; older ones are folded into opening postings. */
export const MAX_POSTINGS = 200_000;
/** Checkpoints kept: if the newest proves unreadable, the one before is used. */
const KEPT = 2;

/** Raised when the world was loaded again or reset while a checkpoint was being written. */
export class Overtaken extends Error {}

/**
 * Writes the world in slices while commits continue. Its ledger is of one instant; its records may
 * be newer, which does no harm: applying whole records again gives the same state.
 */
export const writeCheckpoint = async ({
  storage,
  engine,
  segment,
  damaged = new Set(),
}: {
  storage: Storage;
  engine: Engine;
  segment: string;
  /** Folders of checkpoints that cannot be used. */
  damaged?: ReadonlySet<string>;
}): Promise<Manifest> => {
  const { state, generation } = engine;
  const newest = (await manifests(storage)).findLast(({ folder }) => !damaged.has(folder));
  if (newest?.from === state.seq) return newest;
  const requireSame = () => {
    if (engine.generation !== generation) throw new Overtaken();
  };
  await prepare(state);
  const folder = folderOf(state.seq);
  try {
    const written = await writeParts(storage, { state, folder }, requireSame);
    requireSame();
    const { seq: to, atMs: toAtMs } = state;
    await engine.journal.reached(to);
    requireSame();
    const manifest = { ...written, to, toAtMs, segment };
    await storeManifest(storage, manifest);
    return manifest;
  } catch (error) {
    // The unfinished half would take the space that the journal needs.
    await removeUnfinished(storage, folder).catch(() => {});
    throw error;
  }
};

/** Writes a checkpoint of a world that has no journal of its own, at its present point. */
export const writeWhole = async (storage: Storage, state: WorldState): Promise<Manifest> => {
  const fork = state.fork();
  await prepare(fork);
  const written = await writeParts(storage, { state: fork, folder: folderOf(fork.seq) }, () => {});
  const manifest = { ...written, to: state.seq, toAtMs: state.atMs, segment: NO_SEGMENT };
  await storeManifest(storage, manifest);
  return manifest;
};

/** Reads what a load has left for later, and folds old postings. */
const prepare = async (state: WorldState) => {
  while (state.readPart() || state.history.readPart()) await nextTurn();
  if (state.postings.length > MAX_POSTINGS) state.foldPostings(MAX_POSTINGS / 2);
};

/** Sorts before all segments. */
const NO_SEGMENT = "0-0";

/** @param check is called before each slice, and throws to give up */
const writeParts = async (
  storage: Storage,
  { state, folder }: { state: WorldState; folder: string },
  check: () => void,
): Promise<Omit<Manifest, "to" | "segment">> => {
  const from = state.seq;
  const meta = state.meta();
  const balances = state.allBalances();
  const postings = state.postings.fork();
  const ids = KINDS.map((kind) => [kind, state.keptIds(kind)] as const);
  const writer = new ChunkWriter(storage, folder);
  const slices = async <T>(items: Sliceable<T>, add: (item: T) => void) => {
    for (let at = 0; at < items.length; at += SLICE_RECORDS) {
      check();
      for (const item of items.slice(at, at + SLICE_RECORDS)) add(item);
      await writer.write();
      await nextTurn();
    }
  };
  for (const [kind, own] of ids)
    await slices(own, (id) => {
      const record = state.get(kind, id);
      if (record) writer.addRecord(kind, record);
    });
  for (const [kind, own] of ids)
    if (hasHistory(kind))
      await slices(own, (id) => {
        const past = state.history.of(id);
        if (past.length > 0) writer.add("history", [id, past] satisfies HistoryImage);
      });
  await slices(balances, (balance) => writer.add("balances", balanceImage(balance)));
  await slices(postings, (posting) => writer.add("postings", postingImage(posting)));
  const { chunks, size } = await writer.end();
  return { format: FORMAT_VERSION, folder, from, chunks, size, meta };
};

/** An array, or a list of ids that would take long to copy at once. */
interface Sliceable<T> {
  readonly length: number;
  slice(from: number, to: number): readonly T[];
}

class ChunkWriter {
  private readonly storage: Storage;
  private readonly folder: string;
  private readonly chunks: Chunk[] = [];
  private pending: (Pick<Chunk, "kind" | "holds"> & { text: string })[] = [];
  private kind: Chunk["kind"] = "balances";
  private ids: string[] = [];
  private lines: string[] = [];
  private length = 0;
  private size = 0;

  constructor(storage: Storage, folderName: string) {
    this.storage = storage;
    this.folder = folderName;
  }

  add(kind: Chunk["kind"], item: unknown) {
    if (kind !== this.kind) this.cut();
    this.kind = kind;
    const line = JSON.stringify(item);
    this.lines.push(line);
    this.length += line.length;
    if (this.length >= CHUNK_CHARACTERS) this.cut();
  }

  /** Adds a record; records of a kind are added in the order of their ids. */
  addRecord(kind: Kind, record: { id: string }) {
    if (kind !== this.kind) this.cut();
    this.kind = kind;
    this.ids.push(record.id);
    this.add(kind, record);
  }

  private cut() {
    const { kind, ids, lines } = this;
    const text = `[${lines.join(",")}]`;
    const [first] = ids;
    const last = ids.at(-1);
    const holds = first && last ? { first, last, count: ids.length } : undefined;
    if (lines.length > 0) this.pending.push({ kind, text, ...(holds && { holds }) });
    this.ids = [];
    this.lines = [];
    this.length = 0;
  }

  /** Stores full chunks. */
  async write() {
    for (const { text, ...chunk } of this.pending.splice(0)) {
      const key = `${this.folder}:${this.chunks.length}`;
      const bytes = Buffer.from(text);
      this.chunks.push({ key, crc: crc32(bytes), ...chunk });
      this.size += bytes.length;
      await this.storage.setItemRaw(key, bytes);
    }
  }

  async end() {
    this.cut();
    await this.write();
    return { chunks: this.chunks, size: this.size };
  }
}

/** Copies text of one-byte characters as it is; decoding UTF-8 costs twice as much. */
const textOf = (bytes: Buffer) => bytes.toString(isAscii(bytes) ? "latin1" : "utf8");

/** Bytes of a chunk, or the reason why they cannot be used. */
const readChunk = async (storage: Storage, { key, crc }: Chunk): Promise<Buffer | Unusable> => {
  const bytes = await bytesAt(storage, key);
  if (!Buffer.isBuffer(bytes)) return { key, found: bytes?.found ?? "no file" };
  return crc32(bytes) === crc ? bytes : { key, found: "a wrong checksum" };
};

const parse = (bytes: Buffer) => JSON.parse(textOf(bytes)) as never[];

/** The world in a checkpoint, at its `from`, or the part that is missing or damaged. */
const readOne = async (storage: Storage, manifest: Manifest): Promise<WorldState | Unusable> => {
  const state = new WorldState({ isLoading: true });
  const all = await Promise.all(manifest.chunks.map((chunk) => readChunk(storage, chunk)));
  for (const [at, { kind, holds }] of manifest.chunks.entries()) {
    const bytes = all[at] as Buffer | Unusable;
    if (!Buffer.isBuffer(bytes)) return bytes;
    const read = () => parse(bytes);
    if (kind === "history") state.history.loadLater(read);
    else if (kind === "balances") state.loadBalances(read());
    else if (kind === "postings") state.loadPostings(read());
    else if (holds) state.loadLater(kind, { ...holds, read });
    else state.loadRecords(kind, read());
  }
  state.loadMeta(manifest.meta);
  return state;
};

/** The world in one checkpoint, at its `from`; nothing when it cannot be read. */
export const readFrom = async (
  storage: Storage,
  manifest: Manifest,
): Promise<WorldState | undefined> => {
  const state = await readOne(storage, manifest);
  return state instanceof WorldState ? state : undefined;
};

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
