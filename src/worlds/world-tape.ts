import type { Brand } from "../contract/core/brand-words.ts";
import type { FaultImage } from "../http/door/fault-injection.ts";
import type { Change } from "../runtime/change.ts";
import type { AttemptAnswer } from "../runtime/ports.ts";
import type { WorldState } from "../runtime/world-state.ts";
import type { Identity } from "../storage/world/identity.ts";
import type { DrawnKind } from "./boundary.ts";
import type { NotedFact } from "./fact-notes.ts";
import { MOST_TOLD, type RecordedWebhooks } from "./last-webhooks.ts";

/** Bytes that an entry counts for beside its texts. */
const ENTRY_BYTES = 512;
/** Bytes that a header of a call, and a fact, count for beside their texts. */
const PART_BYTES = 64;
/** Bytes that each record of a change counts for. */
const RECORD_BYTES = 256;

const lettersOf = (headers: Iterable<readonly [string, string]>) => {
  let letters = 0;
  for (const [name, value] of headers) letters += name.length + value.length;
  return letters;
};

const textBytes = (text = "") => Buffer.byteLength(text);

/** A call of either surface, as it was made and answered. */
export interface TapedCall {
  kind: "call";
  world: string;
  /** Moments of its beginning, of the end of its rule and of its answer. */
  at: number;
  worked?: number;
  done: number;
  w: number;
  e: number;
  id: string;
  method: string;
  url: string;
  headers: readonly [string, string][];
  /** False where its method has none. */
  hasBody: boolean;
  body?: Buffer;
  facts: readonly NotedFact[];
  reply: { status: number; headers: Record<string, string>; text?: string; brand?: Brand };
}

/** Everything that reached a world from outside, and what changed in it. */
export type TapedEntry =
  | TapedCall
  | { kind: "change"; world: string; at: number; change: Change }
  | { kind: "attempt"; world: string; at: number; w: number; body: Buffer; answer: AttemptAnswer }
  | { kind: "drawn"; world: string; at: number; what: DrawnKind; value: string }
  | {
      kind: "advance";
      world: string;
      at: number;
      done: number;
      w: number;
      e: number;
      span: string;
    };

/** Moment at which an entry was whole. */
export const doneAt = (entry: TapedEntry): number => ("done" in entry ? entry.done : entry.at);

const bytesOf = (entry: TapedEntry): number => {
  switch (entry.kind) {
    case "call": {
      const { url, body, reply, headers, facts } = entry;
      const texts = url.length + (body?.length ?? 0) + textBytes(reply.text);
      const sent = lettersOf(headers) + lettersOf(Object.entries(reply.headers));
      return ENTRY_BYTES + texts + sent + PART_BYTES * (headers.length + facts.length);
    }
    case "change": {
      const { put = [], emit = [], del = [] } = entry.change;
      return ENTRY_BYTES + RECORD_BYTES * (put.length + del.length + 4 * emit.length);
    }
    case "attempt": {
      const { reply, body, error } = entry.answer;
      const answer = textBytes(reply) + textBytes(body) + textBytes(error);
      return ENTRY_BYTES + entry.body.length + answer;
    }
    default:
      return ENTRY_BYTES;
  }
};

/** A world as it stood at the beginning of its tape. */
export interface TapedFork {
  name: string;
  state: WorldState;
  identity: Identity;
  clientId: string;
  start: number;
  requests: number;
  latestMs: number;
  counts: FaultImage;
}

/** A refused call as it is kept, also where the recording is too long. */
export type RefusedTaped = Pick<TapedCall, "at" | "id" | "method" | "url"> & {
  reply: Pick<TapedCall["reply"], "status" | "text" | "brand">;
};

/** Parts that a tape begins with. */
interface TapeStart {
  starting: TapedFork | undefined;
  parent: WorldTape | undefined;
  w: number;
  webhooks: () => RecordedWebhooks;
  /** Bytes that its beginning counts for. */
  base: number;
}

/** The recording of one world since its birth, or since it was loaded. */
export class WorldTape {
  readonly name: string;
  /** The world as it stood; let go with the entries. */
  birth: TapedFork | undefined;
  /** The default world as it stood then; none for the tape of the default world. */
  starting: TapedFork | undefined;
  /** The world that it was forked from, where that is another one than the default world. */
  parent: WorldTape | undefined;
  /** Reading of the system clock. */
  readonly w: number;
  /** Its newest webhooks: the last ones, once the world is gone. */
  webhooks: () => RecordedWebhooks;
  entries: TapedEntry[] = [];
  /** Bytes that its entries count for, or what is left of them, and those of its beginning. */
  bytes = 0;
  base: number;
  calls = 0;
  /** The newest refused calls. */
  refused: RefusedTaped[] = [];
  /** Set when it was too long: nothing can be repeated from it. */
  isOver = false;
  isGone = false;
  /** Reading of the system clock behind the newest change of the world's clock. */
  clockReadingMs: number | undefined;

