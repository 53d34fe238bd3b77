import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasPostgres, PostgresServer, sayIfSkipped } from "../../storage/setup/postgres-server.ts";
import { placePerTest } from "../setup/place-per-test.ts";

sayIfSkipped("commands that could print the password of a database");

const PASSWORD = "s3cret-of-sim";
/** A part of it that each of its spellings has. */
const TELLTALE = "s3cret";

const place = placePerTest();

/** Bytes of all files below a folder, by path. */
const filesBelow = (folder: string): [string, string][] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => [path, readFileSync(path, "latin1")]);

describe.skipIf(!hasPostgres())("the password of a database's URL", () => {
  let server: PostgresServer;
  let url: string;
  beforeAll(async () => {
    server = await PostgresServer.start();
    await server.run(`create role sim login password '${PASSWORD}'`);
    await server.allow(["host all sim 127.0.0.1/32 scram-sha-256"]);
    const database = await server.database();
    await server.run(`alter database ${database} owner to sim`);
    url = `postgres://sim:${PASSWORD}@127.0.0.1:${server.port}/${database}`;
  });
  afterAll(() => server?.delete());

  /** URLs that are refused, and the exit code of all but doctor, which ends with 1. */
  const REFUSED: { what: string; of: () => string; code: number }[] = [
    { what: "a wrong password", of: () => url.replace(PASSWORD, `${PASSWORD}-not`), code: 4 },
    { what: "no server", of: () => `postgres://sim:${PASSWORD}@127.0.0.1:1/sim`, code: 4 },
    { what: "no database", of: () => url.replace(/[^/]+$/, "absent"), code: 4 },
    { what: "an escaped character", of: () => url.replace(PASSWORD, `${TELLTALE}%40x`), code: 4 },
    {
      what: "a password in a parameter",
      of: () => `postgres://sim@127.0.0.1:1/sim?password=${PASSWORD}`,
      code: 4,
    },
    { what: "no name of a database", of: () => `postgres://sim:${PASSWORD}@127.0.0.1`, code: 2 },
    { what: "an open bracket", of: () => `postgres://sim:${PASSWORD}@[::/sim`, code: 2 },
    { what: "one slash", of: () => `postgres:/sim:${PASSWORD}@127.0.0.1/sim`, code: 2 },
    { what: "another scheme", of: () => `mysql://sim:${PASSWORD}@127.0.0.1/sim`, code: 2 },
    { what: "no scheme", of: () => `sim:${PASSWORD}@127.0.0.1/sim`, code: 2 },
    { what: "a @ in it", of: () => `postgres://sim:${TELLTALE}@x/y@127.0.0.1`, code: 4 },
  ];
  const COMMANDS = [
    "start --port 0 --log json --storage URL",
    "store check URL",
    "store upgrade URL",
    "store copy URL file:target",
    "doctor --storage URL",
  ];

  test.each(REFUSED)("with $what is in no output of a refusal", async ({ of, code }) => {
    for (const words of COMMANDS)
      for (const more of [[], ["--json"]]) {
        const ended = await place().run([...words.replace("URL", of()).split(" "), ...more]);
        const output = ended.stdout + ended.stderr;
        expect([words, ended.code]).toEqual([words, words.startsWith("doctor") ? 1 : code]);
        expect(output).not.toBe("");
        expect(output).not.toContain(TELLTALE);
      }
    expect(filesBelow(place().path).filter(([, text]) => text.includes(TELLTALE))).toEqual([]);
  });

  /** Commands beside a simulator that runs, and their exit codes. */
  const BESIDE: { words: string; code: number }[] = [
    { words: "status", code: 0 },
    { words: "status --json", code: 0 },
    { words: "status --cluster", code: 0 },
    { words: "worlds list", code: 0 },
    { words: "worlds list --json", code: 0 },
    { words: "env", code: 0 },
    { words: "doctor", code: 0 },
    { words: "doctor --json", code: 0 },
    { words: "store check", code: 0 },
    { words: "store check --json", code: 0 },
    { words: "store upgrade", code: 0 },
    { words: "api GET /config", code: 0 },
    { words: "api GET /no-such-path", code: 1 },
    { words: "start --port 0", code: 4 },
    { words: "start --port 0 --seed other --json", code: 4 },
    { words: "stop", code: 0 },
  ];

  test("is in no output, file or log of a simulator that runs", async () => {
    const env = { SERVICE_SIM_STORAGE: url };
    const started = await place().run("start --port 0 --detach --log json --verbose", { env });
    expect(started.code).toBe(0);
    const outputs = [started.stdout + started.stderr];
    for (const { words, code } of BESIDE) {
      const ended = await place().run(words, { env });
      expect([words, ended.code]).toEqual([words, code]);
      outputs.push(ended.stdout + ended.stderr);
      const files = filesBelow(place().path);
      if (words === "status") expect(files.map(([path]) => path)).not.toEqual([]);
      expect(files.filter(([, text]) => text.includes(TELLTALE))).toEqual([]);
    }
    expect(outputs.filter((text) => text === "")).toEqual([]);
    expect(outputs.filter((text) => text.includes(TELLTALE))).toEqual([]);
  });
});
