import { readFileSync, rmSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { OptionError } from "../../../src/simulator.ts";
import { WorldExists } from "../../../src/storage/open-world.ts";
import { until } from "../../runtime/setup/turns.ts";
import { fileWith } from "../../scripts/setup/file-with.ts";
import { Receiver } from "../../setup/receiver.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { reopen } from "../../storage/setup/reopen.ts";
import { StateDirectory } from "../../storage/setup/state-directory.ts";
import { allEnded } from "../../webhooks/setup/greeted.ts";
import { EXECUTE, fixtureOf, named, PAYING, QUOTE, request, the } from "./setup/seeding.ts";

const NEWLINE = 0x0a;

/** A state directory that lives until everything in the test has been closed. */
const newDirectory = () => {
  const directory = new StateDirectory();
  onTestFinished(() => directory.remove());
  return directory;
};

const start = async (options: Parameters<typeof startTestSimulator>[0]) => {
  const world = await startTestSimulator(options);
  onTestFinished(async () => {
    await world.sim.close();
    expect(world.alarms).toEqual([]);
  });
  return world;
};

const SLOW = fixtureOf(...PAYING("003"), QUOTE, EXECUTE, { advance: "1m" });

/** Ids and states of all records that the slow fixture makes. */
const contents = async ({ call, control }: TestSimulator) => {
  const { body: customers } = await call("GET", "/customers");
  const { body: transactions } = await call("GET", "/transactions");
  const { body: timers } = await control("GET", "/timers");
  const { body: clock } = await control("GET", "/clock");
  return {
    customers: customers.data.map(({ id }: { id: string }) => id),
    transactions: transactions.data.map(({ id, status }: { id: string; status: string }) => ({
      id,
      status,
    })),
    timers: timers.data.map(({ dueAt, timer }: { dueAt: string; timer: string }) => ({
      dueAt,
      timer,
    })),
    now: clock.now,
  };
};

/** The slow fixture, one payment under way, a minute after the start. */
const SLOW_CONTENTS = {
  customers: [expect.any(String)],
  transactions: [{ id: expect.any(String), status: "PROCESSING" }],
  timers: [{ dueAt: "2026-01-05T09:06:00.000Z", timer: "payment.settle" }],
  now: "2026-01-05T09:01:00.000Z",
};

/** Goes back to the start with the fixture loaded; waits for `ready`. */
const reset = async ({ control, sim }: TestSimulator) => {
  const { status, body } = await control("POST", "/reset");
  expect({ status, fixture: body.fixture }).toEqual({ status: 200, fixture: sim.status().fixture });
  expect((await control("GET", "/ready")).status).toBe(200);
};

describe("a simulator starts with a fixture", () => {
  test.each([
    { given: "the document", fixture: () => SLOW },
    { given: "the path of a file", fixture: () => fileWith(SLOW) },
  ])("given as $given", async ({ fixture }) => {
    const world = await start({ fixture: fixture() });
    expect(await contents(world)).toEqual(SLOW_CONTENTS);
    expect((await world.control("GET", "/ready")).status).toBe(200);
  });

  test("given as the name of a world of the package", async () => {
    const world = await start({ fixture: "payouts-demo" });
    expect((await contents(world)).customers).toHaveLength(2);
    expect((await world.control("GET", "/status")).body.fixture).toBe("payouts-demo");
  });

  test("on a clock that runs, which its clock steps set ahead", async () => {
    const world = await start({ fixture: SLOW, clock: "real", storage: newDirectory().url });
    const { aheadMs } = world.sim.status().clock;
    const startMs = Date.parse("2026-01-05T09:00:00.000Z");
    expect(aheadMs + Date.now() - startMs).toBeGreaterThanOrEqual(60_000);
    const startedAt = world.sim.status().now;
    await until("the next millisecond", () => world.sim.status().now > startedAt);
  });

  test("and a receiver gets its webhooks", async () => {
    const receiver = await new Receiver().start();
    onTestFinished(() => receiver.stop());
    await allEnded(await start({ fixture: SLOW, webhookEndpoint: receiver.url }));
    expect(receiver.types().filter((type) => type.startsWith("OUTGOING"))).toEqual([
      "OUTGOING_PAYMENT.PENDING",
      "OUTGOING_PAYMENT.PROCESSING",
    ]);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(receiver.received.length);
  });
});

const GONE = named("gone", request("GET", "/quotes/x"));

describe("a fixture that cannot be put in ends the start", () => {
  test.each([
    {
      what: "line and column of its file",
      fixture: () => fileWith('{ "name": "f",\n  "steps": [{ "advance": "soon" }] }'),
      says:
        "Expected a duration like 90s, 6m, 1h30m, 7d or PT6M at line 2, column 26 of f.json " +
        'but found "soon"',
    },
    {
      what: "the step that was refused",
      fixture: () => fileWith(`{ "name": "f", "steps": [\n${JSON.stringify(GONE)}] }`),
      says:
        "Expected step gone, GET /quotes/x, to answer 2xx at line 2, column 49 of f.json " +
        "but found 404 QUOTE_NOT_FOUND: No quote x",
    },
    {
      what: "the member of a document",
      fixture: () => fixtureOf({ advance: "soon" }),
      says:
        "Expected a duration like 90s, 6m, 1h30m, 7d or PT6M at fixture.steps.0.advance " +
        'but found "soon"',
    },
    {
      what: "the worlds there are",
      fixture: () => "payouts",
      says: 'Expected a world bundled with the package (agent-demo, cards-demo, default, empty, payouts-demo, wallet-demo) but found "payouts"',
    },
  ])("with $what", async ({ fixture, says }) => {
    const directory = newDirectory();
    const given = fixture();
    const starting = startTestSimulator({ fixture: given, storage: directory.url });
    const error = await starting.then(
      () => undefined,
      (refused: Error) => refused,
    );
    expect(error).toBeInstanceOf(OptionError);
    expect(error?.message.replace(`of ${given} but`, "of f.json but")).toBe(says);
    // No file is left that the next start would take for a world.
    const world = await start({ fixture: SLOW, storage: directory.url, seed: "test" });
    expect(await contents(world)).toEqual(SLOW_CONTENTS);
  });

  test("also when the world is there already: it is not touched", async () => {
    const directory = newDirectory();
    const first = await startTestSimulator({ storage: directory.url });
    await first.call("POST", "/customers", { customerType: "INDIVIDUAL" });
    await first.sim.close();
    await expect(reopen(directory, { fixture: SLOW })).rejects.toThrow(WorldExists);
    const again = await reopen(directory);
    expect((await again.call("GET", "/customers")).body.totalCount).toBe(1);
    await again.sim.close();
  });
});

describe("a reset puts it in again", () => {
  test("with the ids it had, at the starting instant", async () => {
    const world = await start({ fixture: SLOW });
    const before = await contents(world);
    await world.call("POST", "/customers", { customerType: "INDIVIDUAL" });
    await world.sim.advance("1h");
    await reset(world);
    expect(await contents(world)).toEqual(before);
    expect(before).toEqual(SLOW_CONTENTS);
  });

  test("also after a restart, which continues with the world as it was", async () => {
    const directory = newDirectory();
    const first = await startTestSimulator({ fixture: SLOW, storage: directory.url });
    const before = await contents(first);
    await first.sim.close();
    const world = await reopen(directory);
    expect(await contents(world)).toEqual(before);
    expect(world.sim.status().fixture).toBe("f");
    await world.call("POST", "/customers", { customerType: "INDIVIDUAL" });
    await reset(world);
    const after = await contents(world);
    expect(after).toEqual(before);
    await world.sim.close();
    const again = await reopen(directory);
    expect(await contents(again)).toEqual(after);
    await again.sim.close();
  });

  test("at once: a receiver that looks on the way never meets a half of it", async () => {
    const receiver = await new Receiver().start();
    onTestFinished(() => receiver.stop());
    const world = await start({ fixture: SLOW, webhookEndpoint: receiver.url });
    await allEnded(world);
    const found: unknown[] = [];
    receiver.behaviour = async (_event, response) => {
      found.push({
        ...(await contents(world)),
        ready: (await world.control("GET", "/ready")).status,
      });
      response.end();
    };
    receiver.received.length = 0;
    await reset(world);
    expect(receiver.received).toHaveLength(4);
    expect(found).toEqual(Array(4).fill({ ...SLOW_CONTENTS, ready: 200 }));
  });

  test("two at once are two: no id is given out a second time", async () => {
    const directory = newDirectory();
    const world = await startTestSimulator({ fixture: SLOW, storage: directory.url });
    const made = world.call("POST", "/customers", { customerType: "INDIVIDUAL" });
    await Promise.all([reset(world), reset(world), made]);
    expect(await contents(world)).toEqual(SLOW_CONTENTS);
    const { timers } = world.sim.status();
    await world.sim.close();
    const again = await reopen(directory);
    expect(again.sim.status().timers).toEqual(timers);
    await again.sim.close();
    const text = directory
      .contents()
      .map(([, bytes]) => bytes)
      .join("");
    const branches = [...text.matchAll(/"opens":\{[^}]*"branch":(\d+)/g)];
    expect(branches.map(([, branch]) => branch)).toEqual(["1", "2", "3"]);
  });

  test("what was seeded later is not put in again", async () => {
    const world = await start({});
    await world.control("POST", "/seed", { fixture: SLOW });
    expect(world.sim.status().fixture).toBe("default");
    await reset(world);
    expect((await contents(world)).customers).toEqual([]);
  });
});

test("a start that was killed before its world was there is made again", async () => {
  const directory = newDirectory();
  const first = await startTestSimulator({ fixture: SLOW, storage: directory.url });
  const before = await contents(first);
  await first.sim.close();
  const [segment = ""] = directory.segments();
  const whole = readFileSync(directory.segment(segment));
  // The fixture is one group: a cut at any point drops all of it.
  for (const length of [0, 1, whole.indexOf(NEWLINE) + 1, whole.length >> 1, whole.length - 1]) {
    for (const name of directory.segments()) rmSync(directory.segment(name));
    directory.asKilled();
    directory.write(segment, whole.subarray(0, length));
    const world = await reopen(directory);
    expect(world.sim.opened).toMatchObject({ isNew: true, tornBytes: length });
    expect(world.sim.status().fixture).toBe("f");
    expect(await contents(world)).toEqual(before);
    await world.sim.close();
  }
});

test("the same seed and the same fixture give the same ids, another seed others", async () => {
  const [first, second, other] = [
    await start({ fixture: "payouts-demo", seed: "a" }),
    await start({ fixture: "payouts-demo", seed: "a" }),
    await start({ fixture: "payouts-demo", seed: "b" }),
  ];
  const all = await Promise.all([first, second, other].map(contents));
  expect(all[1]).toEqual(all[0]);
  expect(all[2]?.customers).not.toEqual(all[0]?.customers);
  await Promise.all([reset(first), reset(second)]);
  expect(await contents(first)).toEqual(all[0]);
  expect(await contents(second)).toEqual(all[0]);
});

test("a later step reads what an earlier one made, at a start as at a seed", async () => {
  const fixture = fixtureOf(
    named("ada", request("POST", "/customers", { body: { customerType: "INDIVIDUAL" } })),
    named("same", request("GET", `/customers/${the("ada.id")}`)),
  );
  const world = await start({ fixture });
  expect((await contents(world)).customers).toHaveLength(1);
});
