import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { machineWall } from "../../../src/runtime/ports.ts";
import type { Batch, Holding } from "../../../src/storage/engine/store-engine.ts";
import { openWorld } from "../../../src/storage/open-world.ts";
import { StoreTrouble } from "../../../src/storage/port/store-trouble.ts";
import { PostgresEngine } from "../../../src/storage/postgres/postgres-engine.ts";
import { act, type Step } from "../../runtime/setup/random-world.ts";
import { CAUSE, stepsOf } from "../setup/disk-world.ts";
import { hasPostgres, PostgresServer, sayIfSkipped } from "../setup/postgres-server.ts";
import { TcpRelay } from "../setup/tcp-relay.ts";

sayIfSkipped("outages of PostgreSQL");

const MAX_CONNECTIONS = 14;
const SHORT_LEASE_MS = 600;

let server: PostgresServer;
let relay: TcpRelay;
let database: string;
let engine: PostgresEngine;
let world: Holding;
const clients: Client[] = [];

const client = async (user = "postgres") => {
  const made = new Client({ connectionString: server.url(database, user) });
  made.on("error", () => {});
  await made.connect();
  clients.push(made);
  return made;
};

const batchAfter = ({ name, fence, timeline, seq }: Holding): Batch => ({
  name,
  fence,
  timeline,
  first: seq + 1,
  last: seq + 1,
  lines: `${seq + 1}\n`,
});

const append = async () => {
  const written = await engine.append("p", [batchAfter(world)]);
  if (written.has(world.name)) world = { ...world, seq: world.seq + 1 };
  return written.size;
};

const linesOf = async () => {
  let lines = "";
  for await (const block of engine.journal({ timeline: world.timeline, after: 0 }))
    lines += block.lines;
  return lines;
};

const troubleOf = async (act: Promise<unknown>) => {
  const error = await act.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StoreTrouble);
  const { message, mayBeDone, code } = error as StoreTrouble;
  return { message, mayBeDone, code };
};

const openEngine = async (port: number) => {
  const opened = new PostgresEngine(`postgres://sim@127.0.0.1:${port}/${database}`);
  await opened.open();
  return opened;
};

