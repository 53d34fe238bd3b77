import { defined } from "../../contract/core/defined.ts";
import type { Draft, Moment } from "../../domain/core/draft.ts";
import { refuse } from "../../domain/core/refusal.ts";
import { keepWorldsOwn, worldsOwn } from "../../domain/platform/platform.ts";
import { factsProblem } from "../../domain/state-facts.ts";
import { endAsForked } from "../../domain/webhooks/forked-deliveries.ts";
import { laterBranch, nextBranch } from "../branch.ts";
import type { Change } from "../change.ts";
import { type ClockState, goingOn } from "../clock.ts";
import { isDamage, WrongState } from "../damage.ts";
import type { Engine } from "../engine.ts";
import { JournalFailure, type Wall } from "../ports.ts";
import { UndoPoints } from "../undo-points.ts";
import type { WorldState } from "../world-state.ts";
import type { PastPoint, RestorePoint, RestorePoints } from "./restore-points.ts";

/** Snapshots of undone parts that are kept (spec/snapshots.md#rewind). */
const UNDONE_KEPT = 5;
const UNDONE_NAME = /^before-rewind-([0-9]+)$/;
/** Name of the state that a reset ended. */
export const BEFORE_RESET = "before-reset";

/** Causes that attempts of webhooks, and the clock at the end of an advance, name. */
const ATTEMPT = "webhook.attempt";
const ADVANCE = "advance";

/** A world keeps its state again when it moved meanwhile, up to this often. */
const MAX_SAVES = 5;

/** A state that the world continued from, in place of the one it had. */
export interface TimelineSwitch {
  /** The last change that still counts; changes with a higher number are undone. */
  seq: number;
  atMs: number;
  /** Snapshot of what came after, when the state is from the world's own past, by a rewind. */
  kept?: string;
  /** The snapshot that was loaded. */
  loaded?: string;
}

/** A point to go back to, and where the clock stands then. */
export interface RewindTarget {
  seq: number;
  atMs: number;
}

/** The way in which a world continues from another state. */
interface SwitchOptions extends Pick<TimelineSwitch, "kept" | "loaded"> {
  clock: ClockState;
  holds?: boolean;
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

export interface TimelineParts {
  engine: Engine;
  points: RestorePoints;
  wall: Wall;
  /** Ends advances: the world that they move is about to be left. */
  leave(): void;
}

/** The states that a world can go back to: those kept by name, and its recent past. */
export class Timelines {
  readonly undoPoints: UndoPoints;
  readonly points: RestorePoints;
  /** Called when the world continues from another state, before anything acts on it. */
  readonly switched = new Set<(turn: TimelineSwitch) => void>();
  /** Snapshot that undoes the last reset or rewind; undefined where none was kept, as of a restore. */
  undoing: string | undefined;
  private readonly parts: TimelineParts;
  private last: Promise<unknown> = Promise.resolve();
  /** False from a reset on until the world changes, attempts of its webhooks excepted. */
  private isTouched = true;
  /** True while the webhooks of a new beginning are sent. */
  private isSending = false;
  private turn: { state: WorldState; tell: () => void } | undefined;

  constructor(parts: TimelineParts) {
    this.parts = parts;
    this.points = parts.points;
    this.undoPoints = new UndoPoints(parts.engine);
    parts.engine.listeners.add({
      changed: ({ by }) => {
        if (by !== ATTEMPT && !(this.isSending && by === ADVANCE)) this.isTouched = true;
      },
      loaded: () => {
        this.isTouched = true;
        if (this.turn?.state === parts.engine.state) this.turn.tell();
      },
    });
  }

  /** The earliest point that a rewind reaches, on the present line of the world. */
  earliest(): { seq: number; atMs: number } {
    const mark = this.undoPoints.earliest();
    const stored = this.points.earliest();
    return stored && stored.seq < mark.seq ? stored : mark;
  }

