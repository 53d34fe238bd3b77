import { PostgresEngine } from "../../../src/storage/postgres/postgres-engine.ts";
import { PostgresServer } from "../setup/postgres-server.ts";
import { type EngineData, engineStore } from "./engine-store.ts";
import type { Damaged, StoreKind } from "./test-store.ts";

const CHANGED = (column: string) =>
  `${column} = set_byte(${column}, length(${column}) / 2, get_byte(${column}, length(${column}) / 2) # 1)`;

const CHANGED_CHECKPOINT = (which: "min" | "max") =>
  `update service_sim.item set ${CHANGED("body")}
   where holder = 'world:sandbox' and name = (
     select ${which}(name) from service_sim.item
     where holder = 'world:sandbox' and name like 'checkpoint:%')`;

/** Damages of the rows of the first world. */
const DAMAGES: Record<Damaged, string> = {
  "newest checkpoint": CHANGED_CHECKPOINT("max"),
  "older checkpoint": CHANGED_CHECKPOINT("min"),
  "all parts": `update service_sim.part set ${CHANGED("body")}`,
  "missing parts": "delete from service_sim.holds; delete from service_sim.part",
  journal: `update service_sim.journal set changes = replace(changes, '"by"', '"bx"')
    where last = (select max(last) - 2 from service_sim.journal)`,
  "restore point": `update service_sim.item set ${CHANGED("body")}
    where holder = 'point:sandbox/kept' and name = 'image'`,
};

const postgresData = async (server: PostgresServer): Promise<EngineData> => {
  const database = await server.database();
  const run = async (text: string) => void (await server.run(text, database));
  return {
    client: async () => new PostgresEngine(server.url(database)),
    endLeases: () => run("update service_sim.process set until = clock_timestamp()"),
    ageParts: () => run("update service_sim.part set touched = touched - interval '2 hours'"),
    damage: (part) => run(DAMAGES[part]),
    parts: async () => {
      const rows = await server.run("select sha from service_sim.part", database);
      return rows.map(({ sha }) => String(sha));
    },
    close: async () => {},
  };
};

/** Stores in databases of one server. */
export const postgresStores = async (): Promise<StoreKind> => {
  const server = await PostgresServer.start();
  return {
    can: new Set(["shares"] as const),
    make: async () => engineStore(await postgresData(server)),
    close: () => server.delete(),
  };
};