describe.skipIf(!hasPostgres())("outages", () => {
  beforeAll(async () => {
    server = await PostgresServer.start({ max_connections: String(MAX_CONNECTIONS) });
    relay = await TcpRelay.start(server.port);
    await server.run("create role sim login");
  });
  afterAll(async () => {
    await relay?.close();
    await server?.delete();
  });

  beforeEach(async () => {
    database = await server.database();
    await server.run(`alter database ${database} owner to sim`);
    engine = await openEngine(server.port);
    await engine.join({ id: "p", knows: 5, version: "1", loaded: 0 }, 600_000);
    const timeline = await engine.newTimeline();
    const pins = [{ timeline, after: 0 }];
    await engine.create({
      facts: { name: "w" },
      owner: "p",
      timeline,
      seq: 0,
      callers: [],
      keep: [{ holder: "world:w", parts: [], pins, items: {} }],
      dueAtMs: null,
    });
    world = { name: "w", owner: "p", fence: 1, timeline, seq: 0 };
  });
  afterEach(async () => {
    for (const made of clients.splice(0)) await made.end();
    await engine.close();
  });

  test("a killed server is not reachable, and once it is back all acts go on", async () => {
    for (let round = 0; round < 3; round += 1) {
      expect(await append()).toBe(1);
      await server.end("SIGKILL");
      const trouble = {
        message: "The store is not reachable (PostgreSQL): this call was not made",
        mayBeDone: false,
        code: undefined,
      };
      expect(await troubleOf(engine.find("w"))).toEqual(trouble);
      expect(await troubleOf(append())).toEqual(trouble);
      expect(await troubleOf(engine.check())).toEqual(trouble);
      await server.begin();
    }
    expect(await append()).toBe(1);
    expect(await linesOf()).toBe("1\n2\n3\n4\n");
  });

  /** Holds the row of a world, so that the next append waits. */
  const holdWorld = async (name = "w") => {
    const holder = await client();
    await holder.query(`begin; select from service_sim.world where name = '${name}' for update`);
    return holder;
  };

  const waiting = `select pid from pg_stat_activity
    where datname = current_database() and usename = 'sim' and wait_event_type = 'Lock'`;

  const waitingPids = (count: number) =>
    expect.poll(async () => (await server.run(waiting, database)).length).toBe(count);

  const waitingPid = async () => {
    await waitingPids(1);
    return (await server.run(waiting, database))[0]?.pid;
  };

  test("a session that is ended during a change leaves open whether it was made", async () => {
    const holder = await holdWorld();
    const trouble = troubleOf(append());
    await server.run(`select pg_terminate_backend(${await waitingPid()})`);
    expect(await trouble).toEqual({
      message:
        "The store ended the connection (PostgreSQL, 57P01): it may have been done: repeat it with the same Idempotency-Key",
      mayBeDone: true,
      code: "57P01",
    });
    await holder.query("rollback");
    expect((await engine.find("w"))?.seq).toBe(0);
    expect(await append()).toBe(1);
  });

  test("a change without an answer may come in late: once, and the head says so", async () => {
    const holder = await holdWorld();
    const late = batchAfter(world);
    expect(await troubleOf(append())).toEqual({
      message:
        "The store did not answer in time (PostgreSQL): it may have been done: repeat it with the same Idempotency-Key",
      mayBeDone: true,
      code: undefined,
    });
    expect((await engine.find("w"))?.seq).toBe(0);
    await holder.query("rollback");
    await expect.poll(async () => (await engine.find("w"))?.seq).toBe(1);
    expect((await engine.append("p", [late])).size).toBe(0);
    expect(await linesOf()).toBe("1\n");
  });

  test("a change that is lost without a word was not made", async () => {
    const direct = engine;
    engine = await openEngine(relay.port);
    relay.cut("silence");
    expect(await troubleOf(append())).toMatchObject({ mayBeDone: true, code: undefined });
    expect((await direct.find("w"))?.seq).toBe(0);
    expect(await append()).toBe(1);
    await direct.close();
  });

  test("a write whose answer is lost was made, and another process has the world at once", async () => {
    const direct = engine;
    engine = await openEngine(relay.port);
    relay.cut("answer");
    const items = [{ holder: "world:w", name: "note", bytes: Buffer.from("n") }];
    expect(await troubleOf(engine.write(world, { items }))).toMatchObject({ mayBeDone: true });
    await direct.leave("p");
    expect(await direct.take("w", "q")).toMatchObject({ owner: "q", fence: 3 });
    expect(await direct.items("world:w")).toEqual({ note: Buffer.from("n") });
    await direct.close();
  });

  test("a server that takes no writes says so, serves reads, and goes on when it does", async () => {
    expect(await append()).toBe(1);
    await server.set("default_transaction_read_only", "on");
    const says = "The store takes no writes (PostgreSQL, 25006): this call was not made";
    const trouble = { message: says, mayBeDone: false, code: "25006" };
    expect(await troubleOf(append())).toEqual(trouble);
    expect(await troubleOf(engine.write(world, { remove: true }))).toEqual(trouble);
    expect(await troubleOf(engine.take("w", "p"))).toEqual(trouble);
    expect(await troubleOf(engine.renew("p", 5_000, { loaded: 1 }))).toEqual(trouble);
    expect(await troubleOf(engine.putParts([{ sha256: "a", body: Buffer.from("a") }]))).toEqual(
      trouble,
    );
    expect((await engine.find("w"))?.seq).toBe(1);
    expect(await linesOf()).toBe("1\n");
    await server.reset();
    expect(await append()).toBe(1);
  });

  test("a server without a free connection says so, and goes on when there is one", async () => {
    await engine.close();
    const full = async (): Promise<void> => {
      for (;;) await client("sim");
    };
    await expect(full()).rejects.toMatchObject({ code: "53300" });
    const says = "The store has no connection left (PostgreSQL, 53300): this call was not made";
    const trouble = { message: says, mayBeDone: false, code: "53300" };
    engine = new PostgresEngine(server.url(database, "sim"));
    expect(await troubleOf(engine.open())).toEqual(trouble);
    expect(await troubleOf(append())).toEqual(trouble);
    for (const made of clients.splice(0)) await made.end();
    await expect.poll(() => append().catch(() => 0)).toBe(1);
  });

  test("a lease that is being renewed is not taken: who takes waits for it", async () => {
    await server.run("update service_sim.process set until = now()", database);
    const renewing = await client();
    await renewing.query("begin");
    await renewing.query("update service_sim.process set until = now() + interval '1 hour'");
    const taken = engine.take("w", "q");
    await waitingPid();
    await renewing.query("commit");
    expect(await taken).toMatchObject({ owner: "p", fence: 1 });
  });

  test("a lease is not renewed past a take that came first: who renews waits for it", async () => {
    await server.run("update service_sim.process set until = now()", database);
    const holder = await holdWorld();
    const taken = engine.take("w", "q");
    await waitingPid();
    const renewed = engine.renew("p", 60_000, { loaded: 1 });
    await waitingPids(2);
    await holder.query("rollback");
    expect(await taken).toMatchObject({ owner: "q", fence: 2 });
    expect(await renewed).toBe(false);
  });

  test("a lease is renewed behind a take that found its world deleted", async () => {
    await server.run("update service_sim.process set until = now()", database);
    const holder = await holdWorld();
    const taken = engine.take("w", "q");
    await waitingPid();
    const renewed = engine.renew("p", 60_000, { loaded: 1 });
    await waitingPids(2);
    await holder.query("delete from service_sim.world where name = 'w'; commit");
    expect(await taken).toBeUndefined();
    expect(await renewed).toBe(true);
  });

  test("a lease that ended is not renewed beside a raise of the format, one of both counts", async () => {
    await server.run("update service_sim.process set until = now()", database);
    const raising = await client();
    await raising.query("begin; update service_sim.meta set format = 6");
    const renewed = engine.renew("p", 60_000, { loaded: 1 });
    await waitingPid();
    await raising.query("commit");
    expect(await renewed).toBe(false);
  });

  test("processes that own worlds outlive each sweep, until another one has taken them", async () => {
    await engine.join({ id: "idle", knows: 5, version: "1", loaded: 0 }, 60_000);
    const old = "update service_sim.process set until = now() - interval '2 hours'";
    const ids = async () =>
      (await server.run("select id from service_sim.process", database)).map(({ id }) => id);
    await server.run(old, database);
    await engine.sweep();
    expect(await ids()).toEqual(["p"]);
    await engine.take("w", "q");
    await engine.sweep();
    expect(await ids()).toEqual([]);
  });

  /** A process whose lease is far shorter than the outages here. */
  const openShort = async () => {
    const opened = await openWorld({
      storage: { kind: "postgres", url: server.url(database, "sim") },
      wall: machineWall,
      fsync: false,
      peer: "127.0.0.1:4748",
      leaseMs: SHORT_LEASE_MS,
      identity: { clockMode: "manual" },
    });
    if (opened.isNew) opened.reset();
    return opened;
  };

  test("a server that is away for longer than the lease loses no world, and all goes on", async () => {
    const { engine: simulator, session, close } = await openShort();
    const [step] = stepsOf(1);
    const commit = () => simulator.commit(act, step as Step, CAUSE).seq;
    const before = commit();
    await simulator.journal.reached(before);
    const [row] = (await engine.processes()).filter(({ id }) => id !== "p");
    expect(row).toMatchObject({ peer: "127.0.0.1:4748" });
    expect(row?.leaseLeftMs).toBeLessThanOrEqual(SHORT_LEASE_MS);

    await holdWorld("sandbox");
    const written = commit();
    await waitingPid();
    await server.end("SIGKILL");
    // Each waits for 2 s, and the lease ends meanwhile.
    await expect(simulator.journal.reached(written)).rejects.toMatchObject({ mayBeDone: true });
    await expect(simulator.journal.reached(before)).rejects.toMatchObject({ mayBeDone: false });
    expect(session?.trouble()).toBe("The store is not reachable (PostgreSQL)");
    await server.begin();

    await expect
      .poll(() => simulator.journal.reached(written), { timeout: 10_000 })
      .toBe(undefined);
    expect(session?.trouble()).toBeUndefined();
    await simulator.journal.reached(commit());
    expect([simulator.stopped, simulator.readOnlyBecause]).toEqual([undefined, undefined]);
    const found = await engine.processes();
    expect(found.find(({ id }) => id === row?.id)?.leaseLeftMs).toBeGreaterThan(0);
    const { seq } = simulator.state;
    await close();
    const again = await openShort();
    expect(again.engine.state.seq).toBe(seq);
    await again.close();
  });

  test("the format does not rise past a process that is joining", async () => {
    await server.run("update service_sim.process set knows = 6", database);
    const joining = await client();
    await joining.query(`begin;
      update service_sim.meta set joins = joins + 1;
      insert into service_sim.process values ('old', null, now() + interval '1 hour', 5, '1', 0)`);
    const raised = engine.raiseFormat(6);
    await waitingPid();
    await joining.query("commit");
    expect(await raised).toBe(false);
    expect(await engine.open()).toMatchObject({ format: 5 });
  });

  test("changes of a world that pins none of its timeline are not swept", async () => {
    await append();
    await engine.write(world, { drop: ["world:w"] });
    await engine.sweep();
    expect(await linesOf()).toBe("1\n");
    const pins = [{ timeline: world.timeline, after: 1 }];
    const keep = [{ holder: "world:w", parts: [], pins, items: {} }];
    await engine.write({ ...world, fence: 2 }, { keep });
    await engine.sweep();
    expect(await linesOf()).toBe("");
  });

  test("changes of a removed world are gone with it, and those that a fork needs stay", async () => {
    await append();
    const { timeline } = world;
    const pins = [{ timeline, after: 0, upTo: 1 }];
    const keep = [{ holder: "point:w", parts: [], pins, items: {} }];
    await append();
    await engine.write(world, { keep });
    await engine.write({ ...world, fence: 2 }, { remove: true });
    expect(await linesOf()).toBe("1\n");
  });

  test("a part that is being held is not swept", async () => {
    await engine.putParts([{ sha256: "a", body: Buffer.from("a") }]);
    await server.run("update service_sim.part set touched = now() - interval '2 hours'", database);
    const holding = await client();
    await holding.query("begin; insert into service_sim.holds values ('world:w', 'a')");
    await engine.sweep();
    await holding.query("commit");
    await engine.sweep();
    expect([...(await engine.parts(["a"])).keys()]).toEqual(["a"]);
  });

  test("a part that is stored and then held outlives each sweep beside it", async () => {
    const other = await openEngine(server.port);
    for (let round = 0; round < 20; round += 1) {
      const sha256 = `part-${round}`;
      const part = { sha256, body: Buffer.from(sha256) };
      await engine.putParts([part]);
      await server.run(
        "update service_sim.part set touched = now() - interval '2 hours'",
        database,
      );
      const hold = async () => {
        await engine.putParts([part]);
        const keep = [{ holder: "point:w", parts: [sha256], pins: [], items: {} }];
        await engine.write({ ...world, fence: world.fence + round }, { keep });
      };
      await Promise.all([hold(), other.sweep(), other.sweep()]);
      expect((await engine.parts([sha256])).size).toBe(1);
    }
    await other.close();
  });
});
