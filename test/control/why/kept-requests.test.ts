import {
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { repairState } from "../../../src/storage/file/doctor/repair-state.ts";
import { checkState } from "../../../src/storage/file/doctor/state-check.ts";
import { createPayee, createPayer, quoteInput } from "../../setup/platform.ts";
import { type Parsed, startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { reopen } from "../../storage/setup/reopen.ts";
import { StateDirectory } from "../../storage/setup/state-directory.ts";

let directory: StateDirectory;
let killed: StateDirectory;
let world: TestSimulator;

beforeEach(async () => {
  directory = new StateDirectory();
  killed = new StateDirectory();
  world = await startTestSimulator({ storage: directory.url });
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
  directory.remove();
  killed.remove();
});

const idOf = ({ headers }: { headers: Headers }) => headers.get("x-sim-request-id") ?? "";

const restart = async () => {
  await world.sim.close();
  world = await reopen(directory);
};

/** The state as a kill -9 leaves it, opened: files as they are, the lock without a living owner. */
const kill = async () => {
  for (const name of readdirSync(directory.path))
    cpSync(directory.file(name), killed.file(name), { recursive: true });
  const newest = readdirSync(killed.path)
    .filter((name) => name.startsWith("lock."))
    .sort()
    .at(-1);
  const lock = { pid: 0, host: "", bootId: "", released: true };
  writeFileSync(killed.file(newest ?? ""), JSON.stringify(lock));
  await world.sim.close();
  world = await reopen(killed);
};

const pay = async () => {
  const { accountId, customerId } = await createPayer(world);
  const payee = await createPayee(world, customerId, "003");
  const quote = await world.call("POST", "/quotes", quoteInput(accountId, payee));
  const executed = await world.call("POST", `/quotes/${quote.body.id}/execute`);
  return { transactionId: quote.body.transactionId as string, executed: idOf(executed) };
};

const requests = async () => (await world.control("GET", "/requests?limit=100")).body.data;

const why = (id: string) => world.control("GET", `/why/${encodeURIComponent(id)}`);

test("after a clean stop every request is there as it was, and new ones come on top", async () => {
  const { transactionId, executed } = await pay();
  const before = await requests();
  const whole = (await world.control("GET", `/requests/${executed}`)).body;
  const story = (await why(executed)).body;
  await restart();
  expect(await requests()).toEqual(before);
  expect((await world.control("GET", `/requests/${executed}`)).body).toEqual(whole);
  expect((await why(executed)).body).toEqual(story);
  const { chain } = (await why(transactionId)).body;
  expect(chain[1].because).toEqual({
    kind: "request",
    id: executed,
    operation: "executeQuote",
    method: "POST",
    path: whole.path,
  });
  const made = await world.call("GET", "/config");
  expect(idOf(made)).toMatch(/^req-2-/);
  expect((await requests()).map(({ id }: Parsed) => id)).toEqual([
    idOf(made),
    ...before.map(({ id }: Parsed) => id),
  ]);
});

test("three runs later they are still there, and no id comes twice", async () => {
  await world.call("GET", "/config");
  for (let run = 2; run <= 3; run += 1) {
    await restart();
    await world.call("GET", "/config");
  }
  await restart();
  const ids = (await requests()).map(({ id }: Parsed) => id);
  expect(ids).toEqual(["req-3-1", "req-2-1", "req-1-1"]);
});

test("pages continue across runs", async () => {
  for (let made = 0; made < 3; made += 1) await world.call("GET", "/config");
  await restart();
  await world.call("GET", "/config");
  const first = (await world.control("GET", "/requests?limit=2")).body;
  const second = (await world.control("GET", `/requests?limit=2&cursor=${first.nextCursor}`)).body;
  const ids = [...first.data, ...second.data].map(({ id }: Parsed) => id);
  expect(ids.map((id) => id.split("-")[1])).toEqual(["2", "1", "1", "1"]);
  expect(second.hasMore).toBe(false);
});

test("a kill loses the requests since then, and why says what is still known", async () => {
  await world.call("GET", "/config");
  await restart();
  const { transactionId, executed } = await pay();
  await kill();
  expect((await requests()).map(({ id }: Parsed) => id)).toEqual(["req-1-1"]);
  const { status, body } = await why(executed);
  expect(status).toBe(200);
  expect(body).toEqual({
    id: executed,
    kind: "request",
    ends: expect.stringContaining(`The request ${executed} is no longer kept`),
    chain: [
      {
        at: "2026-01-05T09:00:00.000Z",
        seq: expect.any(Number),
        because: {
          kind: "request",
          id: executed,
          operation: "executeQuote",
          method: "POST",
          path: "/quotes/{quoteId}/execute",
          ends: "the request is no longer in the log",
        },
        effects: expect.arrayContaining([
          { kind: "record", id: transactionId },
          { kind: "timer", timer: "payment.settle", dueAt: "2026-01-05T09:06:00.000Z" },
          expect.objectContaining({ kind: "rule", rule: "quotedPayment.003" }),
          expect.objectContaining({ kind: "webhook", type: "OUTGOING_PAYMENT.PROCESSING" }),
        ]),
      },
    ],
  });
  const { error } = (await why("req-2-999")).body;
  expect(error.message).toContain("is no longer kept");
});

test("a reset clears the requests of earlier runs too, also in the file", async () => {
  await world.call("GET", "/config");
  await restart();
  await world.control("POST", "/reset");
  expect(await requests()).toEqual([]);
  await restart();
  expect(await requests()).toEqual([]);
  expect(existsSync(directory.world("requests.json"))).toBe(false);
});

test("a kill right after a reset brings none of them back", async () => {
  await world.call("GET", "/config");
  await restart();
  await world.control("POST", "/reset");
  await kill();
  expect(await requests()).toEqual([]);
});

test("no secret is written in clear", async () => {
  const token = await world.call("POST", "/tokens", { name: "t", permissions: ["VIEW"] });
  const { clientSecret } = token.body;
  expect(token.status).toBe(201);
  expect(clientSecret.length).toBeGreaterThan(8);
  await world.sim.close();
  const file = readFileSync(directory.world("requests.json"), "utf8");
  expect(file).toContain("createToken");
  expect(file).not.toContain(clientSecret);
  expect(file).not.toContain(world.sim.clientSecret);
  world = await reopen(directory);
});

test("a start that nobody asks for a request reads and writes nothing of it", async () => {
  await world.call("GET", "/config");
  await restart();
  const before = readFileSync(directory.world("requests.json"));
  await restart();
  expect(readFileSync(directory.world("requests.json"))).toEqual(before);
});

test("a world without requests leaves no file", async () => {
  await world.sim.close();
  expect(existsSync(directory.world("requests.json"))).toBe(false);
  world = await reopen(directory);
});

test("a damaged file costs its requests only; doctor tells of it and a repair moves it", async () => {
  await world.call("GET", "/config");
  await world.sim.close();
  const file = directory.world("requests.json");
  const whole = readFileSync(file);
  whole[whole.length - 3] = 0x21;
  writeFileSync(file, whole);
  copyFileSync(file, directory.file("copy-for-later"));
  const { damagedRequests } = await checkState(directory.path);
  expect(damagedRequests).toEqual({ file, found: "a wrong checksum" });
  world = await reopen(directory);
  expect(await requests()).toEqual([]);
  expect(world.alarms.splice(0)).toEqual([
    `requests of earlier runs are lost: a wrong checksum in ${file}`,
  ]);
  await world.sim.close();
  copyFileSync(directory.file("copy-for-later"), file);
  expect((await repairState(directory.path))?.changes).toEqual([
    "the requests of earlier runs are lost: their file was moved aside",
  ]);
  expect(await checkState(directory.path)).not.toHaveProperty("damagedRequests");
  world = await reopen(directory);
});

test("a fresh start leaves them with the earlier state", async () => {
  await world.call("GET", "/config");
  await world.sim.close();
  world = await reopen(directory, { fresh: true });
  expect(await requests()).toEqual([]);
  expect(existsSync(directory.file("old-1/worlds/sandbox/requests.json"))).toBe(true);
});
