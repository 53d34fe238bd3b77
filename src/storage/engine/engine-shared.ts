import type { StoppedWorld } from "../port/held-world.ts";
import type { ReadItems } from "../port/items.ts";
import type { ListedWorld } from "../port/session.ts";
import type { ProcessRow, SharedStore, SharedWorld } from "../port/shared-store.ts";
import { EngineReader } from "./engine-reader.ts";
import { EngineTimeline } from "./engine-timeline.ts";
import { itemsHolder, worldHolder } from "./state-image.ts";
import type { StoreEngine, WorldRow } from "./store-engine.ts";

/** Facts about the store that an engine tells when it is opened. */
export type StoreFacts = Awaited<ReturnType<StoreEngine["open"]>>;

/** Facts of the last clean stop of a world, as its row has them. */
export const summaryIn = ({ summary }: WorldRow): StoppedWorld | undefined =>
  summary === undefined ? undefined : (JSON.parse(summary) as StoppedWorld);

/** A row of a world, as lists show it. */
export const listedWorld = (row: WorldRow): ListedWorld => {
  const { name, from, isLate } = row;
  return {
    name,
    ...(from !== undefined && { from }),
    ...(isLate && { isLate }),
    summary: summaryIn(row),
  };
};

const isServed = ({ leaseLeftMs = 0 }: WorldRow) => leaseLeftMs > 0;

/** The other processes of an engine and their worlds, as one process sees them. */
export class EngineShared implements SharedStore {
  readonly key: Buffer;
  readonly format: number;
  private readonly engine: StoreEngine;
  private readonly processNow: () => string;

  constructor(engine: StoreEngine, processNow: () => string, { key, format }: StoreFacts) {
    this.engine = engine;
    this.processNow = processNow;
    this.key = key;
    this.format = format;
  }

  get process() {
    return this.processNow();
  }

  async find(name: string) {
    const row = await this.engine.find(name);
    return row && (await this.withOwners([row]))[0];
  }

  async glance(name: string) {
    const { engine } = this;
    const row = await engine.find(name);
    if (!row) return undefined;
    const place = `the world ${name} of ${engine.place}`;
    const facts = { begin: undefined, manifests: [] };
    const at = { place, number: row.timeline };
    const timeline = new EngineTimeline(new EngineReader(engine), at, facts);
    const { state } = await timeline.read(await engine.items(worldHolder(name)), row.seq);
    const kept = await engine.items(itemsHolder(name));
    const items: ReadItems = {
      item: async (item) => kept[item],
      placeOf: (item) => `the ${item} of ${place}`,
    };
    return { state, items };
  }

  async worlds() {
    return this.withOwners(await this.engine.worlds());
  }

  maker(callerKey: string) {
    return this.engine.maker(callerKey);
  }

  due(limit: number) {
    return this.engine.due(limit);
  }

  processes() {
    return this.engine.processes();
  }

  /** Adds the process that serves each world; nobody is asked about worlds that nobody serves. */
  private async withOwners(rows: readonly WorldRow[]): Promise<SharedWorld[]> {
    const processes = rows.some(isServed) ? await this.engine.processes() : [];
    const live = new Map<string, ProcessRow>();
    for (const process of processes) if (process.leaseLeftMs > 0) live.set(process.id, process);
    return rows.map((row) => {
      const owner = isServed(row) ? live.get(row.owner ?? "") : undefined;
      return { ...listedWorld(row), ...(owner && { owner }) };
    });
  }
}
