import { namedFiles } from "../../domain/customers/document-files.ts";
import { hostTime } from "../../machine/host-time.ts";
import type { Change } from "../../runtime/change.ts";
import type { Journal } from "../../runtime/journal.ts";
import type { PastPoint, RestorePoint } from "../../runtime/past/restore-points.ts";
import { WorldState } from "../../runtime/world-state.ts";
import { partsOfState } from "../format/checkpoint.ts";
import type {
  Gathered,
  HeldWorld,
  NewFork,
  StateImage,
  StoppedWorld,
  StoredWorld,
  WorldFacts,
  WorldOwner,
  WriteParts,
} from "../port/held-world.ts";
import type { Item } from "../port/items.ts";
import { Fenced } from "../port/store-trouble.ts";
import { callerKeysByRecord } from "./caller-index.ts";
import { EngineJournal } from "./engine-journal.ts";
import type { EngineParts } from "./engine-parts.ts";

import { EnginePoints, type GivenImage } from "./engine-points.ts";
import { EngineTimeline } from "./engine-timeline.ts";

import { answeredWithin } from "./engine-trouble.ts";
import { guardedWrite } from "./guarded-write.ts";
import {
  encodeImage,
  IMAGE,
  type Image,
  itemsHolder,
  partsOf,
  pointHolder,
  pointsOf,
  restorePointOf,
  startHolder,
  worldHolder,
} from "./state-image.ts";
import type { Holding, Keeping, WorldRow, Writing } from "./store-engine.ts";

/** Wait for a write whose outcome may have to be settled first, wall milliseconds. */
const SETTLED_MS = 12_000;

/** The place of a state that a caller was given: in a holder, or on the timeline as it was then. */
type Given = GivenImage | { timeline: number };

/** A world in an engine that several processes share (spec/store.md#worlds). */
export class EngineWorld implements HeldWorld {
  readonly gathered: Gathered = { checkpointBytes: 0, segments: 0, hasDamage: false };
  readonly facts: WorldFacts;
  readonly place: string;
  private readonly parts: EngineParts;
  /** The world as it was taken; its fence and last change are those of the journal, once there is one. */
  private readonly holding: Holding;
  private readonly given = new WeakMap<WorldState, Given>();
  private readonly kept: EnginePoints;
  private timeline: EngineTimeline;
  private current: EngineJournal | undefined;
  private owner: WorldOwner | undefined;
  private callers = callerKeysByRecord(new WorldState());
  private namedBefore: readonly string[] = [];
  private items: Record<string, Buffer> | undefined;
  /** Writes come one after the other, each by the journal that is open then. */
  private lane: Promise<unknown> = Promise.resolve();
  /** The write under way, while it is one without a journal. */
  private direct: Promise<void> | undefined;

  /** @param begin what its timeline begins with, where that need not be read */
  constructor(parts: EngineParts, row: WorldRow, begin?: Image) {
    const { name, from, isLate, fence, timeline: number, seq } = row;
    this.parts = parts;
    parts.held(name);
    this.facts = { name, ...(from !== undefined && { from }), ...(isLate && { isLate }) };
    this.place = `the world ${name} of ${parts.engine.place}`;
    this.holding = { name, owner: parts.process, fence, timeline: number, seq };
    this.kept = new EnginePoints(parts, { world: name, place: this.place });
    this.timeline = this.timelineOf(number, begin);
    this.gathered.checkpointBytes = begin?.checkpoint?.size ?? 0;
  }

  private timelineOf(number: number, begin: Image | undefined) {
    const { place } = this;
    return new EngineTimeline(this.parts.reader, { place, number }, { begin, manifests: [] });
  }

  get fence() {
    return this.holding.fence;
  }

  async attach(owner: WorldOwner) {
    this.owner = owner;
  }

  placeOf(item: Item) {
    return `the ${item} of ${this.place}`;
  }

  async item(item: Item) {
    const { items } = this;
    if (items && item !== "requests") return items[item];
    const all = await this.parts.engine.items(itemsHolder(this.facts.name));
    // Up to 8 MiB, which are asked for once.
    const { requests: _, ...kept } = all;
    this.items = kept;
    return all[item];
  }

  async putItem(item: Item, bytes: Buffer | undefined) {
    const written = this.write(() => ({
      items: [{ holder: itemsHolder(this.facts.name), name: item, bytes }],
    }));
    await answeredWithin(written, SETTLED_MS, hostTime);
    // What is read next is what the engine has.
    this.items = undefined;
  }

