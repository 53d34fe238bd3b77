import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SimulatorOptions } from "../../src/simulator.ts";
import { basic } from "../setup/tokens.ts";
import { formOf, PASSPORT, pdfOf } from "../setup/uploads.ts";
import { hasPostgres, PostgresServer, sayIfSkipped } from "../storage/setup/postgres-server.ts";
import {
  type Asked,
  customersOf,
  type Got,
  makeCustomer,
  ownerOf,
  SharedProcess,
} from "./setup/shared-processes.ts";
import { holdNext, unloadAll, waysWithin, worldsWithin } from "./setup/worlds-within.ts";

sayIfSkipped("faults that processes of one store had");

const post = (body: object = {}): Asked => ({ method: "POST", body });

const said = ({ status, body }: Got) => `${status} ${body.code ?? body.error?.code ?? ""}`.trim();

/** A lease that outlives each test: nothing here waits for the end of one. */
const PATIENT: SimulatorOptions = { leaseMs: 60_000 };

// spec/store.md#several-processes
describe.skipIf(!hasPostgres())("processes of one database", () => {
  let server: PostgresServer;
  let storage: string;
  let opened: SharedProcess[] = [];
  /** Beginnings of the alarms that a test provokes. */
  let expectedAlarms: string[] = [];
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server?.delete());
  beforeEach(async () => {
    storage = server.url(await server.database());
  });
  afterEach(async () => {
    const processes = opened.splice(0);
    await Promise.all(processes.map(({ sim }) => sim.close()));
    const alarms = processes.flatMap((process) => process.alarms);
    expect(alarms).toEqual(expectedAlarms.splice(0).map((text) => expect.stringContaining(text)));
  });

  const open = async (options: SimulatorOptions = {}) => {
    const process = await SharedProcess.open(storage, { ...PATIENT, ...options });
    opened.push(process);
    return process;
  };

  /** Closes a process before the test ends. */
  const close = async (process: SharedProcess) => {
    opened = opened.filter((one) => one !== process);
    await process.sim.close();
    expect(process.alarms).toEqual([]);
  };

  /** Makes worlds that nobody serves then. */
  const makeWorlds = async (...names: string[]) => {
    const maker = await open();
    for (const name of names) {
      expect((await maker.control(undefined, "/worlds", post({ name }))).status).toBe(201);
      await makeCustomer(maker, name, `of-${name}`);
    }
    await close(maker);
  };

  const database = () => storage.split("/").at(-1) as string;

  const rowOf = async (world: string) => {
    const text = `select owner, fence, summary is not null as is_clean
      from service_sim.world where name = '${world}'`;
    return (await server.run(text, database()))[0];
  };

  test("a second process starts with the fixture that the first one has put in", async () => {
    const first = await open({ fixture: "payouts-demo" });
    const second = await open({ fixture: "payouts-demo" });
    const ids = async (process: SharedProcess) =>
      (await process.call(undefined, "/customers")).body.data.map(({ id }: { id: string }) => id);
    const there = await ids(first);
    expect(there).not.toEqual([]);
    expect(await ids(second)).toEqual(there);
  });

  test("a control call without the token is 401 beyond loopback, wherever the default world is", async () => {
    const owner = await open();
    const beyond = await open({ host: "0.0.0.0" });
    const { port } = new URL(beyond.url);
    const ask = async (path: string, headers: Record<string, string>, method = "GET") =>
      (await fetch(`http://127.0.0.1:${port}/_sim${path}`, { method, headers })).status;
    const withToken = { authorization: `Bearer ${owner.sim.controlToken}` };
    for (const [path, method, passes] of [
      ["/clock", "GET", 200],
      ["/clock?world=sandbox", "GET", 200],
      ["/worlds", "GET", 200],
      ["/worlds/none", "DELETE", 404],
    ] as const) {
      expect(await ask(path, {}, method), path).toBe(401);
      expect(await ask(path, { authorization: "Bearer wrong" }, method), path).toBe(401);
      expect(await ask(path, withToken, method), path).toBe(passes);
    }
    expect((await owner.control(undefined, "/clock")).status).toBe(200);
  });

  test("a body over 64 KiB arrives whole although its world has moved", async () => {
    await makeWorlds("blue");
    const former = await open();
    const sender = await open();
    const owner = await open();
    const customerId = await makeCustomer(former, "blue", "ada");
    expect(await customersOf(sender, "blue")).toContain("ada");
    await unloadAll(former);
    expect(await customersOf(owner, "blue")).toContain("ada");
    expect(await ownerOf(server, storage, "blue")).toBe(await owner.id());

    const bytes = pdfOf(200 * 1024);
    const form = formOf({ documentHolder: customerId, ...PASSPORT }, { bytes });
    const made = await sender.call("blue", "/documents", { method: "POST", body: form });
    expect(made.status).toBe(201);
    const { body } = await owner.call("blue", `/documents/${made.body.id}`);
    expect(body).toEqual(made.body);
  });

  test("a damaged world that is due keeps no other from being taken", async () => {
    await makeWorlds("bad", "good");
    await server.run(
      `update service_sim.journal set changes = 'x' where timeline =
         (select timeline from service_sim.world where name = 'bad');
       update service_sim.world set due = 1 where name = 'bad'`,
      database(),
    );
    const process = await open();
    expectedAlarms = ["the world bad is damaged: "];
    expect(said(await process.call("bad", "/customers"))).toBe("503 UNAVAILABLE");
    await server.run("update service_sim.world set due = 2 where name = 'good'", database());
    await expect
      .poll(() => ownerOf(server, storage, "good"), { timeout: 10_000 })
      .toBe(await process.id());
  });

  test("a world that is called while it is unloaded stays, and is taken once", async () => {
    await makeWorlds("blue");
    const process = await open();
    expect(await customersOf(process, "blue")).toEqual(["of-blue"]);
    const stopped = holdNext(waysWithin(process).others, "stopped");
    const unloaded = unloadAll(process);
    await stopped.begun;
    expect(await customersOf(process, "blue")).toEqual(["of-blue"]);
    stopped.go();
    await unloaded;
    const before = await rowOf("blue");
    expect(before?.owner).toBe(await process.id());
    await makeCustomer(process, "blue", "late");
    expect(await rowOf("blue")).toEqual(before);
    expect([...worldsWithin(process).names()]).toEqual(["sandbox", "blue"]);
  });

  test("a process that is closed while it takes the default world gives it back", async () => {
    const owner = await open();
    const taker = await open();
    await makeCustomer(taker, undefined, "ada");
    await close(owner);
    const { start, starting } = waysWithin(taker);
    const take = holdNext(start, "take");
    const called = taker.call(undefined, "/customers").catch(() => undefined);
    await take.begun;
    const closed = close(taker);
    take.go();
    await closed;
    await called;
    expect(starting().standsIn).toBe(true);
    expect(await rowOf("sandbox")).toMatchObject({ owner: null, is_clean: true });
    expect(await customersOf(await open(), undefined)).toEqual(["ada"]);
  });

  test("a world in place of one that could not be removed is no success", async () => {
    await makeWorlds("old");
    const first = await open();
    const owner = await open();
    await owner.call("old", "/customers");
    worldsWithin(owner).remove = async () => {
      throw new Error("planted");
    };
    expectedAlarms = ["met a bug: Error: planted"];
    const next = await first.control(
      undefined,
      "/worlds",
      post({ name: "next", inPlaceOf: "old" }),
    );
    expect(said(next)).toBe("503 UNAVAILABLE");
    expect(await customersOf(first, "old")).toEqual(["of-old"]);
  });

  test("forks without a name get the next free one after a restart", async () => {
    const fork = async (process: SharedProcess) => {
      const { status, body } = await process.control(undefined, "/worlds", post());
      return `${status} ${body.name}`;
    };
    const first = await open();
    expect([await fork(first), await fork(first)]).toEqual(["201 fork-1", "201 fork-2"]);
    await close(first);
    const second = await open();
    expect([await fork(second), await fork(second)]).toEqual(["201 fork-3", "201 fork-4"]);
  });

  test("a wrong secret loads no world", async () => {
    await makeWorlds("blue");
    const process = await open();
    const wrong = { headers: { authorization: basic(`${process.sim.clientId}+blue`, "wrong") } };
    expect(said(await process.send(`${process.base}/customers`, wrong))).toBe("401 UNAUTHORIZED");
    expect(await ownerOf(server, storage, "blue")).toBe(null);
    expect(await customersOf(process, "blue")).toEqual(["of-blue"]);
    expect(await ownerOf(server, storage, "blue")).toBe(await process.id());
  });

  test.each([
    { what: "alone", user: () => "\0" },
    { what: "in a client id", user: (id: string) => `${id}\0` },
    { what: "in the name of a world", user: (id: string) => `${id}+blue\0` },
  ])("a user name with a NUL character $what is 401", async ({ user }) => {
    const process = await open();
    for (const secret of [process.sim.clientSecret, "wrong"]) {
      const headers = { authorization: basic(user(process.sim.clientId), secret) };
      const got = await process.send(`${process.base}/customers`, { headers });
      expect(said(got)).toBe("401 UNAUTHORIZED");
    }
    expect(said(await process.control("%00", "/clock"))).toBe("404 WORLD_NOT_FOUND");
  });

  test("no call fails while the owner of its world stops", async () => {
    await makeWorlds("blue");
    const owner = await open();
    await owner.call("blue", "/customers");
    const others = [await open(), await open()];
    const failed: string[] = [];
    let made = 1;
    let isOver = false;
    const load = async (process: SharedProcess, world: string | undefined) => {
      for (let more = 3; more > 0; more -= isOver ? 1 : 0) {
        const body = { customerType: "INDIVIDUAL" };
        const got = [
          await process.call(world, "/customers", post(body)),
          await process.call(world, "/customers?limit=1"),
        ];
        if (world && got[0]?.status === 201) made += 1;
        failed.push(...got.filter(({ status }) => status >= 300).map(said));
      }
    };
    const loads = [...others, ...others].flatMap((one) => [
      load(one, "blue"),
      load(one, undefined),
    ]);
    await expect.poll(() => made).toBeGreaterThan(20);
    await close(owner);
    isOver = true;
    await Promise.all(loads);
    expect(failed).toEqual([]);
    const counted: string[] = [];
    for (let cursor = ""; cursor !== "end"; ) {
      const query = cursor && `&cursor=${cursor}`;
      const { body } = await (others[0] as SharedProcess).call(
        "blue",
        `/customers?limit=100${query}`,
      );
      counted.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor ?? "end";
    }
    expect(new Set(counted).size).toBe(made);
  });
});
