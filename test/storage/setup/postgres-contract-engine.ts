import { vi } from "vitest";
import type { StoreEngine } from "../../../src/storage/engine/store-engine.ts";
import { PostgresEngine } from "../../../src/storage/postgres/postgres-engine.ts";
import type { TestEngine } from "../engine/scene.ts";
import { PostgresServer } from "./postgres-server.ts";
import { TcpRelay } from "./tcp-relay.ts";

const LEASE_MS = 400;

/** All instants of the database, which become older. */
const OLDER = (ms: number) => `
  update service_sim.process set until = until - interval '${ms} milliseconds';
  update service_sim.part set touched = touched - interval '${ms} milliseconds'`;

/** A server of its own for the contract. */
export const openPostgres = async (): Promise<TestEngine> => {
  const server = await PostgresServer.start();
  const database = await server.database();
  const relay = await TcpRelay.start(server.port);
  const opened: StoreEngine[] = [];
  const open = async (port = server.port) => {
    const engine = new PostgresEngine(`postgres://postgres@127.0.0.1:${port}/${database}`);
    opened.push(engine);
    await engine.open();
    return engine;
  };
  const engine = await open(relay.port);
  let cuts = 0;
  return {
    engine,
    leaseMs: LEASE_MS,
    canPassHours: true,
    second: () => open(),
    unopened: async (count) => {
      const url = server.url(await server.database());
      return Array.from({ length: count }, () => new PostgresEngine(url));
    },
    // What is made older, the engine's own clock judges: as if so much time had passed.
    passMs: async (ms) => {
      await server.run(OLDER(ms), database);
    },
    shiftProcessClock: (ms) => {
      if (ms === 0) vi.useRealTimers();
      else vi.useFakeTimers({ now: Date.now() + ms, toFake: ["Date"] });
    },
    cutNext: () => {
      cuts += 1;
      relay.cut(cuts % 2 === 0 ? "answer" : "request");
    },
    close: async () => {
      for (const one of opened) await one.close();
      await relay.close();
      await server.delete();
    },
  };
};
