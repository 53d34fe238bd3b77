import { existsSync, readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { documentOf, waitUntil } from "../../setup/cli.ts";
import { hasPostgres, PostgresServer, sayIfSkipped } from "../../storage/setup/postgres-server.ts";
import { placePerTest } from "../setup/place-per-test.ts";

sayIfSkipped("starts several processes on PostgreSQL");

const PASSWORD = "s3cret-of-sim";

const place = placePerTest();

/** Pids of the processes that a process has started. */
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);

const isGone = (pid: number) => !existsSync(`/proc/${pid}`);

const commandLineOf = (pid: number) =>
  readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");

/** Pids of processes whose command line has a text. */
const processesWith = (text: string): string[] =>
  readdirSync("/proc")
    .filter((name) => /^[0-9]+$/.test(name))
    .filter((pid) => {
      try {
        return commandLineOf(Number(pid)).includes(text);
      } catch {
        return false;
      }
    });

const onlyChildOf = (pid: number): number => {
  const children = childrenOf(pid);
  expect(children).toHaveLength(1);
  return children[0] as number;
};

describe.skipIf(!hasPostgres() || process.platform !== "linux")("a start with --processes", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
    await server.run(`create role sim login password '${PASSWORD}'`);
    await server.allow(["host all sim 127.0.0.1/32 scram-sha-256"]);
  });
  afterAll(() => server?.delete());

  const newStorage = async () => {
    const database = await server.database();
    await server.run(`alter database ${database} owner to sim`);
    return `postgres://sim:${PASSWORD}@127.0.0.1:${server.port}/${database}`;
  };

  const filesWithPassword = () =>
    readdirSync(place().file(), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath}/${entry.name}`)
      .filter((file) => readFileSync(file, "utf8").includes(PASSWORD));

  test("goes on after a kill of its worker, and stops with all of it", async () => {
    const storage = await newStorage();
    const sim = await place().startProcess(
      `--storage ${storage} --processes 1 --drain 300ms --lease 2s --verbose`,
    );
    const { pid } = sim.ready;
    expect(pid).toBe(sim.started.pid);
    const first = onlyChildOf(pid);
    const customer = await sim.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
      platformCustomerId: "c-1",
    });
    expect(customer.status).toBe(201);
    process.kill(first, "SIGKILL");
    await waitUntil("a worker in its place", () => sim.started.errors.includes("serves instead"));
    const second = onlyChildOf(pid);
    expect(second).not.toBe(first);
    expect((await sim.call("GET", `/customers/${customer.body.id}`)).status).toBe(200);
    expect(documentOf(await place().run("status --json"))).toMatchObject({ pid, drainMs: 300 });
    for (const one of [pid, second]) expect(commandLineOf(one)).not.toContain(PASSWORD);
    expect(commandLineOf(second)).toContain("postgres://sim:***@127.0.0.1");
    expect(filesWithPassword()).toEqual([]);
    expect(documentOf(await place().run("stop --json"))).toEqual({ stopped: true, pid });
    const { code, stdout, stderr } = await sim.started.ended;
    expect({
      code,
      isGone: isGone(second),
      files: existsSync(place().file(".service-sim", "instance.json")),
    }).toEqual({ code: 0, isGone: true, files: false });
    expect(stdout.split("\n").slice(1)).toEqual(['{"event":"stopped"}', ""]);
    const alarms = stderr.split("\n").filter((line) => line.startsWith("error"));
    expect(alarms).toEqual([
      `error  process ${first} was ended by SIGKILL; another one starts in 200ms`,
      `error  process ${second} serves instead`,
    ]);
    expect(stderr).toContain("POST /customers");
    expect(stdout + stderr).not.toContain(PASSWORD);
  });

  test("in the background serves until it is stopped, and has no worker left after a kill", async () => {
    const storage = await newStorage();
    const started = await place().run(
      `start --port 0 --storage ${storage} --processes 1 --detach --json`,
    );
    const { pid } = documentOf(started);
    const worker = onlyChildOf(pid);
    expect(commandLineOf(pid) + commandLineOf(worker)).not.toContain(PASSWORD);
    expect(filesWithPassword()).toEqual([]);
    process.kill(pid, "SIGKILL");
    await waitUntil("the end of the worker", () => isGone(worker));
    // It stopped cleanly: nobody has to wait for the end of its lease.
    const [world] = await server.run(
      "select owner from service_sim.world",
      storage.split("/").at(-1),
    );
    expect(world).toEqual({ owner: null });
  });

  test("that is refused says so once, and leaves no process", async () => {
    const storage = await newStorage();
    const one = await place().startProcess(`--storage ${storage}`, { folder: "one" });
    const refused = place().command(`start --port 0 --storage ${storage} --processes 2`, {
      folder: "two",
    });
    const { code, stdout, stderr } = await refused.ended;
    expect({ code, stdout }).toEqual({ code: 4, stdout: "" });
    expect(stderr.match(/error {2}/g)).toHaveLength(1);
    expect(stderr).toMatch(
      /^error {2}the world sandbox of postgres:\/\/127\.0\.0\.1:\d+\/sim_\d+ is served by another simulator, /,
    );
    expect(stderr).not.toContain(PASSWORD);
    expect(readdirSync(place().file("two"))).toEqual([]);
    // The one that runs beside it was started without --processes.
    expect(processesWith(" --processes 2")).toEqual([]);
    await one.stop();
  });

  test("tries again with longer pauses while the store refuses its worker", async () => {
    const storage = await newStorage();
    const sim = await place().startProcess(`--storage ${storage} --processes 1 --drain 0s`);
    const worker = onlyChildOf(sim.ready.pid);
    await server.run("alter role sim nologin");
    try {
      process.kill(worker, "SIGKILL");
      await waitUntil("a third start", () => sim.started.errors.includes("starts in 800ms"));
    } finally {
      await server.run("alter role sim login");
    }
    await waitUntil("a worker", () => sim.started.errors.includes("serves instead"));
    expect((await sim.control("GET", "/status")).body.storage.writable).toBe(true);
    const pauses = sim.started.errors.matchAll(/another one starts in (\S+)/g);
    expect([...pauses].slice(0, 3).map(([, pause]) => pause)).toEqual(["200ms", "400ms", "800ms"]);
    expect(sim.started.errors).toMatch(/^error {2}process \d+ ended with exit code 4: /m);
    expect(sim.started.errors).not.toContain(PASSWORD);
    expect((await sim.stop()).code).toBe(0);
  });

  test("drains at a signal, and ends its drain at the next one", async () => {
    const sim = await place().startProcess(
      `--storage ${await newStorage()} --processes 1 --drain 5m`,
    );
    process.kill(sim.ready.pid, "SIGTERM");
    await waitUntil(
      "no readiness",
      async () => (await sim.control("GET", "/ready")).status === 503,
    );
    expect((await sim.call("GET", "/config")).status).toBe(200);
    expect(await sim.stop()).toMatchObject({ code: 0, signal: null });
  });

  test("that has a wrong password says what one process says", async () => {
    const storage = (await newStorage()).replace(PASSWORD, "not-it");
    const outputs = [];
    for (const words of ["", "--processes 1"])
      outputs.push(await place().run(`start --port 0 --json --storage ${storage} ${words}`));
    expect(outputs.map(({ code }) => code)).toEqual([4, 4]);
    expect(documentOf(outputs[0] as never).error.code).toBe("STORE_REFUSED");
    expect(outputs[1]).toEqual(outputs[0]);
  });
});
