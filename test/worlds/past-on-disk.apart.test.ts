import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createPayee, createPayer, quoteInput } from "../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";

const READS = [
  "/customers",
  "/customers/internal-accounts",
  "/customers/external-accounts",
  "/transactions",
  "/tokens",
] as const;

/** Calls the platform in one of the worlds; a fork is named by the user name. */
const callIn = async (
  { sim }: TestSimulator,
  name: string,
  [method, path, body]: readonly [method: string, path: string, body?: object],
) => {
  const user = name === "sandbox" ? sim.clientId : `${sim.clientId}+${name}`;
  const response = await sim.fetch(
    new Request(sim.apiUrl + path, {
      method,
      headers: {
        authorization: `Basic ${btoa(`${user}:${sim.clientSecret}`)}`,
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
  return { status: response.status, body: await response.json() };
};

/** Everything that a tester sees of a world, request numbers excepted. */
const seenIn = async (world: TestSimulator, name: string) => {
  const seen: Record<string, unknown> = {};
  for (const path of READS) seen[path] = (await callIn(world, name, ["GET", path])).body;
  for (const path of ["/timers", "/snapshots", "/ledger", "/inbox"])
    seen[path] = (await world.control("GET", `${path}?world=${name}`)).body;
  const { now, mode } = (await world.control("GET", `/clock?world=${name}`)).body;
  return { ...seen, clock: { now, mode } };
};

const seen = async (world: TestSimulator) => {
  const { data } = (await world.control("GET", "/worlds")).body as { data: { name: string }[] };
  const all: Record<string, unknown> = {};
  for (const { name } of data) all[name] = await seenIn(world, name);
  return all;
};

/** A payment that settles after six minutes. */
const pay = async (world: TestSimulator) => {
  const payer = await createPayer(world);
  const payee = await createPayee(world, payer.customerId, "003");
  const { body: quote } = await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
  const executed = await world.call("POST", `/quotes/${quote.id}/execute`);
  expect(executed.status).toBe(200);
  return executed.body.transactionId as string;
};

/** The parts of an answer that do not tell which run gave it. */
const ok = async (answer: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
};

const addCustomer = (world: TestSimulator, name: string) =>
  ok(callIn(world, name, ["POST", "/customers", { customerType: "INDIVIDUAL" }]));

const advance = (world: TestSimulator, by: string) =>
  ok(world.control("POST", "/clock/advance", { by }));

const post = (world: TestSimulator, path: string, body?: object) =>
  ok(world.control("POST", path, body));

/** Goes back to before something of a list, which is named by a path in the list's answer. */
const rewindBefore = async (world: TestSimulator, list: string, path: string) => {
  const { body } = await world.control("GET", list);
  const before = path.split(".").reduce((at, key) => at[key], body);
  return post(world, "/clock/rewind", { before });
};

const importOf = async (world: TestSimulator, from: string, name: string) => {
  const { body: file } = await world.control("GET", `/snapshots/${from}/export`);
  return world.control("POST", "/snapshots/import", { file, name });
};

/** Steps of a tester; each gives what its answer says. */
const STEPS: readonly (readonly [what: string, act: (world: TestSimulator) => Promise<unknown>])[] =
  [
    ["pay", pay],
    ["save", (world) => ok(world.control("PUT", "/snapshots/paid"))],
    ["let it settle", (world) => advance(world, "10m")],
    ["pay again", pay],
    ["let that settle", (world) => advance(world, "20m")],
    ["rewind by", (world) => post(world, "/clock/rewind", { by: "25m" })],
    ["continue after a rewind", (world) => addCustomer(world, "sandbox")],
    ["advance after a rewind", (world) => advance(world, "1h")],
    ["rewind to", (world) => post(world, "/clock/rewind", { to: "2026-01-05T09:30:00.000Z" })],
    ["load what was undone", (world) => post(world, "/snapshots/before-rewind-1/restore")],
    ["pay in the loaded state", pay],
    [
      "rewind to before a record",
      async (world) => {
        const { body } = await world.call("GET", "/customers");
        return post(world, "/clock/rewind", { before: body.data[0].id });
      },
    ],
    ["pay once more", pay],
    ["rewind to before a timer", (world) => rewindBefore(world, "/timers", "data.0.id")],
    ["rewind to before the last act", (world) => post(world, "/clock/rewind", { before: "last" })],
    ["rewind to before a request", (world) => rewindBefore(world, "/requests", "data.0.id")],
    ["fork", (world) => post(world, "/worlds", { name: "fork" })],
    ["write into the fork", (world) => addCustomer(world, "fork")],
    ["fork a snapshot", (world) => post(world, "/worlds", { name: "old", from: "snapshot:paid" })],
    ["write into the fork of a snapshot", (world) => addCustomer(world, "old")],
    ["fork of a fork", (world) => post(world, "/worlds", { name: "deep", from: "world:fork" })],
    ["save in a fork", (world) => ok(world.control("PUT", "/snapshots/mine?world=fork"))],
    ["write again", (world) => addCustomer(world, "fork")],
    ["load in a fork", (world) => post(world, "/snapshots/mine/restore?world=fork")],
    ["write after the load", (world) => addCustomer(world, "fork")],
    ["advance a fork", (world) => post(world, "/clock/advance?world=old", { by: "2h" })],
    ["rewind a fork", (world) => post(world, "/clock/rewind?world=old", { by: "90m" })],
    ["reset a fork", (world) => post(world, "/reset?world=fork")],
    ["write after the reset of a fork", (world) => addCustomer(world, "fork")],
    ["reset the default world", (world) => post(world, "/reset")],
    ["pay after the reset", pay],
    ["load what the reset ended", (world) => post(world, "/snapshots/before-reset/restore")],
    ["keep the clock", (world) => post(world, "/snapshots/paid/restore", { keepClock: true })],
    ["export and import", async (world) => ok(importOf(world, "paid", "copy"))],
    ["load what was imported", (world) => post(world, "/snapshots/copy/restore")],
    ["pay in the imported state", pay],
    ["remove a snapshot", (world) => world.control("DELETE", "/snapshots/paid")],
    ["remove a world", (world) => world.control("DELETE", "/worlds/old")],
    ["write at last", (world) => addCustomer(world, "deep")],
  ];

/** An answer without the parts that tell its run: requests are counted by start. */
const comparable = (seen: unknown) =>
  JSON.parse(
    JSON.stringify(seen ?? null, (key, value) =>
      key === "aheadMs" || key === "headers" ? undefined : value,
    ).replaceAll(/req-[0-9]+-[0-9]+/g, "a request"),
  );

test.each([
  { title: "without a restart", restarts: false },
  { title: "with a restart after each step", restarts: true },
])(
  "on file storage the past is what it is in memory, ids included, $title",
  async ({ restarts }) => {
    const directory = mkdtempSync(join(tmpdir(), "past-on-disk-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const options = { storage: `file:${directory}`, clientSecret: "s" } as const;
    const memory = await startTestSimulator({ clientSecret: "s" });
    let disk = await startTestSimulator(options);
    for (const [what, act] of STEPS) {
      const expected = comparable(await act(memory));
      expect({ what, answer: comparable(await act(disk)) }).toEqual({ what, answer: expected });
      if (restarts) {
        await disk.sim.close();
        disk = await startTestSimulator(options);
      }
      const of = async (world: TestSimulator) => ({ what, seen: comparable(await seen(world)) });
      expect(await of(disk)).toEqual(await of(memory));
    }
    expect([...memory.alarms, ...disk.alarms]).toEqual([]);
    await memory.sim.close();
    await disk.sim.close();
  },
  120_000,
);

test("after a reset and a restart a rewind to an instant keeps to what came after the reset", async () => {
  const directory = mkdtempSync(join(tmpdir(), "service-sim-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const options = { storage: `file:${directory}` };
  const before = await startTestSimulator(options);
  await addCustomer(before, "sandbox");
  await advance(before, "1ms");
  await post(before, "/reset");
  await advance(before, "6m");
  await before.sim.close();
  const world = await startTestSimulator(options);
  onTestFinished(() => world.sim.close());
  await post(world, "/clock/rewind", { to: "2026-01-05T09:00:00.000Z" });
  const { body } = await world.call("GET", "/customers");
  expect(body.data).toEqual([]);
});
