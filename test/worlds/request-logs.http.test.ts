import { afterEach, expect, onTestFinished, test } from "vitest";
import { REQUEST_LOG } from "../../src/http/log/log-entry.ts";
import { startTestSimulator, type TestSimulator } from "../setup/test-simulator.ts";

const usual = { ...REQUEST_LOG };
afterEach(() => void Object.assign(REQUEST_LOG, usual));

const start = async (bounds: object) => {
  Object.assign(REQUEST_LOG, bounds);
  const world = await startTestSimulator();
  onTestFinished(async () => {
    expect(world.alarms).toEqual([]);
    await world.sim.close();
  });
  return world;
};

const callIn = async ({ sim }: TestSimulator, name: string, times: number) => {
  const user = name === "sandbox" ? name : `sandbox+${name}`;
  const headers = { authorization: `Basic ${btoa(`${user}:${sim.clientSecret}`)}` };
  for (let at = 0; at < times; at += 1)
    await sim.fetch(new Request(`${sim.apiUrl}/config`, { headers }));
};

const idsIn = async ({ control }: TestSimulator, name: string): Promise<string[]> =>
  (await control("GET", `/requests?limit=100&world=${name}`)).body.data.map(
    ({ id }: { id: string }) => id,
  );

test("all worlds together keep a number of requests; the fullest loses its oldest", async () => {
  const world = await start({ inAll: 20, dropped: 3 });
  await callIn(world, "sandbox", 12);
  await callIn(world, "a", 8);
  expect([(await idsIn(world, "sandbox")).length, (await idsIn(world, "a")).length]).toEqual([
    12, 8,
  ]);
  await callIn(world, "a", 1);
  const ids = await idsIn(world, "sandbox");
  expect(ids.length).toBe(9);
  expect(ids.at(-1)).toBe("req-1-4");
  expect((await idsIn(world, "a")).length).toBe(9);
  const gone = await world.control("GET", "/requests/req-1-3");
  expect({ status: gone.status, message: gone.body.error.message }).toEqual({
    status: 404,
    message: expect.stringContaining("req-1-3"),
  });
  expect((await world.control("GET", "/requests/req-1-4")).status).toBe(200);
  // Both continue, and no world loses the ones that it has just got.
  await callIn(world, "sandbox", 2);
  expect((await idsIn(world, "sandbox")).length).toBe(11);
});

test("a world that is removed or reset makes room for the others", async () => {
  const world = await start({ inAll: 20, dropped: 3 });
  await callIn(world, "a", 10);
  await callIn(world, "b", 10);
  await world.control("DELETE", "/worlds/a");
  await world.control("POST", "/reset?world=b");
  await callIn(world, "sandbox", 20);
  expect((await idsIn(world, "sandbox")).length).toBe(20);
});

test("the numbers are 10,000 a world and 50,000 in all", () => {
  expect(usual).toMatchObject({ entries: 10_000, inAll: 50_000 });
});