  async read(): Promise<StoredWorld> {
    const { name, seq } = this.holding;
    const items = await this.parts.engine.items(worldHolder(name));
    const read = await this.timeline.read(items, seq);
    const { state, passedOver, checkpointBytes, readBytes } = read;
    const hasDamage = passedOver.length > 0;
    Object.assign(this.gathered, { checkpointBytes, segments: 0, hasDamage } satisfies Gathered);
    this.callers = callerKeysByRecord(state);
    this.namedBefore = namedFiles(state);
    const recovery = { records: seq, tornBytes: 0, readBytes, atMs: state.atMs };
    return { state, recovery, passedOver };
  }

  journal({ seq, sizeBytes }: { seq: number; sizeBytes: number }): Journal {
    const { flusher, lease } = this.parts;
    const { owner, holding, direct } = this;
    const journal = new EngineJournal({
      holding: { ...holding, seq },
      flusher,
      lease,
      callers: this.callers,
      dueAtMs: () => owner?.dueAtMs() ?? null,
      onFailure: (failure) => owner?.failed(failure),
      onLate: () => owner?.late(),
      earlierBytes: sizeBytes,
    });
    this.current = journal;
    // It flushes nothing before that write has ended, and continues with its fence.
    if (direct)
      void journal
        .between(async (own) => {
          await direct.catch(() => {});
          own.fence = holding.fence;
        })
        .catch(() => {});
    return journal;
  }

  rotate(journal: Journal, { what }: { what: "point" | "checkpoint" }): Journal {
    if (what === "checkpoint") this.current?.beginAnew();
    return journal;
  }

  async checkpoint(seq: number, write: WriteParts) {
    const { timeline, gathered } = this;
    const isThere = timeline.hasCheckpointAt(seq);
    if (isThere && !gathered.hasDamage) return;
    const manifest = isThere ? undefined : await this.parts.reader.store(write);
    const facts = timeline.with(manifest);
    await this.write(() => ({ keep: [timeline.keeping(this.facts.name, this.files(), facts)] }));
    await timeline.take(facts);
    if (manifest) gathered.checkpointBytes = manifest.size;
    gathered.hasDamage = false;
  }

  /**
   * Files that its records name, and those that they named at the last checkpoint: a change that drops
   * a name may not be in the engine yet.
   */
  private files(): string[] {
    const named = this.owner?.files() ?? [];
    const all = [...new Set([...named, ...this.namedBefore])];
    this.namedBefore = named;
    return all;
  }

  reach() {
    return this.timeline.reach();
  }

  async earlier(point: PastPoint): Promise<WorldState | undefined> {
    const { timeline } = this;
    const state = await timeline.earlier(point);
    if (state) this.given.set(state, { timeline: timeline.number });
    return state;
  }

  changes(range: { after: number; upTo: number }): Promise<readonly Change[]> {
    return this.timeline.changes(range);
  }

  points() {
    return this.kept.list();
  }

  async savePoint(name: string, image: StateImage): Promise<RestorePoint> {
    const holder = pointHolder(this.facts.name, name);
    const kept = await this.imageOf(image, await this.kept.nextOrder());
    await this.write(() => ({ keep: [keepingOf(holder, kept)] }));
    this.kept.keep(holder, kept);
    return restorePointOf(name, kept);
  }

  async loadPoint(name: string): Promise<WorldState | undefined> {
    return this.give(await this.kept.load(name));
  }

  removePoint(name: string): Promise<boolean> {
    return this.kept.remove(name, (holder) => this.write(() => ({ drop: [holder] })));
  }

  async loadStart(): Promise<WorldState> {
    return this.give(await this.kept.loadStart()) ?? new WorldState();
  }

  private give(read: { state: WorldState; from: GivenImage } | undefined) {
    if (read) this.given.set(read.state, read.from);
    return read?.state;
  }

  async switchTo(image: StateImage) {
    const number = await this.parts.engine.newTimeline();
    const begin = await this.imageOf(image, 0);
    const { state } = image;
    const timeline = this.timelineOf(number, begin);
    const callers = callerKeysByRecord(state);
    const keys = [...new Set([...callers.values()].flat())];
    const switched = {
      keep: [timeline.keeping(this.facts.name, namedFiles(state))],
      switchTo: { timeline: number, seq: state.seq, callers: keys, dueAtMs: dueNow(state) },
    };
    await this.write(
      () => switched,
      () => {
        Object.assign(this.holding, { timeline: number, seq: state.seq });
        Object.assign(this, { timeline, callers, current: undefined });
      },
    );
    const checkpointBytes = begin.checkpoint?.size ?? 0;
    Object.assign(this.gathered, { checkpointBytes, segments: 0, hasDamage: false });
  }

