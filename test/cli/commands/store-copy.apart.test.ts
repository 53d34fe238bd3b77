import { existsSync, readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { documentOf } from "../../setup/cli.ts";
import { formOf, PASSPORT } from "../../setup/uploads.ts";
import { hasPostgres, PostgresServer, sayIfSkipped } from "../../storage/setup/postgres-server.ts";
import { contentsOfFolder } from "../../storage/setup/store-contents.ts";
import { placePerTest } from "../setup/place-per-test.ts";

sayIfSkipped("store copy to and from a database");

const place = placePerTest();

/** A folder with a fixture's world, a fork, a fork of it, a document and two snapshots. */
const fillFolder = async () => {
  const options = "--storage file:source --fixture payouts-demo --clock manual --seed copied";
  const sim = await place().startProcess(options);
  const { apiUrl, clientId, clientSecret } = sim.ready;
  const customer = { customerType: "INDIVIDUAL", platformCustomerId: "copied" };
  const { body } = await sim.call("POST", "/customers", customer);
  const uploaded = await fetch(`${apiUrl}/documents`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: formOf({ documentHolder: body.id, ...PASSPORT }),
  });
  expect(uploaded.status).toBe(201);
  const made = async (method: string, path: string, input?: object) =>
    expect([path, (await sim.control(method, path, input)).status]).toEqual([path, 201]);
  await made("PUT", "/snapshots/before");
  await made("POST", "/worlds", { name: "one" });
  await made("POST", "/worlds", { name: "two", from: "world:one" });
  await sim.call("POST", "/customers", { ...customer, platformCustomerId: "later" });
  await made("PUT", "/snapshots/after");
  await sim.stop();
};

/** The next customer that a start makes. */
const nextCustomer = async (storage: string) => {
  const sim = await place().startProcess(`--storage ${storage}`);
  const { body } = await sim.call("POST", "/customers", {
    customerType: "INDIVIDUAL",
    platformCustomerId: "next",
  });
  const { body: log } = await sim.control("GET", "/requests?operation=createDocument");
  await sim.stop();
  return { id: body.id, createdAt: body.createdAt, documents: log.data.length };
};

