import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { documentOf } from "../../setup/cli.ts";
import { hasPostgres, PostgresServer, sayIfSkipped } from "../../storage/setup/postgres-server.ts";
import { placePerTest } from "../setup/place-per-test.ts";

sayIfSkipped("starts on PostgreSQL");

const PASSWORD = "s3cret-of-sim";

const place = placePerTest();

describe.skipIf(!hasPostgres())("a start on PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
    await server.run(`create role sim login password '${PASSWORD}'`);
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

  /** A start that fails: its code and what it printed, with port and database by name. */
  const failedStart = async (database: string, words: string, password?: string) => {
    const url = urlOf(database, password);
    const ended = await place().run(`start --port 0 --storage ${url} ${words}`);
    const shown = (text: string) =>
      text.replaceAll(String(server.port), "PORT").replaceAll(database, "DB");
    return { code: ended.code, stdout: shown(ended.stdout), stderr: shown(ended.stderr) };
  };

  const STORAGE = "--storage 'postgres://sim:***@127.0.0.1:PORT/DB'";

  /** Changes before a start, and the output of the start then. */
  const REFUSED: { what: string; sql?: string; words?: string; password?: string; says: string }[] =
    [
      {
        what: "a wrong password",
        password: "not-it",
        says: `\
error  postgres://127.0.0.1:PORT/DB does not accept the role sim with this password: check user and password of the URL
next   service-sim store check 'postgres://sim:***@127.0.0.1:PORT/DB'    checks it again
       service-sim start --storage memory:                               or run in memory
`,
      },
      {
        what: "a setting that loses data",
        sql: "alter role sim set synchronous_commit = off",
        says: `\
error  Expected synchronous_commit on but found off at postgres://127.0.0.1:PORT/DB: a crash may take the last second. Set it to on for the server, and reset it for this role and database
next   service-sim store check 'postgres://sim:***@127.0.0.1:PORT/DB'    checks it again
       service-sim start --storage memory:                               or run in memory
`,
      },
      {
        what: "no connection left",
        sql: "alter role sim connection limit 0",
        says: `\
error  The store has no connection left (PostgreSQL, 53300): nothing was started
next   service-sim start ${STORAGE}    tries it again
       service-sim start --storage memory:                                     or run in memory
`,
      },
      {
        what: "--fresh",
        words: "--fresh",
        says: `\
error  --fresh: only a folder is moved aside, and other simulators may serve the worlds of a database
next   service-sim reset                                      takes the running world back to its start
       dropdb <database>        deletes all worlds, once no simulator runs
       service-sim start --help
`,
      },
    ];
  test.each(REFUSED)("with $what says so and makes no file", async (row) => {
    const database = await newDatabase();
    if (row.sql) await server.run(row.sql);
    try {
      const { code, stdout, stderr } = await failedStart(database, row.words ?? "", row.password);
      expect(stderr.replace(/ +/g, " ")).toBe(row.says.replace(/ +/g, " "));
      expect({ code, stdout }).toEqual({ code: row.what === "--fresh" ? 2 : 4, stdout: "" });
      expect(readdirSync(place().path)).toEqual([]);
    } finally {
      await server.run("alter role sim reset all; alter role sim connection limit -1");
    }
  });

  test("of a newer format says so, and nothing is changed", async () => {
    const database = await newDatabase();
    await (await place().startProcess(`--storage ${urlOf(database)}`)).stop();
    await server.run("update service_sim.meta set format = 99", database);
    const { code, stderr } = await failedStart(database, "");
    expect({ code, stderr: stderr.replace(/ +/g, " ") }).toEqual({
      code: 4,
      stderr: `\
error Expected format version 5 but found 99 in postgres://127.0.0.1:PORT/DB: a newer version of this program wrote it
next start it with the newer version that wrote it
 service-sim start --storage memory: or run in memory
`,
    });
    expect(await server.run("select format from service_sim.meta", database)).toEqual([
      { format: 99 },
    ]);
  });

  test("with other settings than the kept ones says so, also with --fsync", async () => {
    const database = await newDatabase();
    const sim = await place().startProcess(`--storage ${urlOf(database)} --seed 7 --fsync`);
    const { body } = await sim.control("GET", "/status");
    expect(body.storage).toMatchObject({
      url: `postgres://sim:***@127.0.0.1:${server.port}/${database}`,
      fsync: true,
      writable: true,
    });
    expect(body.storage.directory).toBeUndefined();
    await sim.stop();
    const { code, stderr } = await failedStart(database, "--seed 8");
    expect({ code, stderr: stderr.replace(/ +/g, " ") }).toEqual({
      code: 4,
      stderr: `\
error Expected --seed 7, which the state in postgres://127.0.0.1:PORT/DB began with, but found 8
next service-sim start ${STORAGE} continue with that state
 dropdb <database> or delete all worlds, once no simulator runs
 service-sim start --storage memory: or run in memory
`,
    });
  });

  test("that is stopped while the database is away says so, and the next one continues", async () => {
    const database = await newDatabase();
    const options = `--storage ${urlOf(database)}`;
    const first = await place().startProcess(options);
    const customer = { customerType: "INDIVIDUAL", platformCustomerId: "kept" };
    expect((await first.call("POST", "/customers", customer)).status).toBe(201);
    await server.end("SIGKILL");
    const ended = await first.stop();
    await server.begin();
    expect(ended.code).toBe(1);
    const last = ended.stdout.trimEnd().split("\n").at(-1) ?? "";
    expect(JSON.parse(last).error).toEqual({
      code: "STORE_UNAVAILABLE",
      exitCode: 1,
      message:
        "The store is not reachable (PostgreSQL): the simulator ended without giving its worlds back; " +
        "all that was acknowledged is kept",
      next: ["start it again when the store works: its worlds are free a few seconds after this"],
    });
    const second = await place().startProcess(options);
    const { body } = await second.call("GET", "/customers");
    expect(body.data).toMatchObject([{ platformCustomerId: "kept" }]);
    await second.stop();
  });

  test("beside one that runs names it, and after its kill waits for its lease", async () => {
    const database = await newDatabase();
    const options = `--storage ${urlOf(database)}`;
    const first = await place().startProcess(options, { folder: "one" });
    const second = await place().run(`start --port 0 --json ${options}`, { folder: "two" });
    expect(second.code).toBe(4);
    const [{ owner }] = (await server.run("select owner from service_sim.world", database)) as [
      { owner: string },
    ];
    expect(documentOf(second).error).toMatchObject({
      code: "STATE_LOCKED",
      message: `the world sandbox of postgres://127.0.0.1:${server.port}/${database} is served by another simulator, ${owner}`,
      details: { owner },
    });
    await first.stop("SIGKILL");
    const third = await place().startProcess(options, { folder: "two" });
    expect((await third.control("GET", "/status")).body.storage.writable).toBe(true);
  });
});
