import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { EventReader, type ReadEvent } from "../../src/client/event-reader.ts";
import { machineFiles } from "../../src/storage/file/journal/journal-file.ts";
import { turn, until } from "../runtime/setup/turns.ts";
import { fakeHostTimers, realHostTimers } from "../setup/host-timers.ts";
import { createPayee, createPayer, quoteInput } from "../setup/platform.ts";
import { Receiver } from "../setup/receiver.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import { reopen } from "./setup/reopen.ts";
import { StateDirectory } from "./setup/state-directory.ts";

let directory: StateDirectory;
let world: TestSimulator;

beforeEach(() => {
  directory = new StateDirectory();
  // Only the timer that tries storage again is fake; the event loop and the files are real.
  fakeHostTimers();
});

afterEach(async () => {
  vi.restoreAllMocks();
  await world.sim.close();
  realHostTimers();
  directory.remove();
});

const error = (code: string) => Object.assign(new Error(`${code}: injected`), { code });

const fail = (code: string) => () => {
  throw error(code);
};

const { write } = machineFiles;

/** Ways in which storage fails; `vi.restoreAllMocks` undoes each. */
const FAULTS = {
  "ENOSPC on write": {
    fsync: false,
    strike: () => vi.spyOn(machineFiles, "write").mockImplementation(fail("ENOSPC")),
  },
  "a short write, then EIO": {
    fsync: false,
    strike: () =>
      vi.spyOn(machineFiles, "write").mockImplementation((fd, bytes, at) => {
        if (at.from > 0) throw error("EIO");
        return write(fd, bytes.subarray(0, Math.ceil(bytes.length / 2)), at);
      }),
  },
  "EIO on fdatasync": {
    fsync: true,
    strike: () =>
      vi.spyOn(machineFiles, "sync").mockImplementation((_fd, done) => done(error("EIO"))),
  },
};
const faults = Object.entries(FAULTS).map(([name, fault]) => ({ name, ...fault }));

/** The first events of a feed in this process. */
const readEvents = async ({ body }: Response, count: number) => {
  const events: ReadEvent[] = [];
  const reader = new EventReader((event) => events.push(event));
  const stream = body?.getReader();
  while (stream && events.length < count) {
    const { value, done } = await stream.read();
    if (done) break;
    reader.push(Buffer.from(value).toString());
  }
  await stream?.cancel();
  return events;
};

const start = async (fsync = false) => {
  world = await startTestSimulator({ storage: directory.url, fsync });
  await world.call("GET", "/config"); // answered only when the opened world is on disk
};

const customer = (platformCustomerId: string) =>
  world.call("POST", "/customers", { customerType: "INDIVIDUAL", platformCustomerId });

/** Names of the customers, oldest first. */
const customers = async () => {
  const { body } = await world.call("GET", "/customers");
  const names = body.data.map((one: { platformCustomerId: string }) => one.platformCustomerId);
  return names.reverse();
};

const balanceOf = async (accountId: string) => {
  const { body } = await world.control("GET", "/ledger");
  return body.balances.find(({ account }: { account: string }) => account === accountId).amount;
};

test("a reply that storage refused names no rule, although one had decided", async () => {
  await start();
  const { customerId, accountId } = await createPayer(world);
  const payee = await createPayee(world, customerId, "003");
  const quote = await world.call("POST", "/quotes", quoteInput(accountId, payee));
  FAULTS["ENOSPC on write"].strike();
  const lost = await world.call("POST", `/quotes/${quote.body.id}/execute`);
  expect(lost.status).toBe(503);
  expect(lost.headers.get("x-sim-rule")).toBeNull();
  const id = lost.headers.get("x-sim-request-id");
  expect((await world.control("GET", `/requests/${id}`)).body).not.toHaveProperty("rules");
  await mend();
  const executed = await world.call("POST", `/quotes/${quote.body.id}/execute`);
  expect(executed.headers.get("x-sim-rule")).toBe("quotedPayment.003");
});

const isWritable = async () => {
  const { body } = await world.control("GET", "/status");
  return body.storage.writable;
};

const secondsLater = async (count: number) => {
  for (let second = 0; second < count; second += 1) {
    await vi.advanceTimersByTimeAsync(1000);
    for (let turns = 0; turns < 5; turns += 1) await new Promise((go) => setImmediate(go));
  }
};

/** Makes storage work again, which the world notices within a second. */
const mend = async () => {
  vi.restoreAllMocks();
  await vi.advanceTimersByTimeAsync(1000);
  await until("the world to take writes", isWritable);
};

