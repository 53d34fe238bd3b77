import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import { startTokenOf } from "../../domain/platform/platform.ts";
import type { Kind } from "../../domain/records/records.ts";
import { KINDS } from "../../domain/records/tables.ts";
import type { Branch } from "../branch.ts";
import { FORMAT_VERSION } from "../change.ts";
import type { ClockState } from "../clock.ts";
import { type HistoryImage, hasHistory } from "../history.ts";
import { postingImage } from "../posting-columns.ts";
import type { WorldState } from "../world-state.ts";

/** Version of the form of these files; newer ones are refused. */
export const FILE_VERSION = 1;
/** Balances, postings or histories of one line. */
const PER_LINE = 200;

/** The first line of a file. */
export interface Head {
  snapshot: number;
  format: number;
  program: string;
  name: string;
  world: string;
  seed: string;
  branch: Branch;
  at: number;
  seq: number;
  counter: number;
  clock?: ClockState;
}

/** One line: checksum, length in bytes, JSON, as in the journal. */
const lineOf = (body: object) => {
  const json = JSON.stringify(body);
  return `${crc32(json).toString(16).padStart(8, "0")} ${Buffer.byteLength(json)} ${json}\n`;
};

function* parts<Item>(items: Iterable<Item>): Generator<Item[], undefined> {
  let part: Item[] = [];
  for (const item of items) {
    part.push(item);
    if (part.length < PER_LINE) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

/** Records as the file has them: the credentials of the world stay with it. */
function* recordsOf(
  state: WorldState,
  secretHash: string,
): Generator<{ k: Kind; r: { id: string } }, undefined> {
  const startId = startTokenOf(state)?.id;
  for (const kind of KINDS)
    for (const id of state.keptIds(kind)) {
      const record = state.get(kind, id) as { id: string };
      yield { k: kind, r: id === startId ? { ...record, secretHash } : record } as never;
    }
}

function* pastOf(state: WorldState): Generator<HistoryImage, undefined> {
  for (const kind of KINDS.filter(hasHistory))
    for (const id of state.keptIds(kind)) {
      const entries = state.history.of(id);
      if (entries.length > 0) yield [id, entries];
    }
}

/**
 * Writes a state as text: it holds no private key and no client secret (spec/snapshots.md#files).
 * @param options.secretHash digest of the client secret that counts where it is read; none by default
 */
export const snapshotFile = (
  state: WorldState,
  { name, program, secretHash = "" }: { name: string; program: string; secretHash?: string },
): string => {
  const { world, seed, branch, atMs: at, seq, counter, clock } = state;
  const head: Head = {
    snapshot: FILE_VERSION,
    format: FORMAT_VERSION,
    program,
    name,
    world,
    seed,
    branch,
    at,
    seq,
    counter,
    ...(clock && { clock }),
  };
  const lines = [lineOf(head)];
  for (const record of recordsOf(state, secretHash)) lines.push(lineOf(record));
  for (const balances of parts(state.balanceImages().sort())) lines.push(lineOf({ balances }));
  for (const postings of parts(state.postings))
    lines.push(lineOf({ postings: postings.map(postingImage) }));
  for (const past of parts(pastOf(state))) lines.push(lineOf({ past }));
  const sha256 = hash("sha256", lines.join(""), "hex");
  return lines.join("") + lineOf({ end: lines.length, sha256 });
};
