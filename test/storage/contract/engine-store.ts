import { EngineSession } from "../../../src/storage/engine/engine-session.ts";
import type { StoreEngine } from "../../../src/storage/engine/store-engine.ts";
import type { Session } from "../../../src/storage/port/session.ts";
import { StoreTrouble } from "../../../src/storage/port/store-trouble.ts";
import type { Damaged, TestStore } from "./test-store.ts";

/** The data of an engine, and what a test does to them. */
export interface EngineData {
  /** A client of its own. */
  client(): Promise<StoreEngine>;
  /** Ends the leases of all processes. */
  endLeases(): Promise<void>;
  /** Makes all parts two hours older: what nothing needs may be swept. */
  ageParts(): Promise<void>;
  damage(part: Damaged): Promise<void>;
  /** SHA-256 of all parts. */
  parts(): Promise<string[]>;
  close(): Promise<void>;
}

/** Acts after which everything is swept that nothing needs. */
const SWEPT_AFTER = new Set(["write", "create", "append"]);

/** A client that a test can end as a kill would, and that sweeps after each write. */
const watched = (engine: StoreEngine, data: EngineData, isKilled: () => boolean): StoreEngine => {
  const gone = () => new StoreTrouble("the process was killed", { mayBeDone: false });
  return new Proxy(engine, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        // Its lease is over too, so that what is left of it stops.
        if (name === "close") return target.close();
        if (isKilled() && name === "renew") return Promise.resolve(false);
        if (isKilled()) return name === "journal" ? none() : Promise.reject(gone());
        const done: unknown = member.apply(target, args);
        if (!SWEPT_AFTER.has(String(name))) return done;
        return (done as Promise<unknown>).then(async (answer) => {
          await data.ageParts();
          await target.sweep();
          return answer;
        });
      };
    },
  });
};

async function* none() {}

/** A store in an engine that several processes share. */
export const engineStore = async (data: EngineData): Promise<TestStore> => {
  const processes = new Map<Session, { isKilled: boolean; engine: StoreEngine }>();
  return {
    async open() {
      const engine = await data.client();
      const process = { isKilled: false, engine };
      const client = watched(engine, data, () => process.isKilled);
      const session = await EngineSession.join(client, { version: "1.2.3" });
      processes.set(session, process);
      return session;
    },
    async kill(session, worlds) {
      for (const { engine } of worlds) {
        engine.close();
        engine.readOnlyBecause = "it was killed";
      }
      const process = processes.get(session);
      if (process) process.isKilled = true;
      await process?.engine.close();
      await data.endLeases();
    },
    endLeases: () => data.endLeases(),
    damage: (part) => data.damage(part),
    files: async () => new Set(await data.parts()),
    close: async () => {
      for (const process of processes.values()) {
        process.isKilled = true;
        await process.engine.close();
      }
      await data.close();
    },
  };
};
