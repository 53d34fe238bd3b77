import { readFileSync, rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type Change, readSegment } from "../../../src/runtime/change.ts";
import { machineFiles } from "../../../src/storage/file/journal/journal-file.ts";
import { until } from "../../runtime/setup/turns.ts";
import { type Answer, startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { reopen } from "../../storage/setup/reopen.ts";
import { StateDirectory } from "../../storage/setup/state-directory.ts";
import { allEnded, type Greeted, startGreeted } from "../../webhooks/setup/greeted.ts";
import { EXECUTE, fixtureOf, named, PAYING, QUOTE, request, seed } from "./setup/seeding.ts";

let world: TestSimulator;
let directory: StateDirectory;

beforeEach(async () => {
  directory = new StateDirectory();
  world = await startTestSimulator({ storage: directory.url });
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
  directory.remove();
});

const PAYMENT = fixtureOf(...PAYING("003"), QUOTE, EXECUTE, { advance: "1m" });

const customerCount = async ({ call }: TestSimulator = world) =>
  (await call("GET", "/customers")).body.totalCount;

const makeCustomer = ({ call }: TestSimulator = world, more = {}) =>
  call("POST", "/customers", { customerType: "INDIVIDUAL", ...more });

const changesOf = (name: string): Change[] => {
  const changes: Change[] = [];
  const segment = { file: name, bytes: readFileSync(directory.segment(name)) };
  readSegment(segment, { seq: 1, isLast: true }, (change) => changes.push(change));
  return changes;
};

describe("a fixture is put in in one step", () => {
  test("its changes are one group of the journal, and a restart continues with them", async () => {
    const { body } = await seed(world, PAYMENT);
    const changes = changesOf("1-1").filter(({ upTo }) => upTo !== undefined);
    const last = changes.at(-1)?.upTo ?? 0;
    expect(changes.map(({ seq, upTo }) => [seq, upTo])).toEqual(
      changes.map((_, at) => [last - changes.length + at, last]),
    );
    expect(changes.map(({ by }) => by)).toContain("executeQuote");
    const before = (await world.call("GET", `/quotes/${body.names.quote}`)).body;
    await world.sim.close();
    world = await reopen(directory);
    expect((await world.call("GET", `/quotes/${body.names.quote}`)).body).toEqual(before);
    expect((await world.control("GET", "/clock")).body.now).toBe("2026-01-05T09:01:00.000Z");
    const settled = await world.control("POST", "/clock/advance", { by: "5m" });
    expect(settled.body.fired).toMatchObject([{ timer: "payment.settle", to: "COMPLETED" }]);
  });

  test("a crash in the middle of its write leaves none of it", async () => {
    await makeCustomer();
    await seed(world, PAYMENT);
    await world.sim.close();
    const whole = readFileSync(directory.segment("1-1"));
    const group = changesOf("1-1").find(({ upTo }) => upTo !== undefined)?.seq ?? 0;
    const text = whole.toString("latin1");
    const ends = [...text.matchAll(/\n/g)].map(({ index }) => index + 1);
    const start = ends[group - 2] ?? 0;
    const end = ends[(changesOf("1-1")[group - 1]?.upTo ?? 0) - 1] ?? 0;
    expect(end - start).toBeGreaterThan(5000);
    for (const length of [start + 1, ends[group - 1] ?? 0, (start + end) >> 1, end - 1]) {
      for (const name of directory.segments()) rmSync(directory.segment(name));
      directory.asKilled();
      directory.write("1-1", whole.subarray(0, length));
      world = await reopen(directory);
      expect(world.sim.opened).toMatchObject({ records: group - 1, tornBytes: length - start });
      expect(await customerCount()).toBe(1);
      await world.sim.close();
    }
  });

  test("a write that fails leaves none of it, and 503 says so", async () => {
    await makeCustomer();
    const before = (await world.control("GET", "/status")).body.storage.records;
    const { write } = machineFiles;
    onTestFinished(() => void Object.assign(machineFiles, { write }));
    Object.assign(machineFiles, {
      write: () => {
        throw new Error("ENOSPC: injected");
      },
    });
    const { status, body } = await seed(world, PAYMENT);
    expect({ status, code: body.error.code }).toEqual({ status: 503, code: "UNAVAILABLE" });
    expect((await world.control("GET", "/status")).body.storage.records).toBe(before);
    expect(await customerCount()).toBe(1);
    expect(world.alarms.splice(0)[0]).toContain("ENOSPC: injected");
  });

  test("its requests are in the log under ids of their own, and say what they caused", async () => {
    await makeCustomer();
    const { body } = await seed(world, PAYMENT);
    await makeCustomer();
    const { data } = (await world.control("GET", "/requests")).body;
    expect(data.map(({ operation }: { operation: string }) => operation).reverse()).toEqual([
      "createCustomer",
      "createCustomer",
      "listCustomerInternalAccounts",
      "fundInternalAccount",
      "createCustomerExternalAccount",
      "createQuote",
      "executeQuote",
      "createCustomer",
    ]);
    expect(new Set(data.map(({ id }: { id: string }) => id)).size).toBe(8);
    const { body: why } = await world.control("GET", `/why/${body.names.quote}`);
    const executed = data.find(
      ({ operation }: { operation: string }) => operation === "executeQuote",
    );
    expect(executed.caused).toContain(body.names.quote);
    expect(why.chain.at(-1).because).toMatchObject({ kind: "request", id: executed.id });
  });
});

describe("while others use the world", () => {
  test("what they do on the way stays, and the fixture is whole", async () => {
    const [seeded, made] = await Promise.all([seed(world, PAYMENT), makeCustomer()]);
    expect([seeded.status, made.status]).toEqual([200, 201]);
    expect(await customerCount()).toBe(2);
    expect((await world.call("GET", `/quotes/${seeded.body.names.quote}`)).status).toBe(200);
    expect(changesOf("1-1").map(({ seq }) => seq)).toEqual(changesOf("1-1").map((_, at) => at + 1));
    const ledger = (await world.control("GET", "/ledger")).body;
    expect(ledger.totals).toMatchObject({ USD: 0 });
  });

  test("what they take from it before it is in is refused to it, and nothing of it is there", async () => {
    const taken = { platformCustomerId: "taken" };
    const late = named(
      "late",
      request("POST", "/customers", { body: { customerType: "INDIVIDUAL", ...taken } }),
    );
    const [seeded, made] = await Promise.all([
      seed(world, fixtureOf(...PAYING("003"), late)),
      makeCustomer(world, taken),
    ]);
    expect([seeded.status, made.status]).toEqual([400, 201]);
    expect(seeded.body.error.message).toContain("Expected step late, POST /customers, to answer");
    expect(await customerCount()).toBe(1);
  });

  test("a reset on the way: the fixture is in the world after it, or in what it ended", async () => {
    await makeCustomer();
    const [seeded, reset] = await Promise.all([
      seed(world, PAYMENT),
      world.control("POST", "/reset"),
    ]);
    expect([seeded.status, reset.status]).toEqual([200, 200]);
    const count = await customerCount();
    if (count === 0) await world.control("POST", "/snapshots/before-reset/restore");
    expect(await customerCount()).toBe(count === 0 ? 2 : 1);
    expect((await world.call("GET", `/customers/${seeded.body.names.ada}`)).status).toBe(200);
  });

  test("somebody who never stops has to wait for it", async () => {
    let isIn = false;
    let made = 0;
    const busy = async () => {
      while (!isIn && made < 5000) {
        expect((await makeCustomer()).status).toBe(201);
        made += 1;
      }
    };
    const seeded = seed(world, PAYMENT).finally(() => {
      isIn = true;
    });
    await Promise.all([busy(), busy(), busy()]);
    expect((await seeded).status).toBe(200);
    expect(made).toBeLessThan(5000);
    expect(await customerCount()).toBe(made + 1);
  });

  describe("and an advance holds the clock", () => {
    let greeted: Greeted;
    let answer = () => {};
    let advanced: Promise<Answer>;

    /** Advances an hour, and waits for a receiver when a payment has settled at 09:06. */
    const hold = async (clock: "manual" | "real") => {
      greeted = await startGreeted({ clock });
      onTestFinished(() => greeted.stop());
      await seed(greeted, fixtureOf(...PAYING("003"), QUOTE, EXECUTE));
      await allEnded(greeted);
      const { receiver } = greeted;
      let isAsked = false;
      receiver.behaviour = (_event, response) => {
        isAsked = true;
        answer = () => void response.end();
      };
      advanced = greeted.control("POST", "/clock/advance", { by: "1h" });
      await until("an attempt", () => isAsked);
      receiver.behaviour = (_event, response) => void response.end();
    };

    const now = async () => (await greeted.control("GET", "/clock")).body.now;

    test("its clock steps move what is held, and it is held there", async () => {
      await hold("real");
      const heldAt = Date.parse(await now());
      const seeded = seed(greeted, fixtureOf({ advance: "10m" }));
      await until("the clock to be moved", async () => Date.parse(await now()) !== heldAt);
      const movedTo = await now();
      expect(Date.parse(movedTo) - heldAt).toBeGreaterThanOrEqual(600_000);
      const nextMs = Date.now() + 1;
      await until("the next millisecond", () => Date.now() > nextMs);
      expect(await now()).toBe(movedTo);
      answer();
      // On a running clock the fixture is loaded a moment after its dryRun.
      const { to } = (await seeded).body.steps[0];
      expect(Date.parse(movedTo) - Date.parse(to)).toBeGreaterThanOrEqual(0);
      expect((await advanced).body.complete).toBe(true);
    });

    test("it is put in at that instant, and the advance continues from there", async () => {
      await hold("manual");
      const fixture = fixtureOf(...PAYING("003"), QUOTE, EXECUTE);
      const { status, body: seeded } = await seed(greeted, fixture);
      expect(status).toBe(200);
      const { body: quote } = await greeted.call("GET", `/quotes/${seeded.names.quote}`);
      expect(quote.createdAt).toBe("2026-01-05T09:06:00.000Z");
      answer();
      const { body } = await advanced;
      expect(body).toMatchObject({
        from: "2026-01-05T09:00:00.000Z",
        to: "2026-01-05T10:00:00.000Z",
        complete: true,
        fired: [
          { timer: "payment.settle", at: "2026-01-05T09:06:00.000Z" },
          { timer: "payment.settle", at: "2026-01-05T09:12:00.000Z" },
        ],
      });
      await allEnded(greeted);
      expect(greeted.alarms).toEqual([]);
    });
  });
});
