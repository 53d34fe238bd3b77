import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { benchPerTest } from "../setup/place-per-test.ts";

const place = benchPerTest();
const SEGMENT = ".service-sim/worlds/sandbox/line-0/journal/1-1";

const doctor = async (words = "doctor") => {
  const { code, stdout } = await place().run(words, { env: { SERVICE_SIM_PORT: "0" } });
  return { code, stdout, checks: stdout.slice(0, stdout.indexOf("\n\n")).split("\n") };
};

test.each(["", " --storage memory:"])(
  "state that is not there is not made by a repair%s",
  async (storage) => {
    const { code, checks } = await doctor(`doctor --repair${storage}`);
    const directory = place().file(".service-sim");
    expect({ code, first: checks[0] }).toEqual({
      code: 0,
      first: `✓ nothing to repair: ${directory} does not exist`,
    });
    expect(existsSync(directory)).toBe(false);
  },
);

test("a folder without state is left as it is by a repair", async () => {
  mkdirSync(place().file("other"));
  const { checks } = await doctor("doctor --repair --storage file:other");
  expect(checks[0]).toBe(`✓ nothing to repair: ${place().file("other")} has no state`);
  expect(readdirSync(place().file("other"))).toEqual([]);
});

test("whole state has nothing to repair", async () => {
  await (await place().start()).started.kill();
  const { code, checks } = await doctor("doctor --repair");
  expect({ code, first: checks[0] }).toEqual({ code: 0, first: "✓ nothing to repair" });
});

test("a repair that keeps nothing warns; the damaged forks were named before it", async () => {
  const { started } = await place().start();
  await place().run("worlds create side");
  await started.kill();
  writeFileSync(place().file(SEGMENT), "garbage\n");
  const world = place().file(".service-sim", "worlds", "side", "world.json");
  writeFileSync(world, "garbage");
  const { code, checks } = await doctor();
  expect(code).toBe(1);
  expect(checks).toContainEqual(expect.stringMatching(/^✗ world side +Expected the world of /));
  expect(checks.join("\n")).toContain("the folder does not say which world it is");
  const { stdout } = await doctor("doctor --repair");
  expect(stdout).toMatch(/^~ kept 0 changes, dropped \d+; the removed parts are in /);
  expect(stdout).toContain("\n  the world side is lost: its folder was moved aside\n");
});

test("state that a simulator owns is not repaired", async () => {
  await place().start();
  const { code, stderr } = await place().run("doctor --repair");
  expect(code).toBe(4);
  expect(stderr).toMatch(/\nnext {3}service-sim stop {4}then service-sim doctor --repair\n$/);
});