  /** The world at a point of its present line; nothing when it is out of reach. */
  async at(point: PastPoint): Promise<WorldState | undefined> {
    const seq = "seq" in point ? point.seq : this.undoPoints.seqAt(point.atMs);
    const marked = seq === undefined ? undefined : this.undoPoints.stateAt(seq);
    return marked ?? this.points.earlier(point);
  }

  /** Keeps the present state under a name. */
  save(name: string): Promise<RestorePoint> {
    return this.alone(() => this.points.save(name));
  }

  /** Keeps a state read from elsewhere under a name. */
  put(name: string, state: WorldState): Promise<RestorePoint> {
    return this.alone(() => this.points.put(name, state));
  }

  /**
   * A kept state of the caller's own; nothing when there is none. Refuses one whose files cannot be
   * read, by the file.
   */
  async load(name: string): Promise<{ point: RestorePoint; state: WorldState } | undefined> {
    try {
      const point = this.points.list().find((one) => one.name === name);
      const state = await this.points.load(name);
      const problem = state && factsProblem(state);
      if (problem !== undefined) throw new WrongState(`the snapshot ${name}`, problem);
      return point && state && { point, state };
    } catch (error) {
      if (!isDamage(error)) throw error;
      const why = `the snapshot ${name} is damaged: ${error.message}`;
      const next = `service-sim snapshot remove ${name}      removes it`;
      return refuse("UNAVAILABLE", { why }, { says: `It cannot be loaded: ${why}`, next });
    }
  }

  /** Whether there was one to remove. */
  remove(name: string): Promise<boolean> {
    if (name === this.undoing) this.undoing = undefined;
    return this.alone(() => this.points.remove(name));
  }

  /**
   * Continues from a kept state, with its clock or the present one (spec/snapshots.md#loading).
   * @returns nothing when there is none of that name
   */
  restore(
    name: string,
    { keepClock = false }: { keepClock?: boolean } = {},
  ): Promise<RestorePoint | undefined> {
    return this.exclusively(async () => {
      const loaded = await this.load(name);
      if (!loaded) return undefined;
      const { point, state } = loaded;
      const present = this.parts.engine.clock.stateFromNow();
      this.parts.leave();
      // Stamps of the snapshot are never ahead of the clock.
      const kept = { ...present, instantMs: Math.max(present.instantMs, state.atMs) };
      const clock = this.running(keepClock ? kept : (point.clock ?? present));
      this.undoing = undefined;
      await this.switchTo(state, { clock, loaded: name });
      return point;
    });
  }

  /**
   * Goes back to a point that `find` names when nothing else continues, and keeps what came after
   * it as a snapshot.
   * @param options.holds whether deliveries that are open there stay with the part that is undone
   */
  rewind<Target extends RewindTarget>(
    find: () => Promise<{ target: Target; state: WorldState }>,
    { holds = false }: { holds?: boolean } = {},
  ): Promise<{ target: Target; snapshot: string }> {
    return this.exclusively(async () => {
      const { target, state } = await find();
      this.parts.leave();
      const snapshot = await this.keepUndone();
      const pace = state.clock ?? this.parts.engine.clock.stateFromNow();
      const clock = this.running({ ...pace, instantMs: target.atMs });
      this.undoPoints.expect(state);
      this.undoing = snapshot;
      await this.switchTo(state, { clock, kept: snapshot, holds });
      return { target, snapshot };
    });
  }

  /** Resets to a state of the caller's, with its clock. */
  returnTo(state: WorldState): Promise<void> {
    return this.exclusively(async () => {
      this.parts.leave();
      const clock = this.running(state.clock ?? this.parts.engine.clock.stateFromNow());
      await this.switchTo(state, { clock });
      this.noteRestart();
    });
  }

  /** Says that a reset is done: what is changed from now on is worth keeping at the next one. */
  noteRestart() {
    this.isTouched = false;
  }

  /** Sends the webhooks of a new beginning, which is an advance to the instant at hand. */
  async sending<Done>(work: () => Promise<Done>): Promise<Done> {
    this.isSending = true;
    try {
      return await work();
    } finally {
      this.isSending = false;
    }
  }

