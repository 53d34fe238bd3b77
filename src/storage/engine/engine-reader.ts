import { hash } from "node:crypto";
import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import { type Change, readSegment } from "../../runtime/change.ts";
import type { PastPoint } from "../../runtime/past/restore-points.ts";
import { UntilPoint } from "../../runtime/past/until-point.ts";
import { WorldState } from "../../runtime/world-state.ts";
import { stateOfParts } from "../format/checkpoint.ts";
import type { CheckpointFacts, Part, WriteParts } from "../port/held-world.ts";
import { type Image, imageDamage, type Manifest, type PartRef } from "./state-image.ts";
import type { Pin, StoreEngine } from "./store-engine.ts";

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Fast, and several times smaller already. */
const LEVEL = { level: 1 };

/** Packs bytes for the engine, off the main thread. */
export const packed = async (bytes: Buffer): Promise<{ sha256: string; body: Buffer }> => ({
  sha256: hash("sha256", bytes, "hex"),
  body: await deflate(bytes, LEVEL),
});

/** Reads states and changes that an engine has. */
export class EngineReader {
  private readonly engine: Pick<StoreEngine, "parts" | "putParts" | "journal" | "place">;

  constructor(engine: Pick<StoreEngine, "parts" | "putParts" | "journal" | "place">) {
    this.engine = engine;
  }

  /** Stores the parts of a state, and tells its manifest once all are there. */
  async store(write: WriteParts): Promise<Manifest> {
    const parts: PartRef[] = [];
    let size = 0;
    const facts: CheckpointFacts = await write(async ({ bytes, ...part }) => {
      const { sha256, body } = await packed(bytes);
      await this.engine.putParts([{ sha256, body }]);
      parts.push({ ...part, sha256 });
      size += bytes.length;
    });
    return { ...facts, parts, size };
  }

  /** Bytes of a file; nothing when there is none, or none that can be unpacked. */
  async file(sha256: string): Promise<Buffer | undefined> {
    const body = (await this.engine.parts([sha256])).get(sha256);
    return body && (await inflate(body).catch(() => undefined));
  }

  /** The state in a checkpoint, at its `from`, or why it cannot be used. */
  async checkpoint({ parts, meta }: Manifest): Promise<WorldState | { found: string }> {
    const bodies = await this.engine.parts(parts.map(({ sha256 }) => sha256));
    const read: Part[] = [];
    for (const { sha256, ...part } of parts) {
      const body = bodies.get(sha256);
      const bytes = body && (await inflate(body).catch(() => undefined));
      if (!bytes) return { found: body ? `part ${sha256} damaged` : `no part ${sha256}` };
      if (hash("sha256", bytes, "hex") !== sha256) return { found: `part ${sha256} changed` };
      read.push({ ...part, bytes });
    }
    return stateOfParts(read, meta);
  }

  /**
   * The state of an image, or at an earlier point of it.
   * @returns also whether it is the image's own point
   * @throws StateDamage, JournalDamage
   */
  async image(
    image: Image,
    { where, until = { seq: image.meta.seq } }: { where: string; until?: PastPoint },
  ): Promise<{ state: WorldState; isEnd: boolean; bytes: number }> {
    const { checkpoint, changes, meta } = image;
    const state = checkpoint
      ? await this.checkpoint(checkpoint)
      : new WorldState({ isLoading: true });
    if (!(state instanceof WorldState)) throw imageDamage(where, state.found);
    const point = new UntilPoint(state, until);
    let bytes = 0;
    let whole = checkpoint?.from ?? 0;
    for (const range of changes) {
      const read = await this.changes(range, where, (change) => point.take(change));
      bytes += read.bytes;
      whole = Math.max(whole, read.seq);
    }
    if (whole < meta.seq) throw imageDamage(where, `changes up to ${whole}`);
    const isEnd = state.seq === meta.seq;
    if (isEnd) state.loadMeta(meta);
    return { state, isEnd, bytes };
  }

  /**
   * Gives the changes of a timeline in a range, in order.
   * @returns the last of them, and the bytes that were read
   * @throws JournalDamage
   */
  async changes(
    range: Pin,
    where: string,
    take: (change: Change) => void,
  ): Promise<{ seq: number; bytes: number }> {
    const { after, upTo = Infinity } = range;
    let seq = after;
    let bytes = 0;
    for await (const block of this.engine.journal(range)) {
      const segment = { file: where, bytes: Buffer.from(block.lines) };
      bytes += segment.bytes.length;
      if (block.first > seq + 1)
        throw imageDamage(where, `change ${block.first} instead of ${seq + 1}`);
      readSegment(segment, { seq: block.first, isLast: false }, (change) => {
        if (change.seq <= seq || change.seq > upTo) return;
        seq = change.seq;
        take(change);
      });
    }
    return { seq, bytes };
  }

  /** The first change of a timeline, if it is there. */
  async first(timeline: number, where: string): Promise<Change | undefined> {
    let first: Change | undefined;
    await this.changes({ timeline, after: 0, upTo: 1 }, where, (change) => {
      first = change;
    });
    return first;
  }
}
