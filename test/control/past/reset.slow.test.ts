import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { machineWall } from "../../../src/runtime/ports.ts";
import type { SimulatorOptions } from "../../../src/simulator.ts";
import { imageOf } from "../../runtime/setup/random-world.ts";
import { turn } from "../../runtime/setup/turns.ts";
import { createPayer } from "../../setup/platform.ts";
import { startTestSimulator } from "../../setup/test-simulator.ts";
import { engineOf } from "../../setup/world-copy.ts";
import { StateDirectory } from "../../storage/setup/state-directory.ts";

afterEach(() => vi.restoreAllMocks());

const start = async (options: SimulatorOptions = {}) => {
  const world = await startTestSimulator({ fixture: "payouts-demo", ...options });
  onTestFinished(async () => {
    expect(world.alarms).toEqual([]);
    await world.sim.close();
  });
  return world;
};

type Started = Awaited<ReturnType<typeof start>>;

/** The world but for its numbers: what a caller sees of it. */
const seenOf = ({ sim }: Started) => {
  const { meta, past: _past, postings, ...rest } = imageOf(engineOf(sim).state);
  const amounts = postings.map(([, atMs, , account, currency, minor]) => [
    atMs,
    account,
    currency,
    minor,
  ]);
  return { ...rest, amounts, instantMs: meta.clock?.instantMs };
};

/** Calls that a fixture makes, counted by the requests that they get numbers for. */
const nextNumber = async ({ call }: Started) => {
  const { headers } = await call("GET", "/config");
  return Number(headers.get("x-sim-request-id")?.split("-").at(-1));
};

test.each<SimulatorOptions>([{ clock: "manual" }, { clock: "real" }])(
  "a reset with %o gives the fixture's world again without running the fixture",
  async (options) => {
    const world = await start(options);
    const first = seenOf(world);
    await createPayer(world);
    await world.sim.advance("1h");
    const before = await nextNumber(world);
    expect((await world.control("POST", "/reset")).status).toBe(200);
    const again = seenOf(world);
    expect(again.records).toEqual(first.records);
    expect({ ...again, instantMs: 0 }).toEqual({ ...first, instantMs: 0 });
    // The reset itself took one number, and the fixture took none.
    expect(await nextNumber(world)).toBe(before + 2);
  },
);

test("a reset after a reset too, and with ids of its own afterwards", async () => {
  const world = await start();
  const ids = new Set<string>();
  for (let times = 0; times < 3; times += 1) {
    ids.add((await createPayer(world)).customerId);
    await world.control("POST", "/reset");
  }
  expect(ids.size).toBe(3);
});

test("settings of a later start are in force after a reset: the fixture runs again", async () => {
  const directory = new StateDirectory();
  const options = { fixture: "payouts-demo", storage: directory.url };
  const first = await startTestSimulator(options);
  await first.sim.close();
  const world = await startTestSimulator({ storage: directory.url, crypto: "strict" });
  onTestFinished(async () => {
    await world.sim.close();
    directory.remove();
  });
  await world.control("POST", "/reset");
  expect((await world.control("GET", "/status")).body.settings.crypto).toBe("strict");
  expect((await world.call("GET", "/customers")).body.totalCount).toBeGreaterThan(0);
});

test("a state that a reset ended is a snapshot; loading it brings it back", async () => {
  const world = await start();
  const { customerId } = await createPayer(world);
  await world.sim.advance("1h");
  await world.control("POST", "/reset");
  const path = `/customers/${customerId}`;
  expect((await world.call("GET", path)).status).toBe(404);
  const { body } = await world.control("POST", "/snapshots/before-reset/restore");
  expect(body.now).toBe("2026-01-05T10:08:30.000Z");
  expect((await world.call("GET", path)).status).toBe(200);
});

test("a world on disk that was reset without the fixture is the same after a restart", async () => {
  const directory = new StateDirectory();
  const world = await startTestSimulator({ fixture: "payouts-demo", storage: directory.url });
  await createPayer(world);
  await world.control("POST", "/reset");
  const image = imageOf(engineOf(world.sim).state);
  await world.sim.close();
  const later = await startTestSimulator({ storage: directory.url });
  onTestFinished(async () => {
    await later.sim.close();
    directory.remove();
  });
  const { meta, ...content } = imageOf(engineOf(later.sim).state);
  const { meta: wanted, ...was } = image;
  expect(content).toEqual(was);
  expect(meta.branch).toBe(wanted.branch);
});

test("a real clock that follows the system clock runs the fixture again: its stamps are new", async () => {
  const world = await startTestSimulator({
    fixture: "payouts-demo",
    clock: "real",
    now: undefined as never,
  });
  onTestFinished(() => world.sim.close());
  const run = vi.spyOn(machineWall, "nowMs").mockReturnValue(Date.now() + 86_400_000);
  // The system clock is read once a turn (spec/clock.md#determinism).
  await turn();
  await world.control("POST", "/reset");
  const { body } = await world.call("GET", "/customers");
  expect(Date.parse(body.data[0].createdAt)).toBeGreaterThan(Date.now() + 3_600_000);
  run.mockRestore();
});

describe("the snapshot before-reset", () => {
  const kept = async ({ control }: Started) => {
    const { body } = await control("GET", "/snapshots");
    return body.data.map(({ name, records }: { name: string; records: number }) => [name, records]);
  };

  test.each([
    { what: "a world with a fixture", options: {}, isFork: false },
    { what: "a world without one", options: { fixture: "empty" }, isFork: false },
    { what: "a fork", options: {}, isFork: true },
  ])("of $what stays when another reset follows at once", async ({ options, isFork }) => {
    const world = await start(options);
    if (isFork) await world.control("POST", "/worlds", { name: "fork" });
    const named = isFork ? "?world=fork" : "";
    const records = async () => (await world.control("GET", `/snapshots${named}`)).body.data;
    await world.control("POST", `/seed${named}`, { name: "cards-demo" });
    await world.control("POST", `/reset${named}`);
    const first = await records();
    expect(first).toMatchObject([{ name: "before-reset" }]);
    await world.control("GET", `/status${named}`);
    await world.control("POST", `/reset${named}`);
    expect(await records()).toEqual(first);
  });

  test("is replaced once a call or the clock changed something", async () => {
    const world = await start();
    await createPayer(world);
    await world.control("POST", "/reset");
    const first = await kept(world);
    await world.sim.advance("1m");
    await world.control("POST", "/reset");
    const second = await kept(world);
    expect(second).not.toEqual(first);
    await createPayer(world);
    await world.control("POST", "/reset");
    expect(await kept(world)).not.toEqual(second);
  });
});
