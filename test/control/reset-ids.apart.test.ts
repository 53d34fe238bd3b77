import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Change, readSegment } from "../../src/runtime/change.ts";
import type { SimulatorOptions } from "../../src/simulator.ts";
import { until } from "../runtime/setup/turns.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import { reopen } from "../storage/setup/reopen.ts";
import { StateDirectory } from "../storage/setup/state-directory.ts";
import { EXECUTE, fixtureOf, PAYING, QUOTE } from "./seed/setup/seeding.ts";

/** A payment on its way, with a clock step between its quote and its execution. */
const FIXTURE = fixtureOf(...PAYING("003"), QUOTE, { advance: "1m" }, EXECUTE);

let directory: StateDirectory;
let world: TestSimulator;

beforeEach(() => {
  directory = new StateDirectory();
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
  directory.remove();
});

const LISTS = ["/customers", "/customers/internal-accounts", "/transactions", "/tokens"];

/** Everything a client sees of the world, including ids and timestamps. */
const seen = async () => {
  const answers = await Promise.all(LISTS.map((path) => world.call("GET", path)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const { body: webhooks } = await world.control("GET", "/webhooks?limit=100");
  const { body: timers } = await world.control("GET", "/timers");
  const { body: ledger } = await world.control("GET", "/ledger");
  return {
    config: (await world.call("GET", "/config")).body,
    lists: answers.map(({ body }) => body),
    events: webhooks.data.map(({ id, type }: { id: string; type: string }) => ({ id, type })),
    timers: timers.data.map(({ timer, subject, inMs }: Record<string, unknown>) => ({
      timer,
      subject,
      inMs,
    })),
    balances: ledger.balances,
  };
};

const STAMPS = new Set(["createdAt", "updatedAt", "settledAt"]);

const withoutStamps = (value: unknown) =>
  JSON.parse(JSON.stringify(value), (name, member) => (STAMPS.has(name) ? undefined : member));

const customer = () => world.call("POST", "/customers", { customerType: "INDIVIDUAL" });

const reset = async () => expect((await world.control("POST", "/reset")).status).toBe(200);

/** Waits past the current millisecond of the system clock. */
const nextMillisecond = () => {
  const startMs = Date.now();
  return until("the next millisecond", () => Date.now() > startMs);
};

const unsaid = { now: undefined } as unknown as SimulatorOptions;

describe("a reset brings the default world back as it was", () => {
  test.each([
    { what: "with a fixture", options: { fixture: FIXTURE } },
    { what: "without one", options: {} },
    { what: "on a manual clock of which no start said the instant", options: unsaid },
    { what: "and a fixture on such a clock", options: { ...unsaid, fixture: FIXTURE } },
  ])("$what: ids, stamps, timers, events, balances", async ({ options }) => {
    world = await startTestSimulator(options);
    const before = await seen();
    for (let round = 0; round < 2; round += 1) {
      await customer();
      await world.sim.advance("1h");
      await nextMillisecond();
      await reset();
      expect(await seen()).toEqual(before);
    }
  });

  test("also after a restart on the same state", async () => {
    world = await startTestSimulator({ fixture: FIXTURE, storage: directory.url });
    const before = await seen();
    await customer();
    await world.sim.close();
    world = await reopen(directory);
    await reset();
    expect(await seen()).toEqual(before);
    await world.sim.close();
    world = await reopen(directory);
    expect(await seen()).toEqual(before);
  });

  test.each([
    { what: "from an instant that was said", now: "2026-01-05T09:00:00.000Z" },
    { what: "with the system clock", now: undefined },
  ])("on a clock that runs $what: the same ids", async ({ now }) => {
    const options = { clock: "real", now, fixture: FIXTURE } as SimulatorOptions;
    world = await startTestSimulator(options);
    const before = await seen();
    await nextMillisecond();
    await reset();
    const after = await seen();
    expect(withoutTimes(after)).toEqual(withoutTimes(before));
    const { now: nowAfter, clock } = world.sim.status();
    if (now === undefined) expect(Math.round(clock.aheadMs / 1000)).toBe(60);
    else expect(Date.parse(nowAfter) - Date.parse(now)).toBeGreaterThanOrEqual(60_000);
    expect(after.timers).toMatchObject([{ timer: "payment.settle" }]);
  });

  test("a clock that runs from a said instant gives the stamps again as well", async () => {
    world = await startTestSimulator({ clock: "real", fixture: FIXTURE });
    const { config, lists, events } = await seen();
    await nextMillisecond();
    await reset();
    expect(await seen()).toMatchObject({ config, lists, events });
  });

  test("under another setting that changes how many records there are, ids are others", async () => {
    world = await startTestSimulator({ fixture: FIXTURE, storage: directory.url });
    const before = await seen();
    await world.sim.close();
    world = await reopen(directory, { walletCredential: "email" });
    await reset();
    const ids = (lists: { data: { id: string }[] }[]) =>
      lists.flatMap(({ data }) => data.map(({ id }) => id));
    expect(ids((await seen()).lists).filter((id) => ids(before.lists).includes(id))).toEqual([]);
  });
});

const withoutTimes = ({ timers, ...rest }: Awaited<ReturnType<typeof seen>>) => ({
  ...withoutStamps(rest),
  timers: timers.map(({ timer, subject }: Record<string, unknown>) => ({ timer, subject })),
});

const ID = /^[A-Za-z]+:[0-9a-f]{8}-[0-9a-f]{4}-7/;

/** Ids of a change, of records and events alike. */
const idsIn = ({ put = [], emit = [] }: Change) =>
  [...put.map(([, { id }]) => id), ...emit.map(({ id }) => id)].filter((id) => ID.test(id));

interface Epoch {
  starting: Set<string>;
  later: Set<string>;
  /** The id counter at the end of the default world, and after each later change. */
  counters: number[];
}

/** Ids grouped by the default world they came with or after, read from the journal. */
const epochsOf = () => {
  const changes: Change[] = [];
  let seq = 1;
  const names = directory.segments();
  for (const [at, name] of names.entries()) {
    const segment = { file: name, bytes: readFileSync(directory.segment(name)) };
    const expects = { seq, isLast: at === names.length - 1 };
    seq = readSegment(segment, expects, (change) => changes.push(change)).nextSeq;
  }
  const epochs: Epoch[] = [];
  let startingUpTo = 0;
  for (const change of changes) {
    if (change.opens) {
      epochs.push({ starting: new Set(), later: new Set(), counters: [] });
      startingUpTo = change.upTo ?? change.seq;
    }
    const epoch = epochs.at(-1);
    if (change.seq >= startingUpTo) epoch?.counters.push(change.n);
    for (const id of idsIn(change))
      if (change.seq <= startingUpTo) epoch?.starting.add(id);
      else if (!epoch?.starting.has(id)) epoch?.later.add(id);
  }
  return epochs;
};

const WORK: Record<string, () => Promise<unknown>> = {
  customer,
  seed: () => world.control("POST", "/seed", { fixture: fixtureOf(...PAYING("999"), QUOTE) }),
  event: () => world.control("POST", "/webhooks/trigger", { type: "TEST" }),
  advance: () => world.sim.advance("7m"),
  reset,
  "reset while others work": () => Promise.all([reset(), customer(), customer()]),
  restart: async () => {
    await world.sim.close();
    world = await reopen(directory);
  },
};

describe.each([
  { what: "a fixture", options: { fixture: FIXTURE } },
  { what: "nothing", options: {} },
  { what: "a fixture on a running clock", options: { ...unsaid, clock: "real", fixture: FIXTURE } },
])("after any history that began with $what", ({ options }) => {
  test("starting ids are the same each time, all others are given out once", async () => {
    const history = fc.array(fc.constantFrom(...Object.keys(WORK)), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        directory.remove();
        directory = new StateDirectory();
        const storage = directory.url;
        world = await startTestSimulator({ ...options, storage } as SimulatorOptions);
        for (const step of [...steps, "customer", "reset", "customer"]) await WORK[step]?.();
        await world.sim.close();
        const epochs = epochsOf();
        expect(epochs.length).toBeGreaterThan(1);
        const [first] = epochs;
        for (const { starting } of epochs) expect(starting).toEqual(first?.starting);
        const all = epochs.flatMap(({ later }) => [...later]);
        expect(new Set(all).size).toBe(all.length);
        expect(all.filter((id) => first?.starting.has(id))).toEqual([]);
        // Ids differ by design: the counter continues behind every id before a reset.
        const counters = epochs.flatMap((epoch) => epoch.counters);
        expect(counters).toEqual(counters.toSorted((a, b) => a - b));
      }),
      { numRuns: 12 },
    );
  });
});

test("what comes after a reset is the same for the same history", async () => {
  const history = async () => {
    world = await startTestSimulator({ fixture: FIXTURE });
    await customer();
    await reset();
    await customer();
    const found = await seen();
    await world.sim.close();
    return found;
  };
  const once = await history();
  expect(await history()).toEqual(once);
});
