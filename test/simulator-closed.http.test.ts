import { expect, test } from "vitest";
import { createSimulator } from "../src/simulator.ts";
import { startTestSimulator } from "./setup/test-simulator.ts";

const reached = async (url: string) => {
  const headers = { connection: "close" };
  const answered = await fetch(`${url}/_sim/live`, { headers }).catch(({ cause }) => cause);
  return answered instanceof Response ? answered.status : (answered as NodeJS.ErrnoException).code;
};

test("an advance of a closed simulator is refused, and nothing of it goes on behind", async () => {
  const { sim, control } = await startTestSimulator();
  await sim.close();
  await expect(sim.advance("6m")).rejects.toThrow("Expected an open simulator but found it closed");
  await expect(sim.listen()).rejects.toThrow("Expected an open simulator but found it closed");
  const { body } = await control("POST", "/clock/advance", { by: "6m" });
  expect(body).toMatchObject({ complete: false, fired: [] });
});

test.each(["/webhooks/wait?type=TEST&timeout=10m", "/inbox/wait?timeoutMs=600000"])(
  "a wait that begins while it closes ends with it: %s",
  async (path) => {
    const { sim, control } = await startTestSimulator();
    const waited = control("GET", path);
    await sim.close();
    expect(await waited).toMatchObject({ status: 503, body: { error: { code: "UNAVAILABLE" } } });
    expect((await control("GET", path)).status).toBe(503);
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
