import { isDamage } from "../../runtime/damage.ts";
import type { DamagedPoint, RestorePoint } from "../../runtime/past/restore-points.ts";
import type { WorldState } from "../../runtime/world-state.ts";
import { StoreTrouble } from "../port/store-trouble.ts";
import type { EngineParts } from "./engine-parts.ts";
import {
  decodeImage,
  IMAGE,
  type Image,
  pointHolder,
  pointsOf,
  restorePointOf,
  startHolder,
} from "./state-image.ts";

/** A holder of one of a world's states, and what it had when a state was read from it. */
export interface GivenImage {
  holder: string;
  image: Image;
}

/** States that a world's own holders keep: its restore points, and what it was forked as. */
export class EnginePoints {
  private readonly parts: Pick<EngineParts, "engine" | "reader">;
  private readonly world: string;
  private readonly place: string;
  private readonly images = new Map<string, Image>();
  /** Restore points that cannot be read, by holder. */
  private readonly unreadable = new Map<string, Error>();
  private reading: Promise<void> | undefined;

  constructor(parts: Pick<EngineParts, "engine" | "reader">, of: { world: string; place: string }) {
    this.parts = parts;
    this.world = of.world;
    this.place = of.place;
  }

  /** Restore points, the oldest first, and those that cannot be read. */
  async list(): Promise<{ kept: RestorePoint[]; damaged: DamagedPoint[] }> {
    await this.known();
    const { length } = pointsOf(this.world);
    const kept = this.ofPoints(this.images)
      .sort(([, a], [, b]) => a.order - b.order)
      .map(([holder, image]) => restorePointOf(holder.slice(length), image));
    const damaged = this.ofPoints(this.unreadable).map(([holder, damage]) => ({
      name: holder.slice(length),
      damage,
    }));
    return { kept, damaged };
  }

  private ofPoints<Value>(map: ReadonlyMap<string, Value>): [string, Value][] {
    return [...map].filter(([holder]) => holder.startsWith(pointsOf(this.world)));
  }

  /** Reads once what is kept: only this process changes it. */
  private async known() {
    this.reading ??= this.readAll().catch((error) => {
      this.reading = undefined;
      throw error;
    });
    await this.reading;
  }

  private async readAll() {
    const prefix = pointsOf(this.world);
    for (const { holder, bytes } of await this.parts.engine.holders(prefix, IMAGE))
      try {
        this.images.set(holder, decodeImage(bytes, this.snapshotPlace(holder)));
      } catch (error) {
        if (!isDamage(error)) throw error;
        this.unreadable.set(holder, error);
      }
  }

  private snapshotPlace(holder: string) {
    return `the snapshot ${holder.slice(pointsOf(this.world).length)} of ${this.place}`;
  }

  /** Place of a further restore point among the others. */
  async nextOrder(): Promise<number> {
    await this.known();
    return 1 + Math.max(0, ...this.ofPoints(this.images).map(([, { order }]) => order));
  }

  /** Notes what a holder has by now. */
  keep(holder: string, image: Image) {
    this.unreadable.delete(holder);
    this.images.set(holder, image);
  }

  /** Removes a restore point. @returns whether there was one */
  async remove(name: string, drop: (holder: string) => Promise<void>): Promise<boolean> {
    await this.known();
    const holder = pointHolder(this.world, name);
    const image = this.images.get(holder);
    this.images.delete(holder);
    try {
      await drop(holder);
    } catch (error) {
      if (image) this.images.set(holder, image);
      const forget = () => this.images.delete(holder);
      if (error instanceof StoreTrouble) error.later?.then(forget, () => {});
      throw error;
    }
    return this.unreadable.delete(holder) || image !== undefined;
  }

  /** A restore point's state, and where it was read from. @throws StateDamage, JournalDamage */
  async load(name: string) {
    await this.known();
    return this.read(pointHolder(this.world, name));
  }

  /** The state that the world was forked as. */
  async loadStart() {
    const holder = startHolder(this.world);
    const where = `the beginning of ${this.place}`;
    if (!this.images.has(holder)) {
      const { [IMAGE]: bytes } = await this.parts.engine.items(holder);
      this.images.set(holder, decodeImage(bytes, where));
    }
    return this.read(holder, where);
  }

  private async read(
    holder: string,
    where = this.snapshotPlace(holder),
  ): Promise<{ state: WorldState; from: GivenImage } | undefined> {
    const image = this.images.get(holder);
    const damage = this.unreadable.get(holder);
    if (!image && damage) throw damage;
    if (!image) return undefined;
    try {
      const { state } = await this.parts.reader.image(image, { where });
      return { state, from: { holder, image } };
    } catch (error) {
      // It went while it was read: it was replaced or removed.
      if (this.images.get(holder) !== image) return this.read(holder, where);
      throw error;
    }
  }

  /** Whether a state is still the kept one, but for its branch and its clock. */
  isStill({ holder, image }: GivenImage, state: WorldState): boolean {
    return state.seq === image.meta.seq && this.images.get(holder) === image;
  }
}