describe.skipIf(!hasPostgres())("store copy", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server?.delete());

  const copy = (from: string, to: string, ...more: string[]) =>
    place().run(["store", "copy", from, to, ...more]);

  test("folder to database to folder: all worlds are equal, and ids go on as they would", async () => {
    await fillFolder();
    const url = server.url(await server.database());
    const before = await contentsOfFolder(place().file("source"));
    const there = await copy("file:source", url);
    expect([there.code, there.stderr]).toEqual([0, ""]);
    const back = await copy(url, "file:back", "--json");
    expect([back.code, back.stderr]).toEqual([0, ""]);
    expect(documentOf(back).worlds.map(({ name, snapshots }: never) => [name, snapshots])).toEqual([
      ["sandbox", 2],
      ["one", 0],
      ["two", 0],
    ]);
    const after = await contentsOfFolder(place().file("back"));
    expect(before.worlds.map(({ name, from, files }) => [name, from, files.length])).toEqual([
      ["sandbox", undefined, 1],
      ["one", "sandbox", 1],
      ["two", "one", 1],
    ]);
    expect(before.worlds[0]?.points.map(({ point }) => point)).toEqual(["before", "after"]);
    expect(before.worlds[0]?.items.map(([, bytes]) => Buffer.isBuffer(bytes))).toEqual([
      true,
      true,
      true,
    ]);
    expect(after).toEqual(before);
    expect(await contentsOfFolder(place().file("source"))).toEqual(before);
    const next = await nextCustomer("file:source");
    expect(next.documents).toBe(1);
    expect(await nextCustomer("file:back")).toEqual(next);
    expect(await nextCustomer(url)).toEqual(next);
    const sim = await place().startProcess("--storage file:back");
    expect((await sim.control("POST", "/snapshots/before/restore")).status).toBe(200);
    const reset = await sim.control("POST", "/reset?world=two");
    expect(reset.status).toBe(200);
    await sim.stop();
  });

  test("a source that a simulator serves is refused, and nothing is made", async () => {
    const url = server.url(await server.database());
    const next = (from: string, to: string) => [
      `service-sim store copy ${from} ${to}    once that simulator has stopped`,
    ];
    const one = await place().startProcess("--storage file:source");
    const folder = await copy("file:source", "file:target", "--json");
    expect([folder.code, documentOf(folder).error]).toMatchObject([
      4,
      {
        code: "STATE_LOCKED",
        message: `another simulator (pid ${one.ready.pid}) is using ${place().file("source")}`,
        next: next(`file:${place().file("source")}`, `file:${place().file("target")}`),
      },
    ]);
    await one.stop();
    const other = await place().startProcess(`--storage ${url}`);
    const [{ id }] = (await server.run(
      "select id from service_sim.process",
      new URL(url).pathname.slice(1),
    )) as [{ id: string }];
    const database = await copy(url, "file:target", "--json");
    expect([database.code, documentOf(database).error]).toMatchObject([
      4,
      {
        code: "STATE_LOCKED",
        message: `${url.replace("postgres@", "")} is served by a simulator, ${id}: stop it, and copy then`,
        next: next(url, `file:${place().file("target")}`),
      },
    ]);
    await other.stop();
    expect(existsSync(place().file("target"))).toBe(false);
  });

  test("a target that has worlds is refused, and keeps them", async () => {
    const url = server.url(await server.database());
    for (const storage of ["file:source", "file:other", url])
      await (await place().startProcess(`--storage ${storage}`)).stop();
    const before = readdirSync(place().file("other"), { recursive: true });
    for (const [to, where, removal] of [
      ["file:other", place().file("other"), `rm -r ${place().file("other")}`],
      [url, url.replace("postgres@", ""), "dropdb <database>"],
    ] as const) {
      const ended = await copy("file:source", to, "--json");
      expect(ended.code).toBe(4);
      const { error } = documentOf(ended);
      expect([error.code, error.message]).toEqual([
        "STORE_NOT_EMPTY",
        `${where} has worlds already, of a simulator or of a copy that was not finished: nothing was changed`,
      ]);
      expect(error.next.at(-1).replace(/ +/g, " ")).toBe(
        `${removal} deletes it, with all its worlds`,
      );
    }
    expect(readdirSync(place().file("other"), { recursive: true })).toEqual(before);
    const database = new URL(url).pathname.slice(1);
    expect(await server.run("select name from service_sim.world", database)).toEqual([
      { name: "sandbox" },
    ]);
  });

  const FORMS =
    "memory:, file:<directory> or postgres://<user>:<password>@<host>:<port>/<database>";

  /** Words that cannot be copied from or to. */
  const REFUSED: { words: string[]; code: number; says: string }[] = [
    {
      words: [],
      code: 2,
      says: "give a source",
    },
    {
      words: ["file:a"],
      code: 2,
      says: "give a target",
    },
    {
      words: ["memory:", "file:b"],
      code: 2,
      says: "worlds in memory end with their simulator: name a folder or a database",
    },
    {
      words: ["file:a", "memory:"],
      code: 2,
      says: "worlds in memory end with their simulator: name a folder or a database",
    },
    { words: ["file:a", "sqlite:b"], code: 2, says: `Expected ${FORMS} but found "sqlite:b"` },
    {
      words: ["postgres://sim:s3cret@h", "file:b"],
      code: 2,
      says: `Expected ${FORMS} but found "postgres://sim:***@h"`,
    },
    {
      words: ["file:a", "file:./a"],
      code: 2,
      says: "file:HERE/a is named twice: name another target",
    },
    {
      words: ["postgres://a:s3cret@h/db", "postgres://b@h:5432/db?x=y"],
      code: 2,
      says: "postgres://a:***@h/db is named twice: name another target",
    },
    { words: ["file:absent", "file:b"], code: 4, says: "HERE/absent has no worlds" },
  ];
  test.each(REFUSED)(
    "$words end with $code, and nothing is made",
    async ({ words, code, says }) => {
      const ended = await place().run(["store", "copy", ...words]);
      const [first] = ended.stderr.replaceAll(place().path, "HERE").split("\n");
      expect([ended.code, ended.stdout, first]).toEqual([code, "", `error  ${says}`]);
      expect(ended.stderr).not.toContain("s3cret");
      expect(readdirSync(place().path)).toEqual([]);
    },
  );
});