  constructor(birth: TapedFork, { starting, parent, w, webhooks, base }: TapeStart) {
    this.name = birth.name;
    this.birth = birth;
    this.starting = starting;
    this.parent = parent;
    this.w = w;
    this.webhooks = webhooks;
    this.base = base;
  }

  /** The world is gone: its last webhooks are told from now on, and its state is let go. */
  end() {
    const last = this.webhooks();
    this.webhooks = () => last;
    this.isGone = true;
  }

  take(entry: TapedEntry) {
    if (entry.kind === "call") this.count(entry);
    if (this.isOver) {
      this.bytes = this.refusedBytes();
    } else {
      this.entries.push(entry);
      this.bytes += bytesOf(entry);
    }
  }

  /** Lets go of its entries and of the states that it began with. */
  letGo() {
    this.isOver = true;
    this.entries = [];
    this.birth = undefined;
    this.starting = undefined;
    this.bytes = this.refusedBytes();
    this.base = TAPE.overBytes;
  }

  private count({ at, id, method, url, reply: { status, text, brand } }: TapedCall) {
    this.calls += 1;
    if (status < 400) return;
    const reply = { status, ...(text !== undefined && { text }), ...(brand && { brand }) };
    this.refused = [...this.refused.slice(1 - MOST_TOLD), { at, id, method, url, reply }];
  }

  private refusedBytes() {
    return this.refused.reduce(
      (bytes, { url, reply }) => bytes + url.length + textBytes(reply.text),
      0,
    );
  }
}

/** Bounds of tapes (spec/capsules.md#recordings-of-worlds). */
export const TAPE = {
  /** Bytes of a world, and of a capsule with what it has of forks. */
  maxBytes: 4 * 1024 * 1024,
  /** Bytes of all worlds of a process, and of those that are gone. */
  inAll: 64 * 1024 * 1024,
  /** Bytes that a beginning counts for where it shares all with other worlds, and at most. */
  baseBytes: 16 * 1024,
  maxBaseBytes: 16 * 1024 * 1024,
  /** Bytes that a tape counts for of which nothing can be repeated. */
  overBytes: 4 * 1024,
} as const;

/** Tapes of all worlds of a process, and of worlds that are gone while there is room. */
export class TapeRoom {
  /** By name, the newest of each, in the order of their births. */
  private readonly tapes = new Map<string, WorldTape>();
  private bytes = 0;

  add(tape: WorldTape) {
    const before = this.tapes.get(tape.name);
    if (before) this.forget(before);
    this.tapes.set(tape.name, tape);
    this.bytes += tape.base;
    this.bound();
  }

  get(name: string): WorldTape | undefined {
    return this.tapes.get(name);
  }

  keep(tape: WorldTape, entry: TapedEntry) {
    if (this.tapes.get(tape.name) !== tape) return;
    this.changed(tape, () => tape.take(entry));
    if (tape.bytes > TAPE.maxBytes && !tape.isOver) this.changed(tape, () => tape.letGo());
    this.bound();
  }

  /** A tape with those of worlds that descend from it, the oldest first. */
  familyOf(tape: WorldTape): WorldTape[] {
    const family = new Set([tape]);
    for (const one of this.tapes.values())
      if (one.parent && family.has(one.parent)) family.add(one);
    return [...family];
  }

  /** Those of a family whose calls its capsule has: the newest within the bound. */
  repeatedOf(tape: WorldTape): WorldTape[] {
    const [, ...forks] = this.familyOf(tape);
    const left = new Set<WorldTape>();
    let bytes = forks.reduce((sum, one) => sum + one.bytes, tape.bytes);
    for (const one of forks) {
      // What came of a fork cannot be repeated without it.
      const isLeft = one.isOver || bytes > TAPE.maxBytes || (one.parent && left.has(one.parent));
      if (!isLeft) continue;
      left.add(one);
      bytes -= one.bytes;
    }
    return [tape, ...forks.filter((one) => !left.has(one))];
  }

  private bound() {
    while (this.bytes > TAPE.inAll && this.makeRoom()) {}
  }

  /** Forgets the oldest tape whose world is gone; where there is none, empties the longest. */
  private makeRoom(): boolean {
    for (const tape of this.tapes.values())
      if (tape.isGone) {
        this.forget(tape);
        return true;
      }
    let longest: WorldTape | undefined;
    for (const tape of this.tapes.values())
      if (!tape.isOver && (!longest || sizeOf(tape) > sizeOf(longest))) longest = tape;
    if (!longest) return false;
    const over = longest;
    this.changed(over, () => over.letGo());
    return true;
  }

  private changed(tape: WorldTape, change: () => void) {
    this.bytes -= sizeOf(tape);
    change();
    this.bytes += sizeOf(tape);
  }

  private forget(tape: WorldTape) {
    this.tapes.delete(tape.name);
    this.bytes -= sizeOf(tape);
    // Tapes of its forks hold it, and would hold all that it came from.
    tape.parent = undefined;
    tape.refused = [];
    tape.letGo();
  }
}

const sizeOf = ({ bytes, base }: WorldTape) => bytes + base;
