import type { Kind } from "../../../src/domain/records/records.ts";
import { KINDS } from "../../../src/domain/records/tables.ts";
import type { Change } from "../../../src/runtime/change.ts";
import type { Engine } from "../../../src/runtime/engine.ts";
import type { WorldState } from "../../../src/runtime/world-state.ts";

/** Records and balances of a world by name, as JSON. */
export type Contents = Map<string, string>;

/** Everything that a state holds. */
export const contentsOf = (state: WorldState): Contents => {
  const contents: Contents = new Map();
  for (const kind of KINDS)
    for (const record of state.each(kind))
      contents.set(`${kind} ${record.id}`, JSON.stringify(record));
  for (const { account, currency, minor } of state.allBalances())
    contents.set(`balance ${account} ${currency}`, `${minor}`);
  return contents;
};

/** The first things in which two contents differ; nothing when they are equal. */
export const differenceOf = (
  found: Contents,
  wanted: Contents,
  passes: (name: string) => boolean = () => true,
): string | undefined => {
  for (const [name, text] of wanted)
    if (passes(name) && found.get(name) !== text)
      return `${name} is ${found.get(name) ?? "missing"} where ${text} was expected`;
  for (const [name, text] of found)
    if (passes(name) && !wanted.has(name)) return `${name} is ${text} where nothing was expected`;
  return undefined;
};

/**
 * A second copy of a world, made from its changes by rules of its own: later records take the place
 * of earlier ones, and postings add up.
 */
export class Replica {
  /** The world as it was found: read from storage, or copied. */
  readonly born: { seq: number; contents: Contents };
  private readonly engine: Engine;
  /** The world as it was when it was last loaded. */
  base: { seq: number; contents: Contents };
  private changes: Change[] = [];

  constructor(engine: Engine) {
    this.engine = engine;
    this.born = { seq: engine.state.seq, contents: contentsOf(engine.state) };
    this.base = this.born;
    engine.listeners.add({
      changed: (change) => void this.changes.push(change),
      loaded: () => this.rebase(),
    });
  }

  /** The contents at a point since the world was last loaded; nothing for an earlier one. */
  at(seq: number): Contents | undefined {
    if (seq < this.base.seq) return undefined;
    const contents = new Map(this.base.contents);
    for (const change of this.changes) {
      if (change.seq > seq) break;
      takeInto(contents, change);
    }
    return contents;
  }

  /** The newest point that it knows. */
  newest(): number {
    return this.changes.at(-1)?.seq ?? this.base.seq;
  }

  /** The first thing in which a state that was read from storage differs from this copy. */
  differenceFrom(state: WorldState): string | undefined {
    if (state.seq < this.newest()) return `its last point is ${state.seq}, not ${this.newest()}`;
    const wanted = this.at(state.seq);
    return wanted && differenceOf(contentsOf(state), wanted, isReplicated);
  }

  /** Ids of events that changes after a point have sent. */
  eventsAfter(seq: number): string[] {
    const lost = this.changes.filter((change) => change.seq > seq);
    return lost.flatMap(({ emit = [] }) => emit.map(({ id }) => id));
  }

  /** The first change after a point since the world was last loaded. */
  firstAfter(seq: number): Change | undefined {
    return seq < this.base.seq ? undefined : this.changes.find((change) => change.seq > seq);
  }

  private rebase() {
    const { state } = this.engine;
    this.base = { seq: state.seq, contents: contentsOf(state) };
    this.changes = [];
  }
}

const EVENTS: readonly Kind[] = ["Event", "Delivery"];

/** Names that a replica knows: events and deliveries are made by the state from what was emitted. */
export const isReplicated = (name: string) => !EVENTS.some((kind) => name.startsWith(`${kind} `));

const takeInto = (contents: Contents, { opens, put = [], del = [], post = [] }: Change) => {
  if (opens) contents.clear();
  for (const [kind, record] of put) contents.set(`${kind} ${record.id}`, JSON.stringify(record));
  for (const [kind, id] of del) contents.delete(`${kind} ${id}`);
  for (const [account, currency, minor] of post) {
    const name = `balance ${account} ${currency}`;
    contents.set(name, `${BigInt(contents.get(name) ?? "0") + BigInt(minor)}`);
  }
};