  /** Keeps the present state before a reset drops it, unless it is that of the last reset. */
  async keepBeforeReset() {
    if (!this.isTouched) return;
    this.undoing = undefined;
    if (this.parts.engine.readOnlyBecause !== undefined || this.parts.engine.state.seq === 0)
      return;
    await this.alone(() => this.saveAll(BEFORE_RESET));
    this.undoing = BEFORE_RESET;
  }

  /** Keeps the present state with everything that came while it was being kept. */
  private async saveAll(name: string) {
    for (let saves = 0; saves < MAX_SAVES; saves += 1) {
      const { seq } = await this.points.save(name);
      if (seq === this.parts.engine.state.seq) return;
    }
  }

  /** Changes after a point that memory still has. */
  changesAfter(seq: number): readonly Change[] {
    return this.undoPoints.after(seq);
  }

  /** Changes after a point of the present line, those included that only storage has. */
  async changesSince(seq: number): Promise<readonly Change[]> {
    const upTo = this.undoPoints.earliest().seq;
    const stored = seq < upTo ? await this.points.changes({ after: seq, upTo }) : [];
    return [...stored, ...this.changesAfter(seq)];
  }

  private async keepUndone(): Promise<string> {
    const numbers = this.points
      .list()
      .flatMap(({ name }) => UNDONE_NAME.exec(name)?.slice(1).map(Number) ?? []);
    const name = `before-rewind-${Math.max(0, ...numbers) + 1}`;
    await this.saveAll(name);
    const spare = numbers
      .sort((a, b) => a - b)
      .slice(0, Math.max(0, numbers.length + 1 - UNDONE_KEPT));
    for (const number of spare) await this.points.remove(`before-rewind-${number}`);
    return name;
  }

  /** A clock that continues from its instant now. */
  private running(clock: ClockState): ClockState {
    return goingOn(clock, this.parts.wall.nowMs());
  }

  private async switchTo(state: WorldState, { clock, kept, loaded, holds = false }: SwitchOptions) {
    const { engine } = this.parts;
    const { branch, world, seed } = engine.state;
    const own = worldsOwn(engine.state);
    state.branch = nextBranch(laterBranch(branch, state.branch));
    Object.assign(state, { world, seed });
    state.clock = clock;
    const atMs = clock.instantMs;
    const turn: TimelineSwitch = { seq: state.seq, atMs, ...defined({ kept, loaded }) };
    const tell = () => {
      for (const turned of this.switched) turned(turn);
      // An imported state has the credentials and the start of another world.
      if (!isSame(worldsOwn(engine.state), own))
        engine.commit(keepWorldsOwn, own, { cause: "restore", by: "restore" });
      if (holds) this.leaveOpen();
    };
    this.turn = { state, tell };
    let later: Promise<unknown> | undefined;
    try {
      await this.points.switchTo(state, { isOwnPast: kept !== undefined });
    } catch (error) {
      if (error instanceof JournalFailure) later = error.later;
      throw error;
    } finally {
      const end = () => {
        this.turn = undefined;
      };
      // It may be loaded although nobody waits for that; until then no other one begins.
      if (later) later.then(end, end);
      else end();
    }
  }

  /** Leaves open deliveries to the part that is undone: none is attempted here. */
  private leaveOpen() {
    const leave = (draft: Draft, _input: undefined, moment: Moment) => endAsForked(draft, moment);
    this.parts.engine.commit(leave, undefined, { cause: "rewind", by: "rewind" });
  }

  /** Runs work that replaces the world: calls that come meanwhile wait, and answer after it. */
  private exclusively<Done>(work: () => Promise<Done>): Promise<Done> {
    const { engine } = this.parts;
    const mine = this.alone(() => {
      const why = engine.readOnlyBecause;
      return why === undefined ? work() : refuse("UNAVAILABLE", { why });
    });
    engine.gate.closeFor(mine);
    return mine;
  }

  private alone<Done>(work: () => Promise<Done>): Promise<Done> {
    const mine = this.last.then(work, work);
    this.last = mine.catch(() => {});
    return mine;
  }
}
