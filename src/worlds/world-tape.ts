import type { Brand } from "../contract/core/brand-words.ts";
import type { FaultImage } from "../http/fault-injection.ts";
import type { Change } from "../runtime/change.ts";
import type { AttemptAnswer } from "../runtime/ports.ts";
import type { Identity } from "../runtime/storage/identity.ts";
import type { WorldState } from "../runtime/world-state.ts";
import type { Drawn } from "./edges.ts";
import type { NotedFact } from "./fact-notes.ts";

/** Bounds of tapes (spec/capsules.md#recordings-of-worlds). */
export const TAPE = {
  /** Bytes of a world with those forked from it. */
  maxBytes: 4 * 1024 * 1024,
  /** Bytes of all worlds of a process, and of those that are gone. */
  inAll: 64 * 1024 * 1024,
} as const;

/** Bytes that a tape counts for beside its entries: its beginning shares most with other worlds. */
const BASE_BYTES = 16 * 1024;
/** Bytes that a call or another entry counts for beside its texts. */
const ENTRY_BYTES = 512;
/** Bytes that each record of a change counts for. */
const RECORD_BYTES = 256;

/** A call of either surface, as it was made and answered. */
export interface TapedCall {
  kind: "call";
  world: string;
  /** The world whose tape it is on, where another one was asked. */
  of?: string;
  /** Moments of its beginning and of the end of its rule. */
  at: number;
  worked?: number;
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
  | { kind: "drawn"; world: string; at: number; what: Drawn; value: string }
  | { kind: "advance"; world: string; at: number; w: number; e: number; span: string };

const bytesOf = (entry: TapedEntry): number => {
  switch (entry.kind) {
    case "call": {
      const { url, body, reply, headers } = entry;
      const texts = url.length + (body?.length ?? 0) + (reply.text?.length ?? 0);
      return ENTRY_BYTES + texts + headers.length * 32;
    }
    case "change": {
      const { put = [], emit = [], del = [] } = entry.change;
      return ENTRY_BYTES + RECORD_BYTES * (put.length + del.length + 4 * emit.length);
    }
    case "attempt":
      return ENTRY_BYTES + entry.body.length;
    default:
      return ENTRY_BYTES;
  }
};

/** A world as it stood at the beginning of its tape. */
export interface TapedBirth {
  name: string;
  state: WorldState;
  identity: Identity;
  clientId: string;
  start: number;
  requests: number;
  latestMs: number;
  counts: FaultImage;
}

/** Entries of a world and of those forked from it, which one bound holds for. */
export class FamilyTape {
  entries: TapedEntry[] = [];
  bytes = 0;
  /** Set when it was too long: nothing of it is kept. */
  isOver = false;

  drop() {
    const { bytes } = this;
    this.entries = [];
    this.bytes = 0;
    this.isOver = true;
    return bytes;
  }
}

/** The recording of one world since its birth, or since it was loaded. */
export class WorldTape {
  readonly name: string;
  /** The world as it stood; let go with the entries. */
  birth: TapedBirth | undefined;
  /** The starting world as it stood then; none for the tape of the starting world. */
  starting: TapedBirth | undefined;
  /** The world that it was forked from, where that is another one than the starting world. */
  readonly parent: WorldTape | undefined;
  readonly family: FamilyTape;
  /** Moment and reading of the system clock. */
  readonly at: number;
  readonly w: number;
  /** Its present state: the last one, once the world is gone. */
  state: () => WorldState;
  isGone = false;
  /** Reading of the system clock behind the newest change of the world's clock. */
  clockReadingMs: number | undefined;

  constructor(
    birth: TapedBirth,
    {
      starting,
      parent,
      at,
      w,
      state,
    }: {
      starting: TapedBirth | undefined;
      parent: WorldTape | undefined;
      at: number;
      w: number;
      state: () => WorldState;
    },
  ) {
    this.name = birth.name;
    this.birth = birth;
    this.starting = starting;
    this.parent = parent;
    this.family = parent?.family ?? new FamilyTape();
    this.at = at;
    this.w = w;
    this.state = state;
  }

  /** The world is gone: its last state is kept, and nothing else of it. */
  end() {
    const last = this.state();
    this.state = () => last;
    this.isGone = true;
  }

  /** Lets go of the states that it began with: nothing can be repeated from them. */
  letGo() {
    this.birth = undefined;
    this.starting = undefined;
  }

  /** Whether it is the tape of a world, or of one that descends from it. */
  isOf(ancestor: WorldTape): boolean {
    return this === ancestor || (this.parent?.isOf(ancestor) ?? false);
  }
}

/** Tapes of all worlds of a process, and of worlds that are gone while there is room. */
export class TapeRoom {
  /** By name, the newest of each; those of one family stay together. */
  private readonly tapes = new Map<string, WorldTape>();
  private bytes = 0;

  add(tape: WorldTape) {
    const before = this.tapes.get(tape.name);
    if (before) this.forget(before);
    this.tapes.set(tape.name, tape);
    this.count(tape, BASE_BYTES);
  }

  get(name: string): WorldTape | undefined {
    return this.tapes.get(name);
  }

  all(): Iterable<WorldTape> {
    return this.tapes.values();
  }

  keep(tape: WorldTape, entry: TapedEntry) {
    const { family } = tape;
    if (family.isOver) return;
    family.entries.push(entry);
    this.count(tape, bytesOf(entry));
  }

  private count(tape: WorldTape, by: number) {
    const { family } = tape;
    if (family.isOver) return;
    family.bytes += by;
    this.bytes += by;
    if (family.bytes > TAPE.maxBytes) this.drop(family);
    while (this.bytes > TAPE.inAll && this.makeRoom()) {}
  }

  /** Forgets the oldest tape whose worlds are gone; where there is none, empties the longest. */
  private makeRoom(): boolean {
    for (const tape of this.tapes.values())
      if (tape.isGone && !tape.parent && !tape.family.isOver) {
        this.forget(tape);
        return true;
      }
    let longest: FamilyTape | undefined;
    for (const { family } of this.tapes.values())
      if (!longest || family.bytes > longest.bytes) longest = family;
    if (!longest || longest.bytes === 0) return false;
    this.drop(longest);
    return true;
  }

  private drop(family: FamilyTape) {
    this.bytes -= family.drop();
    for (const tape of this.tapes.values()) if (tape.family === family) tape.letGo();
  }

  /** Takes a tape out, with those of worlds that descend from it. */
  private forget(tape: WorldTape) {
    for (const one of [...this.tapes.values()]) if (one.isOf(tape)) this.tapes.delete(one.name);
    if (!tape.parent) this.bytes -= tape.family.drop();
  }
}
