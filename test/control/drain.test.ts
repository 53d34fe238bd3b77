import { expect, test } from "vitest";
import { createSimulator } from "../../src/simulator.ts";

const statusOf = async (response: Promise<Response>) => (await response).status;

test("a simulator that drains is not ready, and serves calls until it is skipped", async () => {
  const sim = await createSimulator({ drainMs: 300_000 });
  const { url } = await sim.listen();
  expect(await statusOf(fetch(`${url}/_sim/ready`))).toBe(200);
  const skip = new AbortController();
  const drained = sim.drain(skip.signal);
  const ready = await fetch(`${url}/_sim/ready`);
  expect(ready.status).toBe(503);
  expect((await ready.json()).error).toMatchObject({
    code: "UNAVAILABLE",
    message: "The world cannot accept this now: the simulator stops",
  });
  expect(await statusOf(fetch(`${url}/_sim/live`))).toBe(200);
  const authorization = `Basic ${btoa(`${sim.clientId}:${sim.clientSecret}`)}`;
  expect(await statusOf(fetch(`${sim.apiUrl}/config`, { headers: { authorization } }))).toBe(200);
  expect(sim.status().drainMs).toBe(300_000);
  skip.abort();
  await drained;
  await sim.close();
});

test.each([
  { options: {}, drainMs: undefined },
  { options: { drainMs: 0 }, drainMs: undefined },
  { options: { drainMs: 2 }, drainMs: 2 },
])("$options drains for $drainMs ms", async ({ options, drainMs }) => {
  const sim = await createSimulator(options);
  expect(sim.status().drainMs).toBe(drainMs);
  await sim.drain();
  await sim.close();
});

test("a drain that was skipped before it began does not wait", async () => {
  const sim = await createSimulator({ drainMs: 300_000 });
  await sim.drain(AbortSignal.abort());
  await sim.close();
});
