import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import { CLOCK_MODES } from "../../contract/control/clock-modes.ts";
import { startTokenOf } from "../../domain/platform/platform.ts";
import type { Kind, Records } from "../../domain/records/records.ts";
import { KINDS } from "../../domain/records/tables.ts";
import { type Branch, isBranch } from "../branch.ts";
import { FORMAT_VERSION } from "../change.ts";
import type { ClockState } from "../clock.ts";
import { type HistoryImage, hasHistory } from "../history.ts";
import { type BalanceImage, type PostingImage, postingImage, WorldState } from "../world-state.ts";
import { upgradedRecord } from "./format-upgrade.ts";

/** Version of the form of these files; newer ones are refused. */
const FILE_VERSION = 1;
/** Balances, postings or histories of one line. */
const PER_LINE = 200;

/** A file that cannot be taken in; nothing was changed. */
export class SnapshotFileProblem extends Error {
  override readonly name = "SnapshotFileProblem";
  readonly found: string;

  constructor(message: string, found: string) {
    super(message);
    this.found = found;
  }
}

interface Head {
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

type Line =
  | { k: Kind; r: { id: string } }
  | { balances: BalanceImage[] }
  | { postings: PostingImage[] }
  | { past: HistoryImage[] };

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

const HEADER = /^([0-9a-f]{8}) ([0-9]{1,12}) /;

const damaged = (n: number, found: string) =>
  new SnapshotFileProblem(
    `Expected a whole line ${n} but found ${found}; nothing changed`,
    `${found} in line ${n}`,
  );

/** The body of a line, whose checksum fits. */
const bodyOf = (line: string, n: number): Record<string, unknown> => {
  const [text = "", checksum = "", length] = HEADER.exec(line) ?? [];
  const json = line.slice(text.length);
  if (text === "") throw damaged(n, "no line of a snapshot");
  if (Buffer.byteLength(json) !== Number(length)) throw damaged(n, "a wrong length");
  if (crc32(json) !== Number.parseInt(checksum, 16)) throw damaged(n, "a wrong checksum");
  return JSON.parse(json);
};

const isClock = (clock: unknown) => {
  if (clock === undefined) return true;
  const { mode, offsetMs, instantMs, speed = 1 } = (clock ?? {}) as Partial<ClockState>;
  return (
    CLOCK_MODES.some((one) => one === mode) &&
    speed > 0 &&
    Number.isFinite(offsetMs) &&
    Number.isSafeInteger(instantMs)
  );
};

const headOf = (body: Record<string, unknown>): Head => {
  const head = body as unknown as Head;
  const isWhole =
    [head.snapshot, head.format, head.at, head.seq, head.counter].every(Number.isSafeInteger) &&
    [head.program, head.name, head.world, head.seed].every((text) => typeof text === "string") &&
    isBranch(head.branch) &&
    isClock(head.clock);
  const isNewer = head.snapshot > FILE_VERSION || head.format > FORMAT_VERSION;
  if (isNewer)
    throw new SnapshotFileProblem(
      `Expected a snapshot of version ${FILE_VERSION}.${FORMAT_VERSION} or older but found ` +
        `${head.snapshot}.${head.format}, written by service-sim ${head.program}; nothing changed`,
      `version ${head.snapshot}.${head.format}`,
    );
  if (!isWhole) throw damaged(1, "members that do not fit");
  return head;
};

/** Adds one line to a state; false for a line of a kind that is not known. */
const take = (state: WorldState, line: Line, format: number): boolean => {
  if ("k" in line) {
    if (!KINDS.includes(line.k) || typeof line.r?.id !== "string") return false;
    const record = upgradedRecord(line.k, line.r, format) as Records[Kind];
    state.loadRecords(line.k, [record] as never);
  } else if ("balances" in line) state.loadBalances(line.balances);
  else if ("postings" in line) state.loadPostings(line.postings);
  else if ("past" in line) {
    const { past } = line;
    state.history.loadLater(() => past);
  } else return false;
  return true;
};

/**
 * Reads an exported snapshot, all of it before anything is changed.
 * @throws SnapshotFileProblem for a file that is cut, damaged or of a newer version
 */
export const readSnapshotFile = (text: string): { name: string; state: WorldState } => {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const tail = lines.pop() ?? "";
  if (lines.length === 0)
    throw new SnapshotFileProblem(
      "Expected an exported snapshot but found another file; nothing changed",
      "another file",
    );
  const bodies = lines.map((line, at) => bodyOf(line, at + 1));
  const [first = {}] = bodies;
  const head = headOf(first);
  const end = bodies.at(-1) as { end?: number; sha256?: string };
  if (end.end === undefined || tail !== "")
    throw new SnapshotFileProblem(
      `Expected the end of the snapshot but the file is cut after line ${lines.length}; nothing changed`,
      `the file is cut after line ${lines.length}`,
    );
  const content = `${lines.slice(0, -1).join("\n")}\n`;
  if (end.end !== lines.length - 1 || end.sha256 !== hash("sha256", content, "hex"))
    throw new SnapshotFileProblem(
      `Expected the ${end.end} lines that its end names but found others; nothing changed`,
      "lines that its end does not name",
    );
  const state = new WorldState();
  for (const [at, body] of bodies.slice(1, -1).entries())
    if (!take(state, body as Line, head.format)) throw damaged(at + 2, "an unknown kind of line");
  const { world, seed, branch, at: atMs, seq, counter, clock } = head;
  state.loadMeta({ world, seed, branch, atMs, seq, counter, clock });
  return { name: head.name, state };
};
