import { expect, test } from "vitest";
import { waitUntil } from "../../setup/cli.ts";
import { placePerTest } from "../setup/place-per-test.ts";

const place = placePerTest();

test("a start drains at a signal, and ends its drain at the next one", async () => {
  const sim = await place().startProcess("--storage memory: --drain 5m");
  process.kill(sim.ready.pid, "SIGTERM");
  await waitUntil("no readiness", async () => (await sim.control("GET", "/ready")).status === 503);
  expect((await sim.call("GET", "/config")).status).toBe(200);
  const { code, stderr } = await sim.stop();
  expect(code).toBe(0);
  expect(stderr).toContain("it stops in 5m; the next signal stops it at once\n");
});

test("stop waits until a drain is over", async () => {
  const sim = await place().startProcess("--storage memory: --drain 200ms");
  const { code, stdout } = await place().run("stop");
  expect({ code, stdout }).toEqual({ code: 0, stdout: `✓ stopped pid ${sim.ready.pid}\n` });
  expect((await sim.started.ended).code).toBe(0);
});
