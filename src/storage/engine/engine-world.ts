import { namedFiles } from "../../domain/customers/document-files.ts";
import { hostTime } from "../../machine/host-time.ts";
import type { Change } from "../../runtime/change.ts";
import { JournalDamage } from "../../runtime/change.ts";
import { isDamage } from "../../runtime/damage.ts";
import type { Journal } from "../../runtime/journal.ts";
import type { DamagedPoint, PastPoint, RestorePoint } from "../../runtime/past/restore-points.ts";
import { isAfter, UntilPoint } from "../../runtime/past/until-point.ts";
import { WorldState } from "../../runtime/world-state.ts";
import { partsOfState } from "../format/checkpoint.ts";
import type {
  Gathered,
  HeldWorld,
  NewFork,
  Reach,
  StateImage,
  StoppedWorld,
  StoredWorld,
  WorldFacts,
  WorldOwner,
  WriteParts,
} from "../port/held-world.ts";
import type { Item } from "../port/items.ts";
import type { SkippedFile } from "../port/recovery.ts";
import { callerKeysByRecord } from "./caller-index.ts";
import { EngineJournal } from "./engine-journal.ts";
import type { EngineParts } from "./engine-parts.ts";
import { answeredWithin } from "./engine-trouble.ts";
import { guardedWrite } from "./guarded-write.ts";
import {
  changesUpTo,
  decodeImage,
  decodeManifest,
  encodeImage,
  encodeManifest,
  IMAGE,
  type Image,
  itemsHolder,
  type Manifest,
  partsOf,
  pointHolder,
  pointsOf,
  restorePointOf,
  startHolder,
  worldHolder,
} from "./state-image.ts";
import type { Holding, Keeping, WorldRow, Writing } from "./store-engine.ts";

/** Checkpoints kept: if the newest proves unreadable, the one before is used. */
const KEPT = 2;

/** Wait for a write whose outcome may have to be settled first, wall milliseconds. */
const SETTLED_MS = 12_000;

/** Names of the items of a world that have its checkpoints. */
const CHECKPOINT = "checkpoint:";

/** Where a state that a caller was given is: in a holder, or on the timeline as it was then. */
type Given = { holder: string; image: Image } | { timeline: number };

/** A world in an engine that several processes share (spec/store.md#worlds). */
export class EngineWorld implements HeldWorld {
  readonly gathered: Gathered = { checkpointBytes: 0, segments: 0, hasDamage: false };
  readonly facts: WorldFacts;
  readonly place: string;
  private readonly parts: EngineParts;
  /** The world as it was taken; its fence and last change are those of the journal, once there is one. */
  private readonly holding: Holding;
  private readonly given = new WeakMap<WorldState, Given>();
  private readonly images = new Map<string, Image>();
  /** What the present timeline begins with; nothing once two checkpoints stand in for it. */
  private begin: Image | undefined;
  private manifests: Manifest[] = [];
  private current: EngineJournal | undefined;
  private owner: WorldOwner | undefined;
  private earliest: Reach = { seq: 0, atMs: 0 };
  private callers = callerKeysByRecord(new WorldState());
  private items: Record<string, Buffer> | undefined;

  constructor(parts: EngineParts, row: WorldRow) {
    const { name, from, isLate, fence, timeline, seq } = row;
    this.parts = parts;
    this.facts = { name, ...(from !== undefined && { from }), ...(isLate && { isLate }) };
    this.place = `the world ${name} of ${parts.engine.place}`;
    this.holding = { name, owner: parts.process, fence, timeline, seq };
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
    this.items ??= { ...(await this.parts.engine.items(itemsHolder(this.facts.name))) };
    return this.items[item];
  }

  async putItem(item: Item, bytes: Buffer | undefined) {
    await this.item(item);
    const written = this.write(() => ({
      items: [{ holder: itemsHolder(this.facts.name), name: item, bytes }],
    }));
    await answeredWithin(written, SETTLED_MS, hostTime);
    if (bytes) Object.assign(this.items ?? {}, { [item]: bytes });
    else delete this.items?.[item];
  }

