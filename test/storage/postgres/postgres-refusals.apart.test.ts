import { type AddressInfo, createServer } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { OtherFormat } from "../../../src/runtime/change.ts";
import { StoreRefused } from "../../../src/storage/port/store-trouble.ts";
import { PostgresEngine } from "../../../src/storage/postgres/postgres-engine.ts";
import { hasPostgres, PostgresServer, sayIfSkipped } from "../setup/postgres-server.ts";

sayIfSkipped("starts on PostgreSQL that are refused");

let server: PostgresServer;
const opened: PostgresEngine[] = [];

const engineAt = (url: string) => {
  const engine = new PostgresEngine(url);
  opened.push(engine);
  return engine;
};

/** The sentence of a start that is refused, with the port of the server as PORT. */
const refusalAt = async (url: string) => {
  const error = await engineAt(url)
    .open()
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StoreRefused);
  return (error as Error).message.replaceAll(String(server.port), "PORT");
};

const SECRET = "s3cret-of-sim";

afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close();
});

describe.skipIf(!hasPostgres())("refused starts", () => {
  let database: string;
  beforeAll(async () => {
    server = await PostgresServer.start();
    database = await server.database();
    await server.run(`
      create role guarded login password '${SECRET}';
      create role behind_tls login;
      create role shut_out login;
      create role plain login;
      revoke create on database ${database} from public;`);
    await server.allow([
      "host all guarded 127.0.0.1/32 scram-sha-256",
      "hostnossl all behind_tls 127.0.0.1/32 reject",
      "hostssl all shut_out 127.0.0.1/32 trust",
      "host all shut_out 127.0.0.1/32 reject",
    ]);
  });
  afterAll(() => server?.delete());

  /** Parts of a URL that are wrong, and the sentence. */
  const WRONG: { what: string; url: () => string; says: string }[] = [
    {
      what: "a wrong password",
      url: () => `postgres://guarded:not-${SECRET}@127.0.0.1:${server.port}/sim_1`,
      says: "postgres://127.0.0.1:PORT/sim_1 does not accept the role guarded with this password: check user and password of the URL.",
    },
    {
      what: "no password",
      url: () => `postgres://guarded@127.0.0.1:${server.port}/sim_1`,
      says: "postgres://127.0.0.1:PORT/sim_1 wants a password, and the URL has none: write postgres://user:password@host/database.",
    },
    {
      what: "a role that there is not",
      url: () => server.url("sim_1", "nobody_here"),
      says: 'postgres://127.0.0.1:PORT/sim_1 does not let the role nobody_here in (role "nobody_here" does not exist): check the URL and pg_hba.conf.',
    },
    {
      what: "a role that needs TLS",
      url: () => server.url("sim_1", "behind_tls"),
      says: "postgres://127.0.0.1:PORT/sim_1 takes the role behind_tls only over TLS, or not at all: add ?sslmode=verify-full to the URL.",
    },
    {
      what: "TLS, which the server does not speak",
      url: () => `${server.url("sim_1")}?sslmode=verify-full`,
      says: "postgres://127.0.0.1:PORT/sim_1 does not speak TLS, which the URL wants: leave out sslmode, or switch ssl on in postgresql.conf.",
    },
    {
      what: "a database that there is not",
      url: () => server.url("absent"),
      says: "postgres://127.0.0.1:PORT/absent has no database absent: make it with createdb, or name another in the URL.",
    },
    {
      what: "a role that may not make the schema",
      url: () => server.url("sim_1", "plain"),
      says: "postgres://127.0.0.1:PORT/sim_1 does not let the role plain make or use the schema service_sim (permission denied for database sim_1): grant create on database sim_1 to plain, or name the role that made the schema.",
    },
    {
      what: "a port where nobody listens",
      url: () => "postgres://postgres@127.0.0.1:1/sim_1",
      says: "postgres://127.0.0.1:1/sim_1 is not reachable (ECONNREFUSED): check host and port of the URL, and that PostgreSQL runs.",
    },
  ];

  test.each(WRONG)("$what: a sentence says what to do, and nothing is made", async (row) => {
    const said = await refusalAt(row.url());
    expect(said).toBe(row.says);
    expect(said).not.toContain(SECRET);
    expect(await server.run("select from pg_namespace where nspname = 'service_sim'", database)) //
      .toEqual([]);
  });

  test("a host that does not answer is refused within the time of a connection", async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    expect(await refusalAt(`postgres://postgres@127.0.0.1:${port}/sim`)).toBe(
      `postgres://127.0.0.1:${port}/sim does not answer: check host and port of the URL, and the network between.`,
    );
    silent.close();
  });

  test("a URL that cannot be read is refused without a word of it", () => {
    const error = new StoreRefused(
      "Expected postgres://user:password@host:port/database but found a URL that cannot be read.",
    );
    expect(() => new PostgresEngine(`postgres://sim:${SECRET}@[::/sim`)).toThrow(error);
  });

  test("the place has no credentials, and the port that PostgreSQL has by itself", () => {
    const placeOf = (url: string) => engineAt(url).place;
    expect(placeOf(`postgres://sim:${SECRET}@db.example/sim?application_name=x`)).toBe(
      "postgres://db.example:5432/sim",
    );
    expect(placeOf(`postgresql://sim:${SECRET}@[::1]:6000/sim`)).toBe("postgres://[::1]:6000/sim");
  });

  test("another schema of that name is left as it is", async () => {
    const taken = await server.database();
    await server.run("create schema service_sim; create table service_sim.meta (a int)", taken);
    expect(await refusalAt(server.url(taken))).toBe(
      `Expected the schema service_sim of postgres://127.0.0.1:PORT/${taken} to be of this program ` +
        "but found other tables in it: name another database in the URL, or rename that schema.",
    );
    expect(await server.run("select * from service_sim.meta", taken)).toEqual([]);
  });

  test("a schema that another role made empty for this one is used", async () => {
    const prepared = await server.database();
    await server.run("create schema service_sim authorization plain", prepared);
    expect(await engineAt(server.url(prepared, "plain")).open()).toMatchObject({ format: 5 });
    expect(await engineAt(server.url(prepared)).open()).toMatchObject({ format: 5 });
  });

  test("tables of another role are refused to who may not write them", async () => {
    const owned = await server.database();
    await engineAt(server.url(owned)).open();
    const url = server.url(owned, "plain");
    const says =
      `postgres://127.0.0.1:PORT/${owned} does not let the role plain write the tables of the schema ` +
      "service_sim: name the role that made them, or grant their rights.";
    expect(await refusalAt(url)).toBe(says);
    await server.run("grant usage on schema service_sim to plain", owned);
    await server.run("grant select on all tables in schema service_sim to plain", owned);
    expect(await refusalAt(url)).toBe(says);
    await server.run("grant all on all tables in schema service_sim to plain", owned);
    expect(await refusalAt(url)).toBe(says);
    await server.run("grant usage on all sequences in schema service_sim to plain", owned);
    await engineAt(url).open();
  });

  test.each([4, 6])("format %s is refused by its number", async (format) => {
    const other = await server.database();
    await engineAt(server.url(other)).open();
    await server.run(`update service_sim.meta set format = ${format}`, other);
    const engine = engineAt(server.url(other));
    await expect(engine.open()).rejects.toEqual(new OtherFormat(engine.place, format));
  });

  test("of ten processes that open an empty database at once, each finds the same schema", async () => {
    const fresh = await server.database();
    const engines = Array.from({ length: 10 }, () => engineAt(server.url(fresh)));
    const found = await Promise.all(engines.map((engine) => engine.open()));
    const rows = await server.run("select format, key from service_sim.meta", fresh);
    expect(rows).toEqual([{ format: 5, key: expect.any(Buffer) }]);
    expect(found).toEqual(Array.from({ length: 10 }, () => rows[0]));
    const timelines = await Promise.all(engines.map((engine) => engine.newTimeline()));
    expect(new Set(timelines).size).toBe(10);
  });
});
