import type { Kind } from "../../../src/domain/records/records.ts";
import { KINDS } from "../../../src/domain/records/tables.ts";
import type { Branch } from "../../../src/runtime/branch.ts";
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

/** A world from one point on, as long as it stays on one branch. */
interface Stretch {
  branch: Branch;
  base: { seq: number; contents: Contents };
  changes: Change[];
}

const newestOf = ({ base, changes }: Stretch) => changes.at(-1)?.seq ?? base.seq;

/**
 * A second copy of a world, made from its changes by rules of its own: later records take the place
 * of earlier ones, and postings add up.
 */
export class Replica {
  /** The world as it was found: read from storage, or copied. */
  readonly born: Stretch["base"];
  private readonly engine: Engine;
  /** Branches of the world, oldest first: each reset, rewind and restore begins one. */
  private readonly stretches: Stretch[] = [];

  constructor(engine: Engine) {
    this.engine = engine;
    this.born = this.rebase().base;
    engine.listeners.add({
      changed: (change) => this.take(change),
      loaded: () => void this.rebase(),
    });
  }

  /** The world as it was when it was last loaded, or opened again. */
  get base() {
    return this.current.base;
  }

  /** The contents at a point of a branch; nothing when it does not know the point. */
  at(seq: number, branch: Branch): Contents | undefined {
    const stretch = this.stretchOf(seq, branch);
    // The next process may have continued before anybody looked.
    if (!stretch || seq > newestOf(stretch)) return undefined;
    const contents = new Map(stretch.base.contents);
    for (const change of stretch.changes) {
      if (change.seq > seq) break;
      takeInto(contents, change);
    }
    return contents;
  }

  /** The point at which it was found, when that is on a branch. */
  readOn(branch: Branch): number | undefined {
    const [first] = this.stretches;
    return first?.branch === branch ? first.base.seq : undefined;
  }

  /** The first thing in which a state that was read from storage differs from this copy. */
  differenceFrom(state: WorldState): string | undefined {
    const newest = newestOf(this.current);
    if (state.seq < newest) return `its last point is ${state.seq}, not ${newest}`;
    const wanted = this.at(state.seq, state.branch);
    return wanted && differenceOf(contentsOf(state), wanted, isReplicated);
  }

  /** Ids of events that changes after a point of a branch have sent. */
  eventsAfter(seq: number, branch: Branch): string[] {
    const { changes = [] } = this.stretchOf(seq, branch) ?? {};
    const later = changes.filter((change) => change.seq > seq);
    return later.flatMap(({ emit = [] }) => emit.map(({ id }) => id));
  }

  /** The first change after a point since the world was last loaded. */
  firstAfter(seq: number): Change | undefined {
    const { base, changes } = this.current;
    return seq < base.seq ? undefined : changes.find((change) => change.seq > seq);
  }

  private newest(): Contents {
    const contents = new Map(this.current.base.contents);
    for (const change of this.current.changes) takeInto(contents, change);
    return contents;
  }

  private get current(): Stretch {
    return this.stretches.at(-1) as Stretch;
  }

  private stretchOf(seq: number, branch: Branch): Stretch | undefined {
    return this.stretches.findLast((one) => one.branch === branch && one.base.seq <= seq);
  }

  private take(change: Change) {
    const { opens, forks } = change;
    const { branch } = opens ?? forks ?? {};
    if (branch === undefined) return void this.current.changes.push(change);
    const contents: Contents = opens ? new Map() : this.newest();
    takeInto(contents, change);
    this.stretches.push({ branch, base: { seq: change.seq, contents }, changes: [] });
  }

  private rebase(): Stretch {
    const { state } = this.engine;
    const base = { seq: state.seq, contents: contentsOf(state) };
    const stretch = { branch: state.branch, base, changes: [] };
    this.stretches.push(stretch);
    return stretch;
  }
}

const EVENTS: readonly Kind[] = ["Event", "Delivery"];

/**
 * Names that a replica knows: events and deliveries are made by the state from what was emitted.
 */
export const isReplicated = (name: string) => !EVENTS.some((kind) => name.startsWith(`${kind} `));

const takeInto = (contents: Contents, { put = [], del = [], post = [] }: Change) => {
  for (const [kind, record] of put) contents.set(`${kind} ${record.id}`, JSON.stringify(record));
  for (const [kind, id] of del) contents.delete(`${kind} ${id}`);
  for (const [account, currency, minor] of post) {
    const name = `balance ${account} ${currency}`;
    contents.set(name, `${BigInt(contents.get(name) ?? "0") + BigInt(minor)}`);
  }
};