  async read(): Promise<StoredWorld> {
    const { engine, reader } = this.parts;
    const { name, timeline, seq } = this.holding;
    const items = await engine.items(worldHolder(name));
    const passedOver: SkippedFile[] = [];
    this.begin = items[IMAGE] && decodeImage(items[IMAGE], this.place);
    this.manifests = [];
    for (const [item, bytes] of Object.entries(items).sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (!item.startsWith(CHECKPOINT)) continue;
      const manifest = decodeManifest(bytes);
      if ("found" in manifest) passedOver.push({ file: this.place, found: manifest.found });
      else this.manifests.push(manifest);
    }
    const base = await this.base(passedOver);
    const { state } = base;
    const own = await reader.changes(
      { timeline, after: state.seq, upTo: seq },
      this.place,
      (change) => state.apply(change),
    );
    if (own.seq < seq)
      throw new JournalDamage(
        { file: this.place, offset: 0, wholeRecords: own.seq },
        `changes up to ${own.seq} of ${seq}`,
      );
    const checkpointBytes = base.manifest?.size ?? this.begin?.checkpoint?.size ?? 0;
    const hasDamage = passedOver.length > 0;
    Object.assign(this.gathered, { checkpointBytes, segments: 0, hasDamage } satisfies Gathered);
    this.callers = callerKeysByRecord(state);
    await this.reachAgain();
    const readBytes = base.bytes + own.bytes;
    const recovery = { records: seq, tornBytes: 0, readBytes, atMs: state.atMs };
    return { state, recovery, passedOver };
  }

  /** The state that the changes of the timeline itself come after. */
  private async base(passedOver: SkippedFile[]) {
    const { reader } = this.parts;
    for (const manifest of this.manifests.toReversed()) {
      const state = await reader.checkpoint(manifest);
      if (state instanceof WorldState) return { state, manifest, bytes: 0 };
      passedOver.push({ file: this.place, found: state.found });
      this.manifests = this.manifests.filter((one) => one !== manifest);
    }
    return {
      ...(await reader.image(this.beginning(), { where: this.place })),
      manifest: undefined,
    };
  }

  private beginning(): Image {
    return this.begin ?? decodeImage(undefined, this.place);
  }

  private async reachAgain() {
    const { begin } = this;
    const { timeline } = this.holding;
    if (begin && begin.meta.seq > 0) this.earliest = begin.reach;
    else if (begin) {
      const first = await this.parts.reader.first(timeline, this.place);
      this.earliest = first ? { seq: 1, atMs: first.at } : { seq: 0, atMs: 0 };
    } else {
      const [oldest] = this.manifests;
      this.earliest = { seq: oldest?.to ?? 0, atMs: oldest?.toAtMs ?? 0 };
    }
  }

  journal({ seq, sizeBytes }: { seq: number; sizeBytes: number }): Journal {
    const { flusher, lease } = this.parts;
    const { owner, holding } = this;
    this.current = new EngineJournal({
      holding: { ...holding, seq },
      flusher,
      lease,
      callers: this.callers,
      dueAtMs: () => owner?.dueAtMs() ?? null,
      onFailure: (failure) => owner?.failed(failure),
      onLate: () => owner?.late(),
      earlierBytes: sizeBytes,
    });
    return this.current;
  }

  rotate(journal: Journal, { what }: { what: "point" | "checkpoint" }): Journal {
    if (what === "checkpoint") this.current?.beginAnew();
    return journal;
  }

  async checkpoint(seq: number, write: WriteParts) {
    const newest = this.manifests.at(-1);
    if (newest?.from !== seq) {
      const manifest = await this.parts.reader.store(write);
      const manifests = [...this.manifests, manifest].slice(-KEPT);
      const begin = manifests.length < KEPT ? this.begin : undefined;
      await this.write(() => ({ keep: [this.keeping({ begin, manifests })] }));
      this.manifests = manifests;
      this.begin = begin;
      this.gathered.checkpointBytes = manifest.size;
    }
    this.gathered.hasDamage = false;
    await this.reachAgain();
  }

  /** What the world needs of the engine: its checkpoints, its changes, and files that it names. */
  private keeping(of: {
    begin: Image | undefined;
    manifests: readonly Manifest[];
    timeline?: number;
    files?: readonly string[];
  }): Keeping {
    const {
      begin,
      manifests,
      timeline = this.holding.timeline,
      files = this.owner?.files() ?? [],
    } = of;
    const [oldest] = manifests;
    const after = begin ? begin.meta.seq : (oldest?.from ?? 0);
    const all = [...manifests.map((checkpoint) => ({ checkpoint })), ...(begin ? [begin] : [])];
    const shas = all.flatMap(partsOf);
    const items = manifests.map((manifest) => [
      CHECKPOINT + String(manifest.from).padStart(12, "0"),
      encodeManifest(manifest),
    ]);
    return {
      holder: worldHolder(this.facts.name),
      parts: [...new Set([...shas, ...files])],
      pins: [...(begin?.changes ?? []), { timeline, after }],
      items: { ...Object.fromEntries(items), ...(begin && { [IMAGE]: encodeImage(begin) }) },
    };
  }

