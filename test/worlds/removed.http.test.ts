import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hostTime } from "../../src/machine/host-time.ts";
import type { WorldsOfProcess } from "../../src/worlds/worlds.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";
import { basic } from "../setup/tokens.ts";

let world: TestSimulator;

beforeEach(async () => {
  world = await startTestSimulator();
});

afterEach(async () => {
  await world.sim.close();
});

/** Asks the platform for its configuration; names the refusal. */
const ask = async (user: string, named?: string) => {
  const { sim } = world;
  const headers = {
    authorization: basic(user, sim.clientSecret),
    ...(named !== undefined && { "x-sim-world": named }),
  };
  const answer = await sim.fetch(new Request(`${sim.apiUrl}/config`, { headers }));
  const { reason = "", message = "" } = (await answer.json()) as Record<string, string>;
  return { status: answer.status, reason, message };
};

const removal = { status: 401, reason: "WORLD_REMOVED" };

const names = async () =>
  (await world.control("GET", "/worlds")).body.data.map(({ name }: { name: string }) => name);

const unloadIdle = async () => {
  const { worlds } = world.sim as unknown as { worlds: WorldsOfProcess };
  await worlds.sweep(hostTime.monotonicMs() + 11 * 60_000);
};

// spec/worlds.md#removal
describe("a world that was removed does not come back by a late call", () => {
  test("after DELETE, by its user name or by the header", async () => {
    expect(await ask("sandbox+late")).toMatchObject({ status: 200 });
    expect((await world.control("DELETE", "/worlds/late")).status).toBe(204);
    const refused = await ask("sandbox+late");
    expect(refused).toMatchObject(removal);
    expect(refused.message).toContain("service-sim worlds create late");
    expect(await ask("sandbox", "late")).toMatchObject(removal);
    expect(await names()).toEqual(["sandbox"]);
  });

  test("after close() of a fork, and after inPlaceOf", async () => {
    const first = await world.sim.fork("first");
    const second = await world.sim.fork("second", { inPlaceOf: first });
    await second.close();
    expect(await ask("sandbox+first")).toMatchObject(removal);
    expect(await ask("sandbox+second")).toMatchObject(removal);
    expect(await ask("sandbox+third")).toMatchObject({ status: 200 });
  });

  test("while it is being removed, so that no call comes in between", async () => {
    await ask("sandbox+late");
    const removed = world.control("DELETE", "/worlds/late");
    const late = await Promise.all([ask("sandbox+late"), ask("sandbox+late"), removed]);
    expect(late.slice(0, 2).filter((one) => (one as { status: number }).status === 500)).toEqual(
      [],
    );
    expect(await ask("sandbox+late")).toMatchObject(removal);
    expect(await names()).toEqual(["sandbox"]);
  });

  const OWN = { clientId: "own-client", clientSecret: "a secret of its own" };
  const askWith = async (user: string, secret: string) => {
    const { sim } = world;
    const headers = { authorization: basic(user, secret) };
    const answer = await sim.fetch(new Request(`${sim.apiUrl}/config`, { headers }));
    const { reason } = (await answer.json()) as { reason?: string };
    return { status: answer.status, reason };
  };

  test("with credentials of its own, until another world takes them", async () => {
    await world.control("POST", "/worlds", { name: "owner", ...OWN });
    expect(await askWith(OWN.clientId, OWN.clientSecret)).toMatchObject({ status: 200 });
    await world.control("DELETE", "/worlds/owner");
    expect(await askWith(OWN.clientId, OWN.clientSecret)).toEqual(removal);
    expect(await askWith(OWN.clientId, "wrong")).toEqual({ status: 401 });
    expect(await askWith("other-client", OWN.clientSecret)).toEqual({ status: 401 });
    await world.control("POST", "/worlds", { name: "heir", ...OWN });
    expect(await askWith(OWN.clientId, OWN.clientSecret)).toMatchObject({ status: 200 });
  });

  test("with a secret of its own, until a world of its name is made", async () => {
    await world.control("POST", "/worlds", { name: "owner", clientSecret: OWN.clientSecret });
    expect(await askWith("sandbox+owner", OWN.clientSecret)).toMatchObject({ status: 200 });
    await world.control("DELETE", "/worlds/owner");
    expect(await askWith("sandbox+owner", OWN.clientSecret)).toEqual(removal);
    await world.control("POST", "/worlds", { name: "owner", clientSecret: "another secret" });
    expect(await askWith("sandbox+owner", OWN.clientSecret)).toEqual({ status: 401 });
  });

  test("when it had been unloaded for being idle before it was closed", async () => {
    const fork = await world.sim.fork("idle");
    await world.control("POST", "/worlds", { name: "owner", ...OWN });
    await unloadIdle();
    expect(await names()).toEqual(["sandbox"]);
    expect(await askWith(OWN.clientId, OWN.clientSecret)).toEqual({ status: 401 });
    await fork.close();
    expect((await world.control("DELETE", "/worlds/owner")).status).toBe(204);
    expect((await world.control("DELETE", "/worlds/owner")).status).toBe(404);
    expect(await ask("sandbox+idle")).toMatchObject(removal);
    expect(await askWith(OWN.clientId, OWN.clientSecret)).toEqual(removal);
    expect(await names()).toEqual(["sandbox"]);
  });

  test("and a wrong secret does not learn that it was there", async () => {
    await ask("sandbox+late");
    await world.control("DELETE", "/worlds/late");
    const headers = { authorization: basic("sandbox+late", "wrong") };
    const { sim } = world;
    const answer = await sim.fetch(new Request(`${sim.apiUrl}/config`, { headers }));
    expect((await answer.json()).reason).toBeUndefined();
  });
});

test("POST /_sim/worlds makes it again, and calls reach it from then on", async () => {
  await ask("sandbox+again");
  await world.control("DELETE", "/worlds/again");
  expect((await world.control("POST", "/worlds", { name: "again" })).status).toBe(201);
  expect(await ask("sandbox+again")).toMatchObject({ status: 200 });
});

test("a world that was unloaded for being idle comes back by its next call", async () => {
  await ask("sandbox+idle");
  await unloadIdle();
  expect(await names()).toEqual(["sandbox"]);
  expect(await ask("sandbox+idle")).toMatchObject({ status: 200 });
});

test("with fixed worlds the removal is told too", async () => {
  await world.sim.close();
  world = await startTestSimulator({ worlds: "fixed" });
  await world.control("POST", "/worlds", { name: "made" });
  await world.control("DELETE", "/worlds/made");
  expect(await ask("sandbox+made")).toMatchObject(removal);
  expect(await ask("sandbox+other")).toMatchObject({ status: 401, reason: "WORLD_UNKNOWN" });
});
