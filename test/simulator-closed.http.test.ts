import { inspect } from "node:util";
import { describe, expect, test, vi } from "vitest";
import { connect, createSimulator, type Simulator, SimulatorClosed } from "../src/simulator.ts";
import { startTestSimulator } from "./setup/test-simulator.ts";

const reached = async (url: string) => {
  const headers = { connection: "close" };
  const answered = await fetch(`${url}/_sim/live`, { headers }).catch(({ cause }) => cause);
  return answered instanceof Response ? answered.status : (answered as NodeJS.ErrnoException).code;
};

/** Changes and reads that a test asks of a simulator, of a fork of it, or over HTTP. */
const ASKED: Record<string, (sim: Simulator) => unknown> = {
  "call of a read": (sim) => sim.call.getConfig(),
  "call of a change": (sim) => sim.call.createCustomer({ body: { customerType: "INDIVIDUAL" } }),
  fetch: (sim) => sim.fetch(new Request(`${sim.apiUrl}/config`)),
  status: (sim) => sim.status(),
  ready: (sim) => sim.ready(),
  fork: (sim) => sim.fork("late"),
  removeWorld: (sim) => sim.removeWorld("late"),
  advance: (sim) => sim.advance("6m"),
  advanceTo: (sim) => sim.advanceTo("2030-01-01T00:00:00Z"),
  next: (sim) => sim.next(),
  "clock.now": (sim) => sim.clock.now(),
  "clock.set": (sim) => sim.clock.set("manual"),
  "timers.list": (sim) => sim.timers.list(),
  reset: (sim) => sim.reset(),
  seed: (sim) => sim.seed("empty"),
  snapshot: (sim) => sim.snapshot("late"),
  restore: (sim) => sim.restore("late"),
  "snapshots.list": (sim) => sim.snapshots.list(),
  rewind: (sim) => sim.rewind("1m"),
  diff: (sim) => sim.diff("start"),
  coverage: (sim) => sim.coverage(),
  why: (sim) => sim.why("Quote:1"),
  ledger: (sim) => sim.ledger(),
  "webhooks.wait": (sim) => sim.webhooks.wait({ type: "TEST" }),
  "webhooks.list": (sim) => sim.webhooks.list(),
  "inbox.list": (sim) => sim.inbox.list(),
  "approvals.list": (sim) => sim.approvals.list(),
  "faults.list": (sim) => sim.faults.list(),
  "outcomes.list": (sim) => sim.outcomes.list(),
  "requests.list": (sim) => sim.requests.list(),
};

/** The error of something that is asked; what it answers where there is none. */
const errorOf = async (asked: () => unknown) => {
  try {
    return await asked();
  } catch (error) {
    return error;
  }
};

const SIMULATOR_CLOSED = "Expected an open simulator but found it closed";

// spec/library.md#closed
describe("everything that is asked of it after close() is refused with one error", () => {
  const refusals = async (sim: Simulator) => {
    const found: Record<string, unknown> = {};
    for (const [name, asked] of Object.entries(ASKED)) {
      const error = await errorOf(() => asked(sim));
      found[name] = error instanceof SimulatorClosed ? error.message : error;
    }
    return found;
  };
  const allRefusedWith = (message: string) =>
    Object.fromEntries(Object.keys(ASKED).map((name) => [name, message]));

  test("by a simulator in this process", async () => {
    const sim = await createSimulator({ seed: 7 });
    await sim.listen();
    const closing = sim.close();
    expect(await refusals(sim)).toEqual(allRefusedWith(SIMULATOR_CLOSED));
    await closing;
    expect(await refusals(sim)).toEqual(allRefusedWith(SIMULATOR_CLOSED));
    expect(await errorOf(() => sim.listen())).toBeInstanceOf(SimulatorClosed);
    expect(await errorOf(() => sim.followFakeTimers(vi))).toBeInstanceOf(SimulatorClosed);
    // Where it was and who called it may still be printed.
    expect(sim.clientId).toBe("sandbox");
    expect(inspect(sim)).toContain(", closed");
  });

  test("by a fork, with its name, and of the whole simulator by every fork", async () => {
    const sim = await createSimulator({ seed: 7 });
    const [fork, other] = [await sim.fork("a"), await sim.fork("b")];
    await fork.close();
    expect(await refusals(fork)).toEqual(
      allRefusedWith("Expected an open world but found a closed"),
    );
    await sim.close();
    expect(await refusals(other)).toEqual(allRefusedWith(SIMULATOR_CLOSED));
    await other.close();
    await other.close();
  });

  test("by a connection, while its forks can still be removed", async () => {
    const sim = await createSimulator({ seed: 7 });
    const { url } = await sim.listen();
    const { clientSecret } = sim;
    const connected = await connect(url, { clientSecret });
    const fork = await connected.fork("a");
    await connected.close();
    expect(await refusals(connected)).toEqual(allRefusedWith(SIMULATOR_CLOSED));
    await fork.close();
    expect(await errorOf(() => sim.removeWorld("a"))).toMatchObject({ status: 404 });
    await sim.close();
  });
});

test.each(["/webhooks/wait?type=TEST&timeout=10m", "/inbox/wait?timeoutMs=600000"])(
  "a wait that begins while it closes ends with it: %s",
  async (path) => {
    const { sim, control } = await startTestSimulator();
    const waited = control("GET", path);
    await sim.close();
    expect(await waited).toMatchObject({ status: 503, body: { error: { code: "UNAVAILABLE" } } });
    await expect(control("GET", path)).rejects.toThrow(SIMULATOR_CLOSED);
  },
);

test("closing twice is closing once", async () => {
  const sim = await createSimulator({ seed: 7 });
  await sim.listen();
  await Promise.all([sim.close(), sim.close()]);
  await sim.close();
});

test("a simulator that listens twice closes both ports", async () => {
  const sim = await createSimulator({ seed: 7 });
  const first = await sim.listen();
  const second = await sim.listen();
  expect([await reached(first.url), await reached(second.url)]).toEqual([200, 200]);
  await sim.close();
  expect([await reached(first.url), await reached(second.url)]).toEqual([
    "ECONNREFUSED",
    "ECONNREFUSED",
  ]);
});

test("a second port on loopback keeps the control token asked for while the first is open to all", async () => {
  const sim = await createSimulator({ host: "0.0.0.0" });
  await sim.listen();
  const { url } = await sim.listen({ host: "127.0.0.1" });
  expect((await fetch(`${url}/_sim/status`)).status).toBe(401);
  await sim.close();
});
