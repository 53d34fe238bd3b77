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
import { StoreTrouble } from "../port/store-trouble.ts";
import { callerKeysByRecord } from "./caller-index.ts";
import { EngineJournal } from "./engine-journal.ts";
import type { EngineParts } from "./engine-parts.ts";
import { EnginePoints, type GivenImage } from "./engine-points.ts";
import { EngineTimeline } from "./engine-timeline.ts";
import { ANSWER_MS, answeredWithin } from "./engine-trouble.ts";
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
import type { Keeping, WorldRow } from "./store-engine.ts";
import { freeWorld, SETTLED_MS, WorldWrites } from "./world-writes.ts";

const noMore = () => {};

/** The place of a state that a caller was given: in a holder, or on the timeline as it was then. */
type Given = GivenImage | { timeline: number };

/** A world in an engine that several processes share (spec/store.md#worlds). */
export class EngineWorld implements HeldWorld {
  readonly gathered: Gathered = { checkpointBytes: 0, segments: 0, hasDamage: false };
  readonly facts: WorldFacts;
  readonly place: string;
  private readonly parts: EngineParts;
  private readonly writes: WorldWrites;
  private readonly given = new WeakMap<WorldState, Given>();
  private readonly kept: EnginePoints;
  private timeline: EngineTimeline;
  private owner: WorldOwner | undefined;
  private callers = callerKeysByRecord(new WorldState());
  private namedBefore: readonly string[] = [];
  private items: Record<string, Buffer> | undefined;

  /** @param begin what its timeline begins with, where that need not be read */
  constructor(parts: EngineParts, row: WorldRow, begin?: Image) {
    const { name, from, isLate, fence, timeline: number, seq } = row;
    this.parts = parts;
    parts.held(name, this);
    this.facts = { name, ...(from !== undefined && { from }), ...(isLate && { isLate }) };
    this.place = `the world ${name} of ${parts.engine.place}`;
    const holding = { name, owner: parts.process, fence, timeline: number, seq };
    this.writes = new WorldWrites(parts, holding);
    this.kept = new EnginePoints(parts, { world: name, place: this.place });
    this.timeline = this.timelineOf(number, begin);
    this.gathered.checkpointBytes = begin?.checkpoint?.size ?? 0;
  }

  private timelineOf(number: number, begin: Image | undefined) {
    const { place } = this;
    return new EngineTimeline(this.parts.reader, { place, number }, { begin, manifests: [] });
  }

  get fence() {
    return this.writes.holding.fence;
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
    const holder = itemsHolder(this.facts.name);
    const writing = () => ({ items: [{ holder, name: item, bytes }] });
    // What is read next is what the engine has.
    const forget = () => {
      this.items = undefined;
    };
    await this.writes.run(writing, forget, SETTLED_MS);
  }

  async read(): Promise<StoredWorld> {
    const { name, seq } = this.writes.holding;
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
    const { owner, writes } = this;
    const journal = new EngineJournal({
      holding: { ...writes.holding, seq },
      flusher,
      lease,
      callers: this.callers,
      dueAtMs: () => owner?.dueAtMs() ?? null,
      onFailure: (failure) => owner?.failed(failure),
      onLate: () => owner?.late(),
      earlierBytes: sizeBytes,
    });
    writes.continueBy(journal);
    return journal;
  }

  rotate(journal: Journal, { what }: { what: "point" | "checkpoint" }): Journal {
    if (what === "checkpoint") this.writes.current?.beginAnew();
    return journal;
  }

