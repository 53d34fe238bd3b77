import { afterEach, beforeEach, expect, test } from "vitest";
import { startTestSimulator } from "../setup/test-simulator.ts";
import { StateDirectory } from "./setup/state-directory.ts";

let directory: StateDirectory;

beforeEach(() => {
  directory = new StateDirectory();
});

afterEach(() => directory.remove());

test("a clock at a speed continues after a restart, and an option changes it", async () => {
  const first = await startTestSimulator({ storage: directory.url, clock: "60x" });
  await first.sim.advance("1h");
  await first.sim.close();
  const second = await startTestSimulator({ storage: directory.url, clock: undefined as never });
  expect((await second.control("GET", "/clock")).body).toMatchObject({ mode: "real", speed: 60 });
  await second.sim.close();
  const third = await startTestSimulator({ storage: directory.url, clock: "auto" });
  const { body } = await third.control("GET", "/clock");
  expect(body.mode).toBe("auto");
  expect(Date.parse(body.now)).toBeGreaterThanOrEqual(Date.parse("2026-01-05T10:00:00Z"));
  await third.control("POST", "/reset");
  expect((await third.control("GET", "/clock")).body).toMatchObject({
    mode: "auto",
    now: "2026-01-05T09:00:00.000Z",
  });
  await third.sim.close();
});
