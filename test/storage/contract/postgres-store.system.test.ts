import { describe } from "vitest";
import { hasPostgres, sayIfSkipped } from "../setup/postgres-server.ts";
import { postgresStores } from "./postgres-store.ts";
import { storeContract } from "./store-contract.ts";

sayIfSkipped("the contract of stores over PostgreSQL");

describe.skipIf(!hasPostgres())("a real server", () => {
  storeContract("PostgreSQL", postgresStores);
});
