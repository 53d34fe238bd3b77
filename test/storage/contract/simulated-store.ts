import { FORMAT_VERSION } from "../../../src/runtime/change.ts";
import { SimulatedData } from "../engine/simulated-data.ts";
import { SimulatedEngine } from "../engine/simulated-engine.ts";
import { type EngineData, engineStore } from "./engine-store.ts";
import type { Damaged, StoreKind } from "./test-store.ts";

const HOURS_MS = 7_200_000;

const changed = (bytes: Buffer) => {
  const other = Buffer.from(bytes);
  const at = Math.floor(other.length / 2);
  other[at] = (other[at] ?? 0) ^ 1;
  return other;
};

const changeCheckpoint = ({ holders }: SimulatedData, at: number) => {
  const items = holders.get("world:sandbox")?.items ?? new Map<string, Buffer>();
  const names = [...items.keys()].filter((name) => name.startsWith("checkpoint:")).sort();
  const name = names.at(at) ?? "";
  items.set(name, changed(items.get(name) ?? Buffer.alloc(0)));
};

/** Damages of the data of the first world. */
const DAMAGES: Record<Damaged, (data: SimulatedData) => void> = {
  "newest checkpoint": (data) => changeCheckpoint(data, -1),
  "older checkpoint": (data) => changeCheckpoint(data, -2),
  "all parts": ({ parts }) => {
    for (const part of parts.values()) part.body = changed(part.body);
  },
  "missing parts": ({ parts }) => parts.clear(),
  journal: ({ journal, worlds }) => {
    const blocks = journal.get(worlds.get("sandbox")?.timeline ?? 0) ?? [];
    const block = blocks.at(-3);
    if (block) block.lines = block.lines.replace('"by"', '"bx"');
  },
  "restore point": ({ holders }) => {
    const items = holders.get("point:sandbox/kept")?.items;
    items?.set("image", changed(items.get("image") ?? Buffer.alloc(0)));
  },
};

const simulatedData = (): EngineData => {
  const data = new SimulatedData({ format: FORMAT_VERSION });
  return {
    client: async () => new SimulatedEngine(data),
    endLeases: async () => {
      for (const process of data.processes.values()) process.untilMs = data.nowMs;
    },
    ageParts: async () => {
      for (const part of data.parts.values()) part.storedAtMs -= HOURS_MS;
    },
    damage: async (part) => DAMAGES[part](data),
    parts: async () => [...data.parts.keys()],
    close: async () => {},
  };
};

/** Stores in the simulated engine. */
export const simulatedStores = async (): Promise<StoreKind> => ({
  can: new Set(["shares"] as const),
  make: () => engineStore(simulatedData()),
  close: async () => {},
});
