import { type Change, JournalDamage } from "../../runtime/change.ts";
import type { PastPoint } from "../../runtime/past/restore-points.ts";
import { isAfter, UntilPoint } from "../../runtime/past/until-point.ts";
import { WorldState } from "../../runtime/world-state.ts";
import type { Reach } from "../port/held-world.ts";
import type { SkippedFile } from "../port/recovery.ts";
import type { EngineReader } from "./engine-reader.ts";
import {
  changesUpTo,
  decodeImage,
  decodeManifest,
  encodeImage,
  encodeManifest,
  IMAGE,
  type Image,
  type Manifest,
  partsOf,
  worldHolder,
} from "./state-image.ts";
import type { Keeping } from "./store-engine.ts";

/** Checkpoints kept: if the newest proves unreadable, the one before is used. */
const KEPT = 2;

/** Beginning of the names of the items that have a world's checkpoints. */
const CHECKPOINT = "checkpoint:";

/** Facts of a timeline that stand beside its changes. */
export interface TimelineFacts {
  /** Its beginning; nothing once two checkpoints stand in for it. */
  begin: Image | undefined;
  /** Its checkpoints, the oldest first. */
  manifests: readonly Manifest[];
}

/** The present timeline of a world: its beginning, its checkpoints, and the changes after them. */
export class EngineTimeline {
  readonly number: number;
  private readonly reader: EngineReader;
  private readonly place: string;
  private facts: TimelineFacts;
  private earliest: Reach;

  constructor(reader: EngineReader, of: { place: string; number: number }, facts: TimelineFacts) {
    this.reader = reader;
    this.place = of.place;
    this.number = of.number;
    this.facts = facts;
    this.earliest = facts.begin?.reach ?? { seq: 0, atMs: 0 };
  }

  /** Reads the state after a change, and what damaged parts others stood in for. */
  async read(items: Readonly<Record<string, Buffer>>, upTo: number) {
    const passedOver: SkippedFile[] = [];
    const pass = (found: string) => passedOver.push({ file: this.place, found });
    this.facts = this.factsIn(items, pass);
    const { state, manifest, bytes } = await this.base(pass);
    const own = await this.reader.changes(
      { timeline: this.number, after: state.seq, upTo },
      this.place,
      (change) => state.apply(change),
    );
    if (own.seq < upTo)
      throw new JournalDamage(
        { file: this.place, offset: 0, wholeRecords: own.seq },
        `changes up to ${own.seq} of ${upTo}`,
      );
    await this.reachAgain();
    const checkpointBytes = manifest?.size ?? this.facts.begin?.checkpoint?.size ?? 0;
    return { state, passedOver, checkpointBytes, readBytes: bytes + own.bytes };
  }

  private factsIn(
    items: Readonly<Record<string, Buffer>>,
    pass: (found: string) => void,
  ): TimelineFacts {
    const begin = items[IMAGE] && decodeImage(items[IMAGE], this.place);
    const manifests: Manifest[] = [];
    for (const [item, bytes] of Object.entries(items).sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (!item.startsWith(CHECKPOINT)) continue;
      const manifest = decodeManifest(bytes);
      if ("found" in manifest) pass(manifest.found);
      else manifests.push(manifest);
    }
    return { begin, manifests };
  }

  /** The state that the changes of the timeline itself come after. */
  private async base(pass: (found: string) => void) {
    for (const manifest of this.facts.manifests.toReversed()) {
      const state = await this.reader.checkpoint(manifest);
      if (state instanceof WorldState) return { state, manifest, bytes: 0 };
      pass(state.found);
      const manifests = this.facts.manifests.filter((one) => one !== manifest);
      this.facts = { ...this.facts, manifests };
    }
    const begun = await this.reader.image(this.beginning(), { where: this.place });
    return { ...begun, manifest: undefined };
  }

  private beginning(): Image {
    return this.facts.begin ?? decodeImage(undefined, this.place);
  }

  /** The earliest point that `earlier` gives. */
  reach(): Reach {
    return this.earliest;
  }