  async fork({ facts, identity, image, first }: NewFork): Promise<HeldWorld> {
    const { engine, process } = this.parts;
    const timeline = await engine.newTimeline();
    const from = await this.imageOf(image, 0);
    const { state } = first;
    const own = { timeline, after: from.meta.seq, upTo: state.seq };
    const begin: Image = {
      ...from,
      ...factsOf(state),
      clock: state.clock,
      changes: [...from.changes, own],
      reach: image.reach ?? from.reach,
    };
    const callers = [...new Set([...callerKeysByRecord(state).values()].flat())];
    const world = keepingOf(worldHolder(facts.name), begin);
    const dueAtMs = dueNow(state);
    await this.write(() => ({
      fork: {
        facts,
        timeline,
        seq: state.seq,
        batch: { first: own.after + 1, last: state.seq, lines: first.line },
        callers,
        dueAtMs,
        keep: [
          { ...world, pins: [...world.pins, { timeline, after: state.seq }] },
          keepingOf(startHolder(facts.name), begin),
          { holder: itemsHolder(facts.name), parts: [], pins: [], items: { identity } },
        ],
      },
    }));
    const row = { ...facts, order: 0, owner: process, fence: 1, timeline, seq: state.seq };
    const fork = new EngineWorld(this.parts, row, begin);
    fork.callers = callerKeysByRecord(state);
    return fork;
  }

  /** The image of a state: what the engine has already, or parts that are written now. */
  private async imageOf(
    { state, clock, isOnTimeline, reach }: StateImage,
    order: number,
  ): Promise<Image> {
    const { timeline } = this;
    const given = this.given.get(state);
    const facts = { ...factsOf(state), clock, order };
    if (given && "image" in given && this.kept.isStill(given, state))
      return { ...given.image, ...facts, ...(reach && { reach }) };
    const isHere =
      isOnTimeline || (given && "timeline" in given && given.timeline === timeline.number);
    if (isHere && timeline.gives(state.seq)) {
      const here = timeline.at(state.seq);
      return { ...facts, ...here, reach: reach ?? here.reach };
    }
    const checkpoint = await this.parts.reader.store(partsOfState(state));
    return {
      ...facts,
      checkpoint,
      changes: [],
      reach: reach ?? { seq: state.seq, atMs: state.atMs },
    };
  }

  async release(end: { seq?: number; summary?: StoppedWorld; documents: string[] }) {
    const { seq, summary } = end;
    this.parts.released(this.facts.name);
    // Freed with the lease, or taken again: what it was like is not known.
    if (seq === undefined || !summary) return;
    const dueAtMs = this.owner?.dueAtMs() ?? null;
    const freed = this.write(() => ({ release: { summary: JSON.stringify(summary), dueAtMs } }));
    await answeredWithin(freed, SETTLED_MS, hostTime);
  }

  async remove() {
    const { name } = this.facts;
    this.parts.released(name);
    const points = await this.parts.engine.holders(pointsOf(name), IMAGE);
    const drop = [startHolder(name), itemsHolder(name), ...points.map(({ holder }) => holder)];
    await this.write(() => ({ remove: true, drop }));
  }

  /**
   * Writes rows of the world, between two flushes of its journal.
   * @param written called before the next write
   */
  private write(writing: () => Writing, written = () => {}): Promise<void> {
    const done = this.lane.then(async () => {
      await this.writeNow(writing);
      written();
    });
    this.lane = done.catch(() => {});
    return done;
  }

  private async writeNow(writing: () => Writing) {
    const guarded = { engine: this.parts.engine, time: hostTime };
    const act = async (holding: Holding) => {
      try {
        await guardedWrite(guarded, holding, writing());
      } finally {
        const { fence, seq } = holding;
        Object.assign(this.holding, { fence, seq });
      }
    };
    const { current } = this;
    try {
      if (current && !current.isLost) return await current.between(act);
      this.direct = act(this.holding).finally(() => {
        this.direct = undefined;
      });
      await this.direct;
    } catch (error) {
      // What is in memory may be old.
      if (error instanceof Fenced) this.current?.lose(error.message);
      throw error;
    }
  }
}

const factsOf = (state: WorldState) => ({
  meta: state.meta(),
  records: state.recordCount(),
  files: namedFiles(state),
});

/** A world on a new timeline is due at once, if it has a timer and a running clock: who owns it knows. */
const dueNow = (state: WorldState) =>
  state.clock?.mode === "real" && state.nextTimer() ? 0 : null;

const keepingOf = (holder: string, image: Image): Keeping => ({
  holder,
  parts: partsOf(image),
  files: image.files,
  pins: image.changes,
  items: { [IMAGE]: encodeImage(image) },
});
