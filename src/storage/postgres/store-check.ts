import { FORMAT_VERSION } from "../../runtime/change.ts";
import { PostgresEngine } from "./postgres-engine.ts";

/** Facts of a store in a database. */
export interface StoreReport {
  /** Its address, without user and password. */
  place: string;
  /** The format that all simulators write. */
  format: number;
  worlds: { name: string; changes: number; servedBy?: string }[];
  /** Simulators whose lease holds. */
  simulators: { id: string; version: string; worlds: number }[];
}

/**
 * Connects to a store, checks its settings and format, and reads its worlds. In an empty database it
 * makes the schema, as a start does.
 * @throws StoreRefused, OtherFormat, StoreTrouble, MissingPackage
 */
export const checkStore = (url: string): Promise<StoreReport> =>
  withEngine(url, async (engine) => {
    const { format } = await engine.open();
    const [rows, processes] = [await engine.worlds(), await engine.processes()];
    const live = processes.filter(({ leaseLeftMs }) => leaseLeftMs > 0);
    const worlds = rows.map(({ name, seq, owner }) => ({
      name,
      changes: seq,
      ...(owner !== undefined && live.some(({ id }) => id === owner) && { servedBy: owner }),
    }));
    const simulators = live.map(({ id, version, loaded }) => ({ id, version, worlds: loaded }));
    return { place: engine.place, format, worlds, simulators };
  });

/**
 * Raises the format of a store to that of this program (spec/store.md#format).
 * @returns nothing where a simulator that runs does not know it
 * @throws StoreRefused, OtherFormat, StoreTrouble, MissingPackage
 */
export const upgradeStore = (url: string): Promise<{ place: string; format: number } | undefined> =>
  withEngine(url, async (engine) => {
    await engine.open();
    const isRaised = await engine.raiseFormat(FORMAT_VERSION);
    return isRaised ? { place: engine.place, format: FORMAT_VERSION } : undefined;
  });

const withEngine = async <Done>(url: string, work: (engine: PostgresEngine) => Promise<Done>) => {
  const engine = new PostgresEngine(url);
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
};
