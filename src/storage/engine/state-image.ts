import type { ClockState } from "../../runtime/clock.ts";
import { StateDamage } from "../../runtime/damage.ts";
import type { RestorePoint } from "../../runtime/past/restore-points.ts";
import type { WorldMeta } from "../../runtime/world-state.ts";
import { decodeChecked, encodeChecked } from "../format/checked-file.ts";
import type { CheckpointFacts, Part, Reach } from "../port/held-world.ts";
import type { Pin } from "./store-engine.ts";

/** A part of a checkpoint, by the SHA-256 of its bytes. */
export interface PartRef extends Omit<Part, "bytes"> {
  sha256: string;
}

/** A checkpoint, as its holder names it. */
export interface Manifest extends CheckpointFacts {
  parts: PartRef[];
  /** Bytes of all parts. */
  size: number;
}

/** An image of a state: a checkpoint if there is one, then changes; the state of a holder. */
export interface Image {
  /** Facts at that point; they outrank those in the parts. */
  meta: WorldMeta;
  /** The clock as it stood then. */
  clock?: ClockState | undefined;
  records: number;
  /** SHA-256 of the files that its records name. */
  files: string[];
  reach: Reach;
  /** Rises with each restore point of a world. */
  order: number;
  checkpoint?: Manifest;
  /** Changes after the checkpoint, in the order they are read in; each has an end. */
  changes: Required<Pin>[];
}

/** Item of a holder that has its image. */
export const IMAGE = "image";

/** Holders of a world's state, of what it was forked as, and of what it has beside its records. */
export const worldHolder = (name: string) => `world:${name}`;
export const startHolder = (name: string) => `start:${name}`;
export const itemsHolder = (name: string) => `items:${name}`;
/** Beginning of the holders of a world's restore points. */
export const pointsOf = (name: string) => `point:${name}/`;
export const pointHolder = (world: string, point: string) => `${pointsOf(world)}${point}`;

export const encodeImage = (image: Image): Buffer => encodeChecked("line", image);
export const encodeManifest = (manifest: Manifest): Buffer => encodeChecked("manifest", manifest);

/** Damage of something that nothing stands in for. */
export const imageDamage = (where: string, found: string) =>
  new StateDamage(
    { part: "line", expected: "the beginning of a timeline" },
    { file: where, found, why: "its records count from there" },
  );

/** @throws StateDamage, OtherFormat */
export const decodeImage = (bytes: Buffer | undefined, where: string): Image => {
  if (!bytes) throw imageDamage(where, "nothing");
  const image = decodeChecked<Image>("line", bytes);
  if ("found" in image) throw imageDamage(where, image.found);
  return image.body;
};

/** A manifest, or why it cannot be used. @throws OtherFormat */
export const decodeManifest = (bytes: Buffer): Manifest | { found: string } => {
  const manifest = decodeChecked<Manifest>("manifest", bytes);
  return "found" in manifest ? manifest : manifest.body;
};

/** Changes of an image up to an earlier `seq`. */
export const changesUpTo = (changes: Image["changes"], seq: number): Image["changes"] =>
  changes
    .filter(({ after }) => after < seq)
    .map((pin) => ({ ...pin, upTo: Math.min(pin.upTo, seq) }));

/** Parts that an image needs. */
export const partsOf = ({ checkpoint }: Pick<Image, "checkpoint">): string[] =>
  checkpoint?.parts.map(({ sha256 }) => sha256) ?? [];

export const restorePointOf = (name: string, { meta, clock, records }: Image): RestorePoint => ({
  name,
  seq: meta.seq,
  atMs: meta.atMs,
  records,
  clock,
});