  reach() {
    return this.earliest;
  }

  async earlier(point: PastPoint): Promise<WorldState | undefined> {
    const { reader } = this.parts;
    const { timeline } = this.holding;
    const { seq: earliestSeq, atMs } = this.earliest;
    if (isAfter({ seq: earliestSeq, at: atMs }, point)) return undefined;
    const own = async (until: UntilPoint, after: number) => {
      await reader.changes({ timeline, after }, this.place, (change) => until.take(change));
    };
    for (const manifest of this.manifests.toReversed()) {
      if (isAfter({ seq: manifest.to, at: manifest.toAtMs }, point)) continue;
      const state = await reader.checkpoint(manifest);
      if (!(state instanceof WorldState)) continue;
      await own(new UntilPoint(state, point), manifest.from);
      if (state.seq < manifest.to) continue;
      this.given.set(state, { timeline });
      return state;
    }
    if (!this.begin) return undefined;
    const { state, isEnd } = await reader.image(this.begin, { where: this.place, until: point });
    await own(new UntilPoint(state, point, { isPast: !isEnd }), this.begin.meta.seq);
    this.given.set(state, { timeline });
    return state;
  }

  async changes({ after, upTo }: { after: number; upTo: number }): Promise<readonly Change[]> {
    const before = Math.max(after, this.earliest.seq);
    const changes: Change[] = [];
    const take = (change: Change) => {
      if (change.seq > before && change.seq <= upTo) changes.push(change);
    };
    const { timeline } = this.holding;
    const beginsAfter = this.begin?.meta.seq ?? this.manifests[0]?.from ?? 0;
    const ranges = [...(this.begin?.changes ?? []), { timeline, after: beginsAfter, upTo }];
    for (const range of ranges)
      if (range.upTo > before) {
        const from = Math.max(range.after, before);
        await this.parts.reader.changes({ ...range, after: from }, this.place, take);
      }
    return changes;
  }

  async points() {
    const { engine } = this.parts;
    const kept: { image: Image; point: RestorePoint }[] = [];
    const damaged: DamagedPoint[] = [];
    const prefix = pointsOf(this.facts.name);
    for (const { holder, bytes } of await engine.holders(prefix, IMAGE)) {
      const name = holder.slice(prefix.length);
      try {
        const image = decodeImage(bytes, this.snapshotPlace(name));
        if (!this.images.has(holder)) this.images.set(holder, image);
        kept.push({ image, point: restorePointOf(name, image) });
      } catch (error) {
        if (!isDamage(error)) throw error;
        damaged.push({ name, damage: error });
      }
    }
    kept.sort((a, b) => a.image.order - b.image.order);
    return { kept: kept.map(({ point }) => point), damaged };
  }

  private snapshotPlace(name: string) {
    return `the snapshot ${name} of ${this.place}`;
  }

  async savePoint(name: string, image: StateImage): Promise<RestorePoint> {
    const holder = pointHolder(this.facts.name, name);
    const all = [...this.images].filter(([one]) => one.startsWith(pointsOf(this.facts.name)));
    const order = 1 + Math.max(0, ...all.map(([, one]) => one.order));
    const kept = await this.imageOf(image, order);
    await this.write(() => ({ keep: [keepingOf(holder, kept)] }));
    this.images.set(holder, kept);
    return restorePointOf(name, kept);
  }

  async loadPoint(name: string): Promise<WorldState | undefined> {
    return this.loadFrom(pointHolder(this.facts.name, name), this.snapshotPlace(name));
  }

  private async loadFrom(holder: string, where: string): Promise<WorldState | undefined> {
    const image = this.images.get(holder);
    if (!image) return undefined;
    try {
      const { state } = await this.parts.reader.image(image, { where });
      this.given.set(state, { holder, image });
      return state;
    } catch (error) {
      // It went while it was read: it was replaced or removed.
      if (this.images.get(holder) !== image) return this.loadFrom(holder, where);
      throw error;
    }
  }

  async removePoint(name: string): Promise<boolean> {
    const holder = pointHolder(this.facts.name, name);
    const image = this.images.get(holder);
    this.images.delete(holder);
    try {
      await this.write(() => ({ drop: [holder] }));
    } catch (error) {
      if (image) this.images.set(holder, image);
      throw error;
    }
    return image !== undefined;
  }

  async loadStart(): Promise<WorldState> {
    const holder = startHolder(this.facts.name);
    const where = `the beginning of ${this.place}`;
    const { [IMAGE]: bytes } = await this.parts.engine.items(holder);
    this.images.set(holder, decodeImage(bytes, where));
    return (await this.loadFrom(holder, where)) ?? new WorldState();
  }