test.each(faults)("after $name only acknowledged changes are there", async ({ fsync, strike }) => {
  await start(fsync);
  expect((await customer("kept")).status).toBe(201);
  strike();
  const lost = await customer("lost");
  expect(lost).toMatchObject({ status: 503, body: { code: "UNAVAILABLE", status: 503 } });
  expect(lost.headers.get("retry-after")).toBe("1");
  expect(lost.headers.get("retry-after-ms")).toBe("1000");
  expect(await customers()).toEqual(["kept"]);
  expect((await world.call("GET", "/config")).status).toBe(200);
  expect((await customer("refused")).status).toBe(503);
  const { storage } = (await world.control("GET", "/status")).body;
  expect(storage).toMatchObject({ writable: false, why: expect.stringMatching(/injected/) });

  await mend();
  expect((await customer("later")).status).toBe(201);
  expect(await customers()).toEqual(["kept", "later"]);

  await world.sim.close();
  world = await reopen(directory);
  expect(world.sim.opened).toMatchObject({ isNew: false, tornBytes: 0 });
  expect(await customers()).toEqual(["kept", "later"]);
});

test.each(faults)("every call in the same turn as $name is 503", async ({ fsync, strike }) => {
  await start(fsync);
  await customer("kept");
  strike();
  const answers = await Promise.all([
    customer("lost-1"),
    customer("lost-2"),
    world.call("GET", "/customers"),
    customer("lost-3"),
  ]);
  for (const answer of answers)
    if (answer.status === 200) expect(answer.body.totalCount).toBe(1);
    else expect(answer).toMatchObject({ status: 503, body: { code: "UNAVAILABLE" } });
  expect(answers.filter(({ status }) => status === 503).length).toBeGreaterThanOrEqual(3);
  expect(await customers()).toEqual(["kept"]);
});

test("a refusal based on a lost change is not sent either", async () => {
  await start();
  FAULTS["ENOSPC on write"].strike();
  const twice = await Promise.all([customer("same"), customer("same")]);
  expect(twice).toMatchObject([{ status: 503 }, { status: 503 }]);
  await mend();
  expect((await customer("same")).status).toBe(201);
  expect((await customer("same")).status).toBe(409);
});

test("money moved by a lost change is back in its place", async () => {
  await start();
  const { accountId } = await createPayer(world, 500);
  FAULTS["ENOSPC on write"].strike();
  const path = `/sandbox/internal-accounts/${accountId}/fund`;
  expect((await world.call("POST", path, { amount: 100 })).status).toBe(503);
  expect(await balanceOf(accountId)).toBe(500);
  await mend();
  await world.call("POST", path, { amount: 7 });
  expect(await balanceOf(accountId)).toBe(507);
  const { body } = await world.control("GET", "/ledger");
  expect(body.totals).toEqual({ USD: 0 });
});

test("storage is tried once a second, however long it fails", async () => {
  await start();
  FAULTS["ENOSPC on write"].strike();
  await customer("lost");
  const opened = vi.spyOn(machineFiles, "open");
  await secondsLater(12);
  expect(opened).toHaveBeenCalledTimes(12);
  expect(await isWritable()).toBe(false);
  await mend();
  expect((await customer("later")).status).toBe(201);

  await world.sim.close();
  world = await reopen(directory);
  expect(await customers()).toEqual(["later"]);
});

test("a file that cannot be opened again is tried further", async () => {
  await start();
  FAULTS["ENOSPC on write"].strike();
  const opened = vi.spyOn(machineFiles, "open").mockImplementation(fail("EMFILE"));
  await customer("lost");
  await secondsLater(3);
  expect(opened).toHaveBeenCalledTimes(3);
  await mend();
  expect((await customer("later")).status).toBe(201);
});

test("a file that cannot be cut back makes everything 503 until restart", async () => {
  await start();
  await customer("kept");
  const feed = await world.sim.fetch(new Request(`${world.sim.controlUrl}/events`));
  FAULTS["a short write, then EIO"].strike();
  vi.spyOn(machineFiles, "truncate").mockImplementation(fail("EIO"));
  expect((await customer("lost")).status).toBe(503);
  const [hello, stopped] = await readEvents(feed, 2);
  expect([hello?.event, stopped]).toMatchObject([
    "hello",
    { event: "stopped", data: { by: "journal", why: expect.stringContaining("EIO: injected") } },
  ]);
  const read = await world.call("GET", "/customers");
  expect(read).toMatchObject({ status: 503, body: { code: "UNAVAILABLE" } });
  expect(read.headers.get("retry-after")).toBe("1");
  expect(read.headers.get("retry-after-ms")).toBe("1000");
  vi.restoreAllMocks();
  await secondsLater(3);
  expect((await customer("refused")).status).toBe(503);

  await world.sim.close();
  world = await reopen(directory);
  expect(world.sim.opened.tornBytes).toBeGreaterThan(0);
  expect(await customers()).toEqual(["kept"]);
});

