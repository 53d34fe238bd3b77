import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ownerHere, textOf } from "../../src/storage/file/lock/lock-owner.ts";
import { until } from "../runtime/setup/turns.ts";
import { fakeHostTimers, realHostTimers } from "../setup/host-timers.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import { inFirstLine } from "./setup/places.ts";
import { StateDirectory } from "./setup/state-directory.ts";

/** A folder for everything that a test makes; the state is in a folder below it. */
let scratch: StateDirectory;
let world: TestSimulator;

beforeEach(() => {
  scratch = new StateDirectory();
  // Only the timer that tries storage again is fake; the event loop and the files are real.
  fakeHostTimers();
});

afterEach(async () => {
  await world.sim.close();
  realHostTimers();
  scratch.remove();
});

const state = () => scratch.file("state");
const aside = () => scratch.file("aside");
const segment = () => {
  const journal = inFirstLine(state(), "journal");
  const names = readdirSync(journal).filter((name) => /^[0-9]/.test(name));
  return join(journal, names.sort().at(-1) as string);
};

const start = async (fsync = false) => {
  world = await startTestSimulator({ storage: `file:${state()}`, fsync });
  // Answered only when the opened world is on disk.
  await world.call("GET", "/config");
};

const customer = async (platformCustomerId: string, name?: string) => {
  const { sim } = world;
  const user = name === undefined ? sim.clientId : `${sim.clientId}+${name}`;
  const { status } = await sim.fetch(
    new Request(`${sim.apiUrl}/customers`, {
      method: "POST",
      headers: {
        authorization: `Basic ${btoa(`${user}:${sim.clientSecret}`)}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ customerType: "INDIVIDUAL", platformCustomerId }),
    }),
  );
  return status;
};

/** Names of the customers of a world, oldest first. */
const customers = async (name?: string): Promise<string[]> => {
  const { sim } = world;
  const user = name === undefined ? sim.clientId : `${sim.clientId}+${name}`;
  const authorization = `Basic ${btoa(`${user}:${sim.clientSecret}`)}`;
  const answer = await sim.fetch(
    new Request(`${sim.apiUrl}/customers`, { headers: { authorization } }),
  );
  const { data } = (await answer.json()) as { data: { platformCustomerId: string }[] };
  return data.map(({ platformCustomerId }) => platformCustomerId).reverse();
};

const storageStatus = async () => (await world.control("GET", "/status")).body.storage;

/** Lets the world try its storage again, which it does once a second. */
const mended = () =>
  until("the world to take writes", async () => {
    await vi.advanceTimersByTimeAsync(1000);
    return (await storageStatus()).writable;
  });

/** Things that another program does to the folder of a running simulator. */
const WAYS: readonly { what: string; strike: () => void }[] = [
  { what: "the folder is removed", strike: () => rmSync(state(), { recursive: true }) },
  { what: "the folder is moved away", strike: () => renameSync(state(), aside()) },
  {
    what: "an empty folder is put in its place",
    strike: () => {
      renameSync(state(), aside());
      mkdirSync(state());
    },
  },
  {
    what: "a copy is put in its place",
    strike: () => {
      cpSync(state(), aside(), { recursive: true });
      rmSync(state(), { recursive: true });
      renameSync(aside(), state());
    },
  },
  {
    what: "its path leads to another folder",
    strike: () => {
      renameSync(state(), aside());
      mkdirSync(scratch.file("other"));
      symlinkSync(scratch.file("other"), state());
    },
  },
  {
    what: "its journal is removed",
    strike: () => rmSync(inFirstLine(state(), "journal"), { recursive: true }),
  },
  { what: "the open segment is removed", strike: () => rmSync(segment()) },
  {
    what: "the open segment is replaced",
    strike: () => {
      copyFileSync(segment(), aside());
      renameSync(aside(), segment());
    },
  },
  { what: "the open segment is cut", strike: () => truncateSync(segment(), 10) },
  { what: "the open segment is written to", strike: () => appendFileSync(segment(), "{}\n") },
];
const CASES = WAYS.flatMap((way) => [false, true].map((fsync) => ({ ...way, fsync })));

// decisions/folders-that-go-away.md
test.each(CASES)("where $what, nothing acknowledged is lost (fsync $fsync)", async (row) => {
  await start(row.fsync);
  expect(await customer("kept")).toBe(201);
  row.strike();
  expect(await customer("refused")).toBe(503);
  expect(await customer("refused too")).toBe(503);
  expect(await customers()).toEqual(["kept"]);
  expect(await storageStatus()).toMatchObject({ writable: false, directory: state() });
  expect(world.alarms.join()).toContain("the world continues in memory and is written again");

  await mended();
  expect(await customer("later")).toBe(201);
  await world.sim.close();
  await start();
  expect(world.sim.opened.isNew).toBe(false);
  expect(await customers()).toEqual(["kept", "later"]);
});

test("a world that is closed without another write is written again at its end", async () => {
  await start();
  expect(await customer("kept")).toBe(201);
  rmSync(state(), { recursive: true });
  expect((await storageStatus()).lost).toBe(
    `${state()} was removed or replaced while the simulator ran`,
  );
  const { clientSecret } = world.sim;
  await world.sim.close();
  await start();
  expect(world.sim.clientSecret).toBe(clientSecret);
  expect(await customers()).toEqual(["kept"]);
  expect((await world.control("POST", "/reset")).status).toBe(200);
  expect(await customers()).toEqual([]);
});

test("every world in memory is written again when one has noticed", async () => {
  await start();
  for (const name of ["one", "two"]) {
    await world.control("POST", "/worlds", { name });
    expect(await customer(`in ${name}`, name)).toBe(201);
  }
  rmSync(state(), { recursive: true });
  expect(await customer("refused")).toBe(503);
  await mended();
  await vi.advanceTimersByTimeAsync(1000);
  await until("both worlds on disk", () =>
    ["one", "two"].every((name) => existsSync(join(state(), "worlds", name, "world.json"))),
  );
  await world.sim.close();
  await start();
  expect(await customers("one")).toEqual(["in one"]);
  expect(await customers("two")).toEqual(["in two"]);
});

test("the folder of one forked world is made again alone", async () => {
  await start();
  await world.control("POST", "/worlds", { name: "one" });
  await customer("kept", "one");
  rmSync(join(state(), "worlds", "one"), { recursive: true });
  expect(await customer("refused", "one")).toBe(503);
  expect(await customer("of the default world")).toBe(201);
  await vi.advanceTimersByTimeAsync(1000);
  await until("the world to take writes", async () => (await customer("later", "one")) === 201);
  await world.sim.close();
  await start();
  expect(await customers("one")).toEqual(["kept", "later"]);
});

test("a world that stands in the place of the folder is set aside and told", async () => {
  await start();
  expect(await customer("kept")).toBe(201);
  renameSync(state(), aside());
  cpSync(aside(), state(), { recursive: true });
  expect(await customer("refused")).toBe(503);
  await mended();
  const { lost } = await storageStatus();
  expect(lost).toContain(`what stood there is in ${join(state(), "old-1")}`);
});

test("nothing is written where another simulator has begun", async () => {
  await start();
  expect(await customer("kept")).toBe(201);
  rmSync(state(), { recursive: true });
  const other = await startTestSimulator({ storage: `file:${state()}` });
  expect(await customer("refused")).toBe(503);
  await vi.advanceTimersByTimeAsync(3000);
  expect(await customer("refused again")).toBe(503);
  expect(await customers()).toEqual(["kept"]);
  await world.sim.close();
  expect((await other.call("GET", "/customers")).body.totalCount).toBe(0);
  expect((await other.call("POST", "/customers", { customerType: "INDIVIDUAL" })).status).toBe(201);
  await other.sim.close();
});

test("a path that a file has taken is free again later", async () => {
  await start();
  expect(await customer("kept")).toBe(201);
  rmSync(state(), { recursive: true });
  writeFileSync(state(), "");
  expect(await customer("refused")).toBe(503);
  await vi.advanceTimersByTimeAsync(2000);
  expect(await customer("refused too")).toBe(503);
  rmSync(state());
  await mended();
  expect(await customer("later")).toBe(201);
});

// decisions/state-directory-locks.md
test("a holder that finds a newer lock acknowledges nothing and changes nothing", async () => {
  await start();
  expect(await customer("kept")).toBe(201);
  const owner = { ...ownerHere(state(), "nonce"), host: "elsewhere" };
  writeFileSync(join(state(), "lock.2"), textOf(owner));
  const before = readFileSync(join(state(), "lock.1"), "utf8");
  expect(await customer("refused")).toBe(503);
  expect((await world.call("GET", "/customers")).status).toBe(503);
  expect((await world.control("PUT", "/snapshots/a")).status).toBe(503);
  expect((await world.control("GET", "/status")).body.stopped.why).toContain(
    `another simulator (pid ${process.pid} on elsewhere) has taken ${state()}`,
  );
  const names = readdirSync(state());
  await world.sim.close();
  expect(readdirSync(state())).toEqual(names);
  expect(readFileSync(join(state(), "lock.1"), "utf8")).toBe(before);
  expect(readdirSync(inFirstLine(state(), "journal"))).not.toContain("end");
  rmSync(join(state(), "lock.2"));
});
