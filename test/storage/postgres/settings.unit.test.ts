import { expect, test } from "vitest";
import { StoreRefused } from "../../../src/storage/port/store-trouble.ts";
import type { Connections } from "../../../src/storage/postgres/connection.ts";
import { requireSettings } from "../../../src/storage/postgres/settings.ts";

/** Connections to a server that answers with its settings. */
const serverOf = (version: number) => {
  const settings = {
    fsync: "on",
    full_page_writes: "on",
    synchronous_commit: "remote_apply",
    standbys: "standby",
    is_replica: false,
    read_only: "off",
    encoding: "UTF8",
    version,
  };
  const named = { place: "postgres://db.example:5432/sim", user: "sim", database: "sim" };
  return { named, raw: async () => ({ rows: [settings] }) } as unknown as Connections;
};

test("a server of a version that was never tried is refused, and the oldest one that was is not", async () => {
  await expect(requireSettings(serverOf(140_019))).rejects.toEqual(
    new StoreRefused(
      "Expected PostgreSQL 15 or newer but found 14 at postgres://db.example:5432/sim: " +
        "older servers were never tried. Update the server, or name another in the URL.",
    ),
  );
  await requireSettings(serverOf(150_000));
});