test("a reset that storage cannot keep does not happen", async () => {
  await start();
  await customer("kept");
  FAULTS["ENOSPC on write"].strike();
  await customer("lost");
  const reset = await world.control("POST", "/reset");
  expect(reset).toMatchObject({ status: 503, body: { error: { code: "UNAVAILABLE" } } });
  expect(await customers()).toEqual(["kept"]);
  await mend();
  expect(await customers()).toEqual(["kept"]);

  await world.sim.close();
  world = await reopen(directory);
  expect(await customers()).toEqual(["kept"]);
});

test("a change of the clock's mode that storage cannot keep does not happen", async () => {
  await start();
  await customer("kept");
  FAULTS["ENOSPC on write"].strike();
  await customer("lost");
  const put = await world.control("PUT", "/clock", { mode: "real" });
  expect(put).toMatchObject({ status: 503, body: { error: { code: "UNAVAILABLE" } } });
  expect((await world.control("GET", "/clock")).body.mode).toBe("manual");
  await mend();
  expect((await customer("later")).status).toBe(201);

  await world.sim.close();
  world = await reopen(directory);
  expect(await customers()).toEqual(["kept", "later"]);
});

test("an advance that meets failing storage ends where the journal is", async () => {
  await start();
  await customer("kept");
  FAULTS["ENOSPC on write"].strike();
  await customer("lost");
  const advanced = await world.control("POST", "/clock/advance", { by: "1h" });
  expect(advanced.body).toMatchObject({ complete: false, to: "2026-01-05T09:00:00.000Z" });
  await mend();
  const again = await world.control("POST", "/clock/advance", { by: "1h" });
  expect(again.body).toMatchObject({ complete: true, to: "2026-01-05T10:00:00.000Z" });
});

test("an attempt whose result was lost is made again with the same id and bytes", async () => {
  await start();
  const receiver = await new Receiver().start();
  onTestFinished(() => receiver.stop());
  receiver.behaviour = (_event, response, count) => {
    if (count === 1) FAULTS["ENOSPC on write"].strike();
    response.end();
  };
  await world.call("PATCH", "/config", { webhookEndpoint: receiver.url });
  await until("the world to be read only", async () => !(await isWritable()));
  await mend();
  await until("a second attempt", () => receiver.received.length === 2);
  const [first, second] = receiver.received;
  expect(second).toMatchObject({ id: first?.id, body: first?.body });
  await until("the delivery to be accepted", async () => {
    const { body } = await world.control("GET", `/webhooks/${first?.id}`);
    return body.state === "ACCEPTED" && body.attempt === 1;
  });
});

test("a fork behind one for which no segment could be opened has all that was acknowledged", async () => {
  await start();
  await customer("kept");
  const fork = (name: string) => world.control("POST", "/worlds", { name, from: "world:sandbox" });
  vi.spyOn(machineFiles, "open").mockImplementation(fail("EMFILE"));
  expect((await fork("refused")).status).toBe(503);
  vi.restoreAllMocks();
  expect((await fork("made")).status).toBe(201);

  await world.sim.close();
  world = await reopen(directory);
  const { body } = await world.control("GET", "/records?world=made&kind=Customer");
  expect(body.counts.Customer).toBe(1);
});

test("a world whose opening is lost does not start; a later start opens it", async () => {
  FAULTS["ENOSPC on write"].strike();
  await expect(startTestSimulator({ storage: directory.url })).rejects.toThrow("ENOSPC");
  vi.restoreAllMocks();
  world = await startTestSimulator({ storage: directory.url });
  expect(world.sim.opened).toMatchObject({ isNew: true });
  expect((await customer("first")).status).toBe(201);
});

test("the answer to an attempt of a reloaded world does not count", async () => {
  await start();
  const receiver = await new Receiver().start();
  onTestFinished(() => receiver.stop());
  const answers: (() => void)[] = [];
  receiver.behaviour = (_event, response) => void answers.push(() => void response.end());
  await world.call("PATCH", "/config", { webhookEndpoint: receiver.url });
  await until("the attempt", () => answers.length === 1);
  FAULTS["ENOSPC on write"].strike();
  await customer("lost");
  await mend();
  await until("the attempt again", () => answers.length === 2);

  const shown = async () => (await world.control("GET", "/webhooks")).body.data[0];
  answers[0]?.();
  for (let turns = 0; turns < 50; turns += 1) await turn();
  expect(await shown()).toMatchObject({ state: "WAITING", attempt: 0 });
  answers[1]?.();
  await until("its answer", async () => (await shown()).state === "ACCEPTED");
  expect(await shown()).toMatchObject({ attempt: 1 });
});
