import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sharedOpenApi } from "../../src/api/openapi.ts";
import { hostTime } from "../../src/machine/host-time.ts";
import type { Activity, SimulatorOptions } from "../../src/simulator.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import { csvOf, person, postCsv } from "../setup/uploads.ts";

/** The timer of an import takes 25 rows each time it fires. */
const ROWS = 2_500;
const FIRINGS = 100;

let directory: string;
let firings: number;
let world: TestSimulator;

const onActivity = (activity: Activity) => {
  if (activity.kind === "timer" && activity.timer === "bulk.import") firings += 1;
};

const start = (options: SimulatorOptions = {}) =>
  startTestSimulator({ storage: `file:${directory}`, onActivity, ...options });

/** The same state again, with its seed and its start. */
const restart = (options: SimulatorOptions = {}) =>
  start({ ...({ seed: undefined, now: undefined } as object), ...options });

/** Starts an import; the answer comes before the first row is taken. */
const importRows = async () => {
  const csv = csvOf(Array.from({ length: ROWS }, (_, n) => person(n)));
  const { body } = await postCsv(world, csv);
  expect(firings).toBe(0);
  return body.jobId as string;
};

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "service-sim-busy-"));
  firings = 0;
  // Each reading of the clock takes a millisecond, so that a turn always fires five timers.
  let spanMs = 0;
  vi.spyOn(hostTime, "monotonicMs").mockImplementation(() => {
    spanMs += 1;
    return spanMs;
  });
  world = await start();
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
  vi.restoreAllMocks();
  rmSync(directory, { recursive: true, force: true });
});

const statusOf = (jobId: string) => world.call("GET", `/customers/bulk/jobs/${jobId}`);

test("live is answered in the midst of an import, a job when it is over", async () => {
  const jobId = await importRows();
  const job = statusOf(jobId);
  const answers = await Promise.all([
    world.control("GET", "/live"),
    world.control("GET", "/ready"),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(firings).toBeLessThan(FIRINGS);
  expect((await job).body).toMatchObject({ status: "COMPLETED", progress: { total: ROWS } });
  expect(firings).toBe(FIRINGS);
});

test("a call with an Idempotency-Key takes turns with an import, too", async () => {
  await importRows();
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const headers = { "content-type": "application/json", "idempotency-key": "one" };
  const body = JSON.stringify({ customerType: "INDIVIDUAL" });
  expect((await world.raw("POST", "/customers", { headers, body })).status).toBe(201);
  isOver = true;
  // Without turns the import would fire within one.
  expect(firings).toBe(FIRINGS);
  expect(turns).toBeGreaterThanOrEqual(FIRINGS / 5);
});

test("a restart into an import answers live and says that it is not ready yet", async () => {
  const jobId = await importRows();
  await world.sim.close();
  const firedBefore = firings;
  expect(firedBefore).toBeLessThan(FIRINGS);
  world = await restart({ answersBeforeReady: true });
  const job = statusOf(jobId);
  const [live, ready] = await Promise.all([
    world.control("GET", "/live"),
    world.control("GET", "/ready"),
  ]);
  expect([live.status, ready.status]).toEqual([200, 503]);
  expect(ready.body.error.message).toContain("it is still being opened");
  expect(["retry-after", "retry-after-ms"].map((name) => ready.headers.get(name))).toEqual([
    "1",
    "1000",
  ]);
  expect(firings).toBeLessThan(FIRINGS);
  await world.sim.ready();
  expect(firings).toBe(FIRINGS);
  expect((await world.control("GET", "/ready")).status).toBe(200);
  expect((await job).body).toMatchObject({ status: "COMPLETED", progress: { total: ROWS } });
});

test("credentials given at a restart into an import count from its first answer on", async () => {
  await importRows();
  await world.sim.close();
  world = await restart({
    clientId: "another",
    clientSecret: "a-secret-of-its-own",
    answersBeforeReady: true,
  });
  expect((await world.call("GET", "/config")).status).toBe(200);
});

test("without being told otherwise a restart is over when its timers have fired", async () => {
  await importRows();
  await world.sim.close();
  world = await restart();
  expect(firings).toBe(FIRINGS);
});

test("the contract is built once, a turn of the event loop for each operation", async () => {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const first = await sharedOpenApi("counted");
  const turnsOfFirst = turns;
  const second = await sharedOpenApi("counted");
  isOver = true;
  expect(turnsOfFirst).toBeGreaterThan(100);
  expect(turns).toBe(turnsOfFirst);
  expect(second).toBe(first);
  expect(JSON.parse(first.text)).toEqual(first.document);
});
