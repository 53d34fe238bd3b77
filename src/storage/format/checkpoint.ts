import { isAscii } from "node:buffer";
import type { Kind } from "../../domain/records/records.ts";
import { KINDS } from "../../domain/records/tables.ts";
import { nextTurn } from "../../machine/host-time.ts";
import type { Engine } from "../../runtime/engine.ts";
import { type HistoryImage, hasHistory } from "../../runtime/history.ts";
import { postingImage } from "../../runtime/posting-columns.ts";
import { balanceImage, type WorldMeta, WorldState } from "../../runtime/world-state.ts";
import type { CheckpointFacts, Part, WriteParts } from "../port/held-world.ts";

/** Records serialized in one turn of the event loop, about 0.6 ms of work. */
const SLICE_RECORDS = 1000;
/** Size past which a checkpoint begins a new part. */
const PART_CHARACTERS = 4 * 1024 * 1024;
/** Postings kept one by one; older ones are folded into opening postings. */
export const MAX_POSTINGS = 200_000;

/** Raised when the world was loaded again or reset while a checkpoint was being written. */
export class Overtaken extends Error {}

type Put = (part: Part) => Promise<void>;

/**
 * Writes the world in slices while commits continue. Its ledger is of one instant; its records may
 * be newer, which does no harm: applying whole records again gives the same state.
 * @throws Overtaken
 */
export const partsOfWorld =
  ({ engine, state, generation }: { engine: Engine } & Pick<Engine, "state" | "generation">) =>
  async (put: Put): Promise<CheckpointFacts> => {
    const requireSame = () => {
      if (engine.generation !== generation) throw new Overtaken();
    };
    await prepare(state);
    const written = await writeParts(put, state, requireSame);
    requireSame();
    const { seq: to, atMs: toAtMs } = state;
    await engine.journal.reached(to);
    requireSame();
    return { ...written, to, toAtMs };
  };

/** Writes a state that nothing changes meanwhile. */
export const partsOfState =
  (state: WorldState): WriteParts =>
  async (put) => {
    const fork = state.fork();
    await prepare(fork);
    const written = await writeParts(put, fork, () => {});
    return { ...written, to: state.seq, toAtMs: state.atMs };
  };

/** Reads what a load has left for later, and folds old postings. */
const prepare = async (state: WorldState) => {
  while (state.readPart() || state.history.readPart()) await nextTurn();
  if (state.postings.length > MAX_POSTINGS) state.foldPostings(MAX_POSTINGS / 2);
};

/** @param check is called before each slice, and throws to give up */
const writeParts = async (
  put: Put,
  state: WorldState,
  check: () => void,
): Promise<Pick<CheckpointFacts, "from" | "meta">> => {
  const from = state.seq;
  const meta = state.meta();
  const balances = state.allBalances();
  const postings = state.postings.fork();
  const ids = KINDS.map((kind) => [kind, state.keptIds(kind)] as const);
  const writer = new PartWriter(put);
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
  await writer.end();
  return { from, meta };
};

/** An array, or a list of ids that would take long to copy at once. */
interface Sliceable<T> {
  readonly length: number;
  slice(from: number, to: number): readonly T[];
}

class PartWriter {
  private readonly put: Put;
  private pending: (Omit<Part, "bytes"> & { text: string })[] = [];
  private kind: Part["kind"] = "balances";
  private ids: string[] = [];
  private lines: string[] = [];
  private length = 0;

  constructor(put: Put) {
    this.put = put;
  }

  add(kind: Part["kind"], item: unknown) {
    if (kind !== this.kind) this.cut();
    this.kind = kind;
    const line = JSON.stringify(item);
    this.lines.push(line);
    this.length += line.length;
    if (this.length >= PART_CHARACTERS) this.cut();
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

  /** Writes full parts. */
  async write() {
    for (const { text, ...part } of this.pending.splice(0))
      await this.put({ ...part, bytes: Buffer.from(text) });
  }

  async end() {
    this.cut();
    await this.write();
  }
}

/** Copies text of one-byte characters as it is; decoding UTF-8 costs twice as much. */
const textOf = (bytes: Buffer) => bytes.toString(isAscii(bytes) ? "latin1" : "utf8");

const parse = (bytes: Buffer) => JSON.parse(textOf(bytes)) as never[];

/** The world that the parts of a checkpoint hold, at its `from`. */
export const stateOfParts = (parts: readonly Part[], meta: WorldMeta): WorldState => {
  const state = new WorldState({ isLoading: true });
  for (const { kind, holds, bytes } of parts) {
    const read = () => parse(bytes);
    if (kind === "history") state.history.loadLater(read);
    else if (kind === "balances") state.loadBalances(read());
    else if (kind === "postings") state.loadPostings(read());
    else if (holds) state.loadLater(kind, { ...holds, read });
    else state.loadRecords(kind, read());
  }
  state.loadMeta(meta);
  return state;
};