  async switchTo(image: StateImage) {
    const { engine } = this.parts;
    const timeline = await engine.newTimeline();
    const begin = await this.imageOf(image, 0);
    const { state } = image;
    const files = namedFiles(state);
    const callers = callerKeysByRecord(state);
    const keep = [this.keeping({ begin, manifests: [], timeline, files })];
    const keys = [...new Set([...callers.values()].flat())];
    const switchTo = { timeline, seq: state.seq, callers: keys, dueAtMs: dueNow(state) };
    await this.write(() => ({ keep, switchTo }));
    Object.assign(this.holding, { timeline, seq: state.seq });
    Object.assign(this, { begin, manifests: [], callers, current: undefined });
    const checkpointBytes = begin.checkpoint?.size ?? 0;
    Object.assign(this.gathered, { checkpointBytes, segments: 0, hasDamage: false });
    await this.reachAgain();
  }

  async fork({ facts, identity, image, first }: NewFork): Promise<HeldWorld> {
    const { engine, process } = this.parts;
    const timeline = await engine.newTimeline();
    const from = await this.imageOf(image, 0);
    const { state } = first;
    const own = { timeline, after: from.meta.seq, upTo: state.seq };
    const facts0 = {
      ...from,
      ...factsOf(state),
      clock: state.clock,
      changes: [...from.changes, own],
    };
    const begin = { ...facts0, reach: image.reach ?? from.reach };
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
    const fork = new EngineWorld(this.parts, row);
    fork.begin = begin;
    fork.earliest = begin.reach;
    fork.callers = callerKeysByRecord(state);
    fork.gathered.checkpointBytes = begin.checkpoint?.size ?? 0;
    return fork;
  }

  /** What gives a state: what the engine has already, or parts that are written now. */
  private async imageOf(
    { state, clock, isOnTimeline, reach }: StateImage,
    order: number,
  ): Promise<Image> {
    const given = this.given.get(state);
    const facts = { ...factsOf(state), clock, order };
    if (given && "image" in given && this.isStill(given, state))
      return { ...given.image, ...facts, ...(reach && { reach }) };
    const isHere =
      isOnTimeline || (given && "timeline" in given && given.timeline === this.holding.timeline);
    if (isHere && this.earliest.seq <= state.seq) {
      const here = this.onTimeline(state.seq);
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

  private isStill({ holder, image }: { holder: string; image: Image }, state: WorldState) {
    return state.seq === image.meta.seq && this.images.get(holder) === image;
  }

  private onTimeline(seq: number): Pick<Image, "checkpoint" | "changes" | "reach"> {
    const { timeline } = this.holding;
    const checkpoint = this.manifests.findLast(({ to }) => to <= seq);
    if (checkpoint) {
      const { from, to, toAtMs } = checkpoint;
      const changes = changesUpTo([{ timeline, after: from, upTo: seq }], seq);
      return { checkpoint, changes, reach: { seq: to, atMs: toAtMs } };
    }
    const begin = this.beginning();
    const own = { timeline, after: begin.meta.seq, upTo: seq };
    return {
      ...(begin.checkpoint && { checkpoint: begin.checkpoint }),
      changes: changesUpTo([...begin.changes, own], seq),
      reach: this.earliest,
    };
  }

  async release(end: { seq?: number; summary?: StoppedWorld; documents: string[] }) {
    const { seq, summary } = end;
    this.parts.released(this.facts.name);
    // Freed with the lease, or taken anew: what it was like is not known.
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

  /** Writes rows of the world, between two flushes of its journal. */
  private async write(writing: () => Writing): Promise<void> {
    const { engine } = this.parts;
    const guarded = { engine, time: hostTime };
    const act = async (holding: Holding) => {
      await guardedWrite(guarded, holding, writing());
      const { fence, seq } = holding;
      Object.assign(this.holding, { fence, seq });
    };
    if (this.current && !this.current.isLost) await this.current.between(act);
    else await act(this.holding);
  }
}

const factsOf = (state: WorldState) => ({
  meta: state.meta(),
  records: state.recordCount(),
  files: namedFiles(state),
});

/** A world on a new timeline is due at once, if it has a timer and a running clock: who owns it knows. */
const dueNow = (state: WorldState) =>
  state.clock?.mode === "real" && state.nextTimer() ? hostTime.nowMs() : null;

const keepingOf = (holder: string, image: Image): Keeping => ({
  holder,
  parts: [...new Set([...partsOf(image), ...image.files])],
  pins: image.changes,
  items: { [IMAGE]: encodeImage(image) },
});
