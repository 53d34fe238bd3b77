import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { StoreRefused } from "../../../src/storage/port/store-trouble.ts";
import { PostgresEngine } from "../../../src/storage/postgres/postgres-engine.ts";
import { hasPostgres, PostgresServer, sayIfSkipped } from "../setup/postgres-server.ts";

sayIfSkipped("settings of PostgreSQL that are refused");

let server: PostgresServer;
/** Databases that nobody opened, and that was opened with good settings. */
let empty: string;
let used: string;
const opened: PostgresEngine[] = [];

const engineOf = (database: string, user?: string) => {
  const engine = new PostgresEngine(server.url(database, user));
  opened.push(engine);
  return engine;
};

afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close();
});

const schemasOf = async (database: string) =>
  (
    await server.run(
      "select nspname as name from pg_namespace where nspname !~ '^(pg_|information_schema|public)'",
      database,
    )
  ).map(({ name }) => name);

/** Settings of a server, a role or a database, and what is said of them. */
const REFUSED: {
  what: string;
  set: (database: string) => Promise<unknown>;
  expected: string;
  /** False when it only keeps the store from being used now. */
  losesData: boolean;
}[] = [
  {
    what: "fsync is off",
    set: () => server.set("fsync", "off"),
    expected:
      "Expected fsync on but found off at PLACE: a power cut may take or damage everything. " +
      "Set fsync = on in postgresql.conf and reload it.",
    losesData: true,
  },
  {
    what: "full_page_writes is off",
    set: () => server.set("full_page_writes", "off"),
    expected:
      "Expected full_page_writes on but found off at PLACE: a power cut may leave half a page. " +
      "Set full_page_writes = on in postgresql.conf and reload it.",
    losesData: true,
  },
  {
    what: "synchronous_commit is off for the server",
    set: () => server.set("synchronous_commit", "off"),
    expected:
      "Expected synchronous_commit on but found off at PLACE: a crash may take the last second. " +
      "Set it to on for the server, and reset it for this role and database.",
    losesData: true,
  },
  {
    what: "synchronous_commit is off for the role",
    set: () => server.run("alter role sim set synchronous_commit = off"),
    expected:
      "Expected synchronous_commit on but found off at PLACE: a crash may take the last second. " +
      "Set it to on for the server, and reset it for this role and database.",
    losesData: true,
  },
  {
    what: "synchronous_commit is off for the database",
    set: (database) => server.run(`alter database ${database} set synchronous_commit = off`),
    expected:
      "Expected synchronous_commit on but found off at PLACE: a crash may take the last second. " +
      "Set it to on for the server, and reset it for this role and database.",
    losesData: true,
  },
  ...["local", "remote_write"].map((level) => ({
    what: `synchronous_commit is ${level} although there are standbys`,
    set: async () => {
      await server.run("alter role postgres set synchronous_commit = local");
      await server.run(`alter role sim set synchronous_commit = ${level}`);
      await server.set("synchronous_standby_names", "'standby'");
    },
    expected:
      `Expected synchronous_commit on, since synchronous_standby_names is set, but found ${level} ` +
      "at PLACE: a failover may take what was acknowledged. " +
      "Set it to on for the server, and reset it for this role and database.",
    losesData: true,
  })),
  {
    what: "the server takes no writes",
    set: () => server.set("default_transaction_read_only", "on"),
    expected:
      "Expected default_transaction_read_only off but found on at PLACE: the store takes no writes. " +
      "Set it to off for the server, and reset it for this role and database.",
    losesData: false,
  },
];

describe.skipIf(!hasPostgres())("settings", () => {
  beforeAll(async () => {
    server = await PostgresServer.start({ wal_retrieve_retry_interval: "10ms" });
    await server.run("create role sim login superuser");
    [empty, used] = [await server.database(), await server.database()];
    const engine = engineOf(used, "sim");
    await engine.open();
    await engine.check();
  });
  afterAll(() => server?.delete());

  afterEach(async () => {
    await server.reset();
    await server.run("alter role sim reset all; alter role postgres reset all");
    for (const database of [empty, used]) await server.run(`alter database ${database} reset all`);
  });

  test.each(REFUSED)("$what: a start is refused, and makes nothing", async (row) => {
    await row.set(empty);
    const engine = engineOf(empty, "sim");
    const { place } = engine;
    expect(place).toBe(`postgres://127.0.0.1:${server.port}/${empty}`);
    await expect(engine.open()).rejects.toEqual(
      new StoreRefused(row.expected.replace("PLACE", place)),
    );
    expect(await schemasOf(empty)).toEqual([]);
  });

  test.each(REFUSED)("$what, while worlds are open: told if it loses data", async (row) => {
    await row.set(used);
    const engine = engineOf(used, "sim");
    const refusal = new StoreRefused(row.expected.replace("PLACE", engine.place));
    if (row.losesData) await expect(engine.check()).rejects.toEqual(refusal);
    else await engine.check();
  });

  test("a database in another encoding is refused", async () => {
    await server.run("create database latin encoding 'LATIN1' template template0");
    const engine = engineOf("latin");
    await expect(engine.open()).rejects.toEqual(
      new StoreRefused(
        `Expected a database in UTF8 but found LATIN1 at ${engine.place}: other encodings do not have ` +
          "every text. Make one with createdb --encoding=UTF8 --template=template0.",
      ),
    );
  });

  test("a replica is refused", async () => {
    await server.end("SIGINT");
    server.replicate(true);
    await server.begin();
    const engine = engineOf(used);
    await expect(engine.open()).rejects.toEqual(
      new StoreRefused(
        `Expected the primary server but found a replica at ${engine.place}: ` +
          "a replica takes no writes. Name the primary in the URL.",
      ),
    );
    await server.end("SIGINT");
    server.replicate(false);
    await server.begin();
    await engine.open();
  });
});
