import { describe } from "vitest";
import { engineContract } from "../engine/engine-contract.ts";
import { openPostgres } from "../setup/postgres-contract-engine.ts";
import { hasPostgres, sayIfSkipped } from "../setup/postgres-server.ts";

sayIfSkipped("the contract of engines over PostgreSQL");

describe.skipIf(!hasPostgres())("a real server", () => {
  engineContract("PostgreSQL", openPostgres);
});