  async checkpoint(seq: number, write: WriteParts) {
    const { timeline, gathered } = this;
    const isThere = timeline.hasCheckpointAt(seq);
    if (isThere && !gathered.hasDamage) return;
    const manifest = isThere ? undefined : await this.parts.reader.store(write);
    const facts = timeline.with(manifest);
    await this.writes.run(
      () => ({ keep: [timeline.keeping(this.facts.name, this.files(), facts)] }),
      async () => {
        await timeline.take(facts);
        if (manifest) gathered.checkpointBytes = manifest.size;
        gathered.hasDamage = false;
      },
    );
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
    return this.writes.run(
      () => ({ keep: [keepingOf(holder, kept)] }),
      () => {
        this.kept.keep(holder, kept);
        return restorePointOf(name, kept);
      },
    );
  }

  async loadPoint(name: string): Promise<WorldState | undefined> {
    return this.give(await this.kept.load(name));
  }

  removePoint(name: string): Promise<boolean> {
    return this.kept.remove(name, (holder) => this.writes.run(() => ({ drop: [holder] }), noMore));
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
    await this.writes.run(
      () => switched,
      () => {
        Object.assign(this.writes.holding, { timeline: number, seq: state.seq });
        this.writes.current = undefined;
        Object.assign(this, { timeline, callers });
        const checkpointBytes = begin.checkpoint?.size ?? 0;
        Object.assign(this.gathered, { checkpointBytes, segments: 0, hasDamage: false });
      },
    );
  }

  async fork({ facts, identity, image, first }: NewFork): Promise<HeldWorld> {
    const { engine, process } = this.parts;
    const timeline = await engine.newTimeline();
    const from = await this.imageOf(image, 0);
    const { state } = first ?? image;
    const own = { timeline, after: from.meta.seq, upTo: state.seq };
    const begin: Image = {
      ...from,
      ...factsOf(state),
      clock: state.clock,
      changes: first ? [...from.changes, own] : from.changes,
      reach: image.reach ?? from.reach,
    };
    const callers = [...new Set([...callerKeysByRecord(state).values()].flat())];
    const world = keepingOf(worldHolder(facts.name), begin);
    const made = {
      facts,
      timeline,
      seq: state.seq,
      ...(first && { batch: { first: own.after + 1, last: state.seq, lines: first.line } }),
      callers,
      dueAtMs: dueNow(state),
      keep: [
        { ...world, pins: [...world.pins, { timeline, after: state.seq }] },
        keepingOf(startHolder(facts.name), begin),
        { holder: itemsHolder(facts.name), parts: [], pins: [], items: { identity } },
      ],
    };
    const { seq } = state;
    const row = { ...facts, order: 0, owner: process, fence: 1, timeline, seq };
    await this.writes
      .run(() => ({ fork: made }), noMore)
      .catch((error) => {
        // Nobody has it in memory: whoever asks for it, or finds it due, may serve it.
        if (error instanceof StoreTrouble)
          error.later?.then(() => freeWorld(this.parts, row), noMore);
        throw error;
      });
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
    const isNewest = this.parts.released(this.facts.name, this);
    if (!isNewest) return;
    if (seq === undefined || !summary) return this.free();
    const dueAtMs = this.owner?.dueAtMs() ?? null;
    const release = { summary: JSON.stringify(summary), dueAtMs };
    await this.writes.run(() => ({ release }), noMore, SETTLED_MS);
  }

  /**
   * Frees the world as the engine has it, where this process owns it still. What its journal could not
   * write is tried on for as long as the lease holds: then the world is free with that.
   */
  private async free() {
    const { parts } = this;
    if (this.writes.current?.hasUnwritten) return;
    const freed = parts.engine.find(this.facts.name).then(async (row) => {
      if (row?.owner === parts.process) await freeWorld(parts, { ...row, owner: parts.process });
    });
    await answeredWithin(freed, ANSWER_MS, hostTime).catch(() => {});
  }

  async remove() {
    const { name } = this.facts;
    this.parts.released(name, this);
    const points = await this.parts.engine.holders(pointsOf(name), IMAGE);
    const drop = [startHolder(name), itemsHolder(name), ...points.map(({ holder }) => holder)];
    await this.writes.run(() => ({ remove: true, drop }), noMore);
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