  private async reachAgain() {
    const { begin, manifests } = this.facts;
    if (begin && begin.meta.seq > 0) this.earliest = begin.reach;
    else if (begin) {
      const first = await this.reader.first(this.number, this.place);
      this.earliest = first ? { seq: 1, atMs: first.at } : { seq: 0, atMs: 0 };
    } else {
      const [oldest] = manifests;
      this.earliest = { seq: oldest?.to ?? 0, atMs: oldest?.toAtMs ?? 0 };
    }
  }

  /** A world that had no change when it was read may have its first one by now. */
  private async reachNow(): Promise<Reach> {
    if (this.earliest.seq === 0) await this.reachAgain();
    return this.earliest;
  }

  /** Facts with a checkpoint more, or the present ones without what could not be read. */
  with(manifest?: Manifest): TimelineFacts {
    if (!manifest) return this.facts;
    const manifests = [...this.facts.manifests, manifest].slice(-KEPT);
    return { begin: manifests.length < KEPT ? this.facts.begin : undefined, manifests };
  }

  hasCheckpointAt(seq: number): boolean {
    return this.facts.manifests.at(-1)?.from === seq;
  }

  /** Takes facts that the engine has by now. */
  async take(facts: TimelineFacts) {
    this.facts = facts;
    await this.reachAgain();
  }

  /** Needs of the world with some facts: its checkpoints, its changes, and files that it names. */
  keeping(world: string, files: readonly string[], facts = this.facts): Keeping {
    const { begin, manifests } = facts;
    const after = begin ? begin.meta.seq : (manifests[0]?.from ?? 0);
    const all = [...manifests.map((checkpoint) => ({ checkpoint })), ...(begin ? [begin] : [])];
    const shas = all.flatMap(partsOf);
    const items = manifests.map((manifest) => [
      CHECKPOINT + String(manifest.from).padStart(12, "0"),
      encodeManifest(manifest),
    ]);
    return {
      holder: worldHolder(world),
      parts: [...new Set(shas)],
      files,
      pins: [...(begin?.changes ?? []), { timeline: this.number, after }],
      items: { ...Object.fromEntries(items), ...(begin && { [IMAGE]: encodeImage(begin) }) },
    };
  }

  /** The world at a point; nothing where the engine does not reach it. */
  async earlier(point: PastPoint): Promise<WorldState | undefined> {
    const { reader, number: timeline } = this;
    const { seq: earliestSeq, atMs } = await this.reachNow();
    if (isAfter({ seq: earliestSeq, at: atMs }, point)) return undefined;
    const own = async (until: UntilPoint, after: number) => {
      await reader.changes({ timeline, after }, this.place, (change) => until.take(change));
    };
    const { begin, manifests } = this.facts;
    for (const manifest of manifests.toReversed()) {
      if (isAfter({ seq: manifest.to, at: manifest.toAtMs }, point)) continue;
      const state = await reader.checkpoint(manifest);
      if (!(state instanceof WorldState)) continue;
      await own(new UntilPoint(state, point), manifest.from);
      if (state.seq >= manifest.to) return state;
    }
    if (!begin) return undefined;
    const { state, isEnd } = await reader.image(begin, { where: this.place, until: point });
    await own(new UntilPoint(state, point, { isPast: !isEnd }), begin.meta.seq);
    return state;
  }

  async changes({ after, upTo }: { after: number; upTo: number }): Promise<readonly Change[]> {
    const before = Math.max(after, (await this.reachNow()).seq);
    const changes: Change[] = [];
    const take = (change: Change) => {
      if (change.seq > before && change.seq <= upTo) changes.push(change);
    };
    const { begin, manifests } = this.facts;
    const beginsAfter = begin?.meta.seq ?? manifests[0]?.from ?? 0;
    const own = { timeline: this.number, after: beginsAfter, upTo };
    for (const range of [...(begin?.changes ?? []), own])
      if (range.upTo > before) {
        const from = Math.max(range.after, before);
        await this.reader.changes({ ...range, after: from }, this.place, take);
      }
    return changes;
  }

  /** Whether the timeline gives the state after a change. */
  gives(seq: number): boolean {
    return this.earliest.seq <= seq;
  }

  /** The image that gives the state after a change. */
  at(seq: number): Pick<Image, "checkpoint" | "changes" | "reach"> {
    const { number: timeline } = this;
    const checkpoint = this.facts.manifests.findLast(({ to }) => to <= seq);
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
}
