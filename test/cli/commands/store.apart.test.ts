import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { VERSION } from "../../../src/version.ts";
import { documentOf, type Ended } from "../../setup/cli.ts";
import { hasPostgres, PostgresServer, sayIfSkipped } from "../../storage/setup/postgres-server.ts";
import { placePerTest } from "../setup/place-per-test.ts";

sayIfSkipped("store check, store upgrade and doctor with a database");

const PASSWORD = "s3cret-of-sim";

const place = placePerTest();

describe.skipIf(!hasPostgres())("commands about a database", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
    await server.run(`create role sim login password '${PASSWORD}'; create role other login`);
    await server.allow(["host all sim 127.0.0.1/32 scram-sha-256"]);
  });
  afterAll(() => server?.delete());

  const newDatabase = async () => {
    const database = await server.database();
    await server.run(`alter database ${database} owner to sim`);
    return database;
  };

  const urlOf = (database: string, password = PASSWORD) =>
    `postgres://sim:${password}@127.0.0.1:${server.port}/${database}`;

  const shown = (text: string, database: string) =>
    text.replaceAll(String(server.port), "PORT").replaceAll(database, "DB").replace(/ +/g, " ");

  /** The check of the state that `doctor --json` reports. */
  const stateOf = ({ stdout }: Pick<Ended, "stdout">) =>
    JSON.parse(stdout).checks.find(({ check }: { check: string }) => check === "state");

  /** Findings about a database that is not fit, by what was done to it before. */
  const UNFIT: {
    what: string;
    made?: true;
    sql?: string;
    inside?: string;
    url?: (database: string) => string;
    code: string;
    says: string;
    /** The first step that is named; the other one is a start in memory. */
    next: string;
  }[] = [
    {
      what: "no server",
      url: (database) => `postgres://sim:${PASSWORD}@127.0.0.1:1/${database}`,
      code: "STORE_REFUSED",
      says: "postgres://127.0.0.1:1/DB is not reachable (ECONNREFUSED): check host and port of the URL, and that PostgreSQL runs",
      next: "service-sim store check 'postgres://sim:***@127.0.0.1:1/DB' checks it again",
    },
    {
      what: "no database",
      url: () => `postgres://sim:${PASSWORD}@127.0.0.1:${server.port}/absent`,
      code: "STORE_REFUSED",
      says: "postgres://127.0.0.1:PORT/absent has no database absent: make it with createdb, or name another in the URL",
      next: "service-sim store check 'postgres://sim:***@127.0.0.1:PORT/absent' checks it again",
    },
    {
      what: "a wrong password",
      url: (database) => urlOf(database, `not-${PASSWORD}`),
      code: "STORE_REFUSED",
      says: "postgres://127.0.0.1:PORT/DB does not accept the role sim with this password: check user and password of the URL",
      next: "service-sim store check 'postgres://sim:***@127.0.0.1:PORT/DB' checks it again",
    },
    {
      what: "no right to make the schema",
      url: (database) => server.url(database, "other"),
      code: "STORE_REFUSED",
      says: "postgres://127.0.0.1:PORT/DB does not let the role other make or use the schema service_sim (permission denied for database DB): grant create on database DB to other, or name the role that made the schema",
      next: "service-sim store check postgres://other@127.0.0.1:PORT/DB checks it again",
    },
    {
      what: "no right to write the tables",
      made: true,
      inside: "grant usage on schema service_sim to other",
      url: (database) => server.url(database, "other"),
      code: "STORE_REFUSED",
      says: "postgres://127.0.0.1:PORT/DB does not let the role other write the tables of the schema service_sim: name the role that made them, or grant their rights",
      next: "service-sim store check postgres://other@127.0.0.1:PORT/DB checks it again",
    },
    {
      what: "another schema of that name",
      inside: "create schema service_sim; create table service_sim.invoice (id int)",
      code: "STORE_REFUSED",
      says: "Expected the schema service_sim of postgres://127.0.0.1:PORT/DB to be of this program but found other tables in it: name another database in the URL, or rename that schema",
      next: "service-sim store check 'postgres://sim:***@127.0.0.1:PORT/DB' checks it again",
    },
    {
      what: "a setting that loses data",
      sql: "alter system set fsync = off; select pg_reload_conf()",
      code: "STORE_REFUSED",
      says: "Expected fsync on but found off at postgres://127.0.0.1:PORT/DB: a power cut may take or damage everything. Set fsync = on in postgresql.conf and reload it",
      next: "service-sim store check 'postgres://sim:***@127.0.0.1:PORT/DB' checks it again",
    },
    {
      what: "no connection left",
      sql: "alter role sim connection limit 0",
      code: "STORE_UNAVAILABLE",
      says: "The store has no connection left (PostgreSQL, 53300): nothing was started",
      next: "service-sim start --storage 'postgres://sim:***@127.0.0.1:PORT/DB' tries it again",
    },
    {
      what: "a newer format",
      made: true,
      inside: "update service_sim.meta set format = 6",
      code: "STATE_FORMAT",
      says: "Expected format version 5 but found 6 in postgres://127.0.0.1:PORT/DB: a newer version of this program wrote it",
      next: "start it with the newer version that wrote it",
    },
    {
      what: "an earlier format",
      made: true,
      inside: "update service_sim.meta set format = 4",
      code: "STATE_FORMAT",
      says: "Expected format version 5 but found 4 in postgres://127.0.0.1:PORT/DB: an earlier version of this program wrote it",
      next: "service-sim store upgrade 'postgres://sim:***@127.0.0.1:PORT/DB' raises its format",
    },
  ];
  test.each(UNFIT)("with $what say so", async (row) => {
    const database = await newDatabase();
    const good = urlOf(database);
    if (row.made) await place().run(["store", "check", good]);
    if (row.inside) await server.run(row.inside, database);
    if (row.sql) for (const one of row.sql.split(";")) await server.run(one);
    try {
      const url = row.url?.(database) ?? good;
      const run = async (words: string, ...more: string[]) => {
        const ended = await place().run([...words.split(" "), url, ...more]);
        return {
          code: ended.code,
          stdout: shown(ended.stdout, database),
          stderr: shown(ended.stderr, database),
        };
      };
      const next = [row.next, "service-sim start --storage memory: or run in memory"];
      const text = `error ${row.says}\nnext ${next[0]}\n ${next[1]}\n`;
      const error = { code: row.code, message: row.says, next, exitCode: 4 };
      const refused = { code: 4, stdout: `${JSON.stringify({ error })}\n`, stderr: text };
      expect(await run("store check", "--json")).toEqual(refused);
      expect(await run("store upgrade", "--json")).toEqual(refused);
      expect(await run("store check")).toEqual({ code: 4, stdout: "", stderr: text });
      const doctor = await run("doctor --storage", "--json");
      expect([doctor.code, stateOf(doctor)]).toEqual([
        1,
        { check: "state", ok: false, found: row.says, next: row.next },
      ]);
      expect(readdirSync(place().path)).toEqual([]);
    } finally {
      await server.run("alter role sim connection limit -1");
      await server.reset();
    }
  });

  const EMPTY = "postgres://127.0.0.1:PORT/DB is fit to keep worlds: format 5, 0 worlds";

  test("that is empty and fit say so, and make the schema", async () => {
    const database = await newDatabase();
    const run = async (words: string) => {
      const { code, stdout } = await place().run([...words.split(" "), urlOf(database)]);
      return [code, shown(stdout, database)];
    };
    expect(await run("store check")).toEqual([0, `✓ ${EMPTY}, 0 simulators running\n`]);
    expect(await run("store upgrade")).toEqual([
      0,
      "✓ postgres://127.0.0.1:PORT/DB has format 5\n",
    ]);
    const [code, stdout] = await run("doctor --json --storage");
    expect([code, stateOf({ stdout: String(stdout) })]).toEqual([
      0,
      { check: "state", ok: true, found: EMPTY },
    ]);
  });

  test("that a simulator serves list its worlds and who serves them, and after its stop nobody", async () => {
    const database = await newDatabase();
    const sim = await place().startProcess(`--storage ${urlOf(database)}`);
    expect((await sim.control("POST", "/worlds", { name: "one" })).status).toBe(201);
    const [{ id }] = (await server.run("select id from service_sim.process", database)) as [
      { id: string },
    ];
    const check = async (...more: string[]) =>
      place().run(["store", "check", urlOf(database), ...more]);
    const { code, stdout } = await check();
    expect([code, shown(stdout, database)]).toEqual([
      0,
      `\
✓ postgres://127.0.0.1:PORT/DB is fit to keep worlds: format 5, 2 worlds, 1 simulator running
WORLD CHANGES SERVED BY
sandbox 1 ${id}
one 2 ${id}
`,
    ]);
    const address = `postgres://127.0.0.1:${server.port}/${database}`;
    expect(documentOf(await check("--json"))).toEqual({
      place: address,
      format: 5,
      worlds: [
        { name: "sandbox", changes: 1, servedBy: id },
        { name: "one", changes: 2, servedBy: id },
      ],
      // As of its last renewal.
      simulators: [{ id, version: VERSION, worlds: expect.any(Number) }],
    });
    const upgraded = await place().run(["store", "upgrade", urlOf(database), "--json"]);
    expect([upgraded.code, documentOf(upgraded)]).toEqual([0, { place: address, format: 5 }]);
    await sim.stop();
    const after = documentOf(await check("--json"));
    expect(after.worlds).toEqual([
      { name: "sandbox", changes: expect.any(Number) },
      { name: "one", changes: expect.any(Number) },
    ]);
    expect(after.simulators).toEqual([]);
  });

  test("with a simulator that knows no newer format, an upgrade changes nothing", async () => {
    const database = await newDatabase();
    const sim = await place().startProcess(`--storage ${urlOf(database)}`);
    await server.run("update service_sim.process set knows = 4", database);
    const { code, stdout } = await place().run(["store", "upgrade", urlOf(database), "--json"]);
    expect([code, JSON.parse(stdout).error]).toEqual([
      1,
      {
        code: "STORE_IN_USE",
        message: "a simulator that runs does not know this format: nothing was changed",
        next: ["service-sim store check    lists the simulators and their versions"],
        exitCode: 1,
      },
    ]);
    await sim.stop();
  });

  const URL_FORM = "postgres://<user>:<password>@<host>:<port>/<database>";

  /** Words that name no database: exit code 2. */
  const UNUSABLE: { given: string[]; env?: Record<string, string>; says: string }[] = [
    {
      given: [],
      says: "say which database, for example: store check postgres://sim@127.0.0.1/sim",
    },
    { given: ["sqlite:x"], says: `Expected ${URL_FORM} but found "sqlite:x"` },
    { given: ["memory:"], says: `Expected ${URL_FORM} but found "memory:"` },
    { given: ["file:.service-sim"], says: `Expected ${URL_FORM} but found "file:.service-sim"` },
    {
      given: [`postgres://sim:${PASSWORD}@127.0.0.1`],
      says: `Expected ${URL_FORM} but found "postgres://sim:***@127.0.0.1"`,
    },
    {
      given: [],
      env: { SERVICE_SIM_STORAGE: "memory:" },
      says: `Expected ${URL_FORM} but found "memory:"`,
    },
  ];
  test.each(UNUSABLE)("$given, $env: store check and upgrade end with 2", async (row) => {
    const { given, env, says } = row;
    for (const name of ["check", "upgrade"]) {
      const ended = await place().run(["store", name, ...given], env && { env });
      expect(ended).toEqual({
        code: 2,
        signal: null,
        stdout: "",
        stderr: `error  ${says}\nnext   service-sim store --help\n`,
      });
    }
  });
});
