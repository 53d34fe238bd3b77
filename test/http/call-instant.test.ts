import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { machineWall } from "../../src/runtime/ports.ts";
import { startTestSimulator } from "../setup/test-simulator.ts";

afterEach(() => vi.restoreAllMocks());

test("a real clock is read once for a call: its Date is the instant of its change", async () => {
  const world = await startTestSimulator({ clock: "real", now: "2026-03-01T10:00:00.000Z" });
  onTestFinished(() => world.sim.close());
  const wallMs = Date.now();
  let readings = 0;
  // Each reading of the system clock is a minute behind the one before.
  vi.spyOn(machineWall, "nowMs").mockImplementation(() => {
    readings += 1;
    return wallMs + readings * 60_000;
  });
  const { body, headers } = await world.call("POST", "/customers", { customerType: "INDIVIDUAL" });
  const date = Date.parse(headers.get("date") ?? "");
  expect(date).toBe(Math.floor(Date.parse(body.createdAt) / 1000) * 1000);
});
