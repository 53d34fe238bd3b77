import { expect, test } from "vitest";
import { documentOf } from "../../setup/cli.ts";
import { benchPerTest } from "../setup/place-per-test.ts";

const place = benchPerTest();

test("clock freeze makes time stand still, and clock run lets it continue from there", async () => {
  const { control } = await place().start();
  await place().run("advance 7d");
  const frozen = documentOf(await place().run("clock freeze --json"));
  expect(frozen).toMatchObject({ mode: "manual" });
  expect((await control("GET", "/clock")).body.now).toBe(frozen.now);

  const { code, stdout } = await place().run("clock run");
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^\S+ \S+Z {2}running, (7d|6d23h) ahead of your computer\n$/),
  });
  const running = documentOf(await place().run("clock --json"));
  expect(running).toMatchObject({ mode: "real" });
  expect(Date.parse(running.now)).toBeGreaterThan(Date.parse(frozen.now));
});

test("a frozen clock is frozen after a restart too", async () => {
  const first = await place().start();
  const { now } = documentOf(await place().run("clock freeze --json"));
  await first.stop();
  const { control } = await place().start();
  expect((await control("GET", "/clock")).body).toMatchObject({ now, mode: "manual" });
});
