import { cpSync, existsSync, renameSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { waitUntil } from "../../setup/cli.ts";
import { benchPerTest } from "../setup/place-per-test.ts";

const place = benchPerTest();

const INDIVIDUAL = { customerType: "INDIVIDUAL" };

/** A simulator in the folder `one`, with one customer. */
const startOne = async () => {
  const one = await place().startProcess("--seed 7 --clock manual", { folder: "one" });
  expect((await one.call("POST", "/customers", INDIVIDUAL)).status).toBe(201);
  return one;
};

const countOf = async ({ call }: Awaited<ReturnType<typeof startOne>>) =>
  (await call("GET", "/customers")).body.totalCount;

const inTwo = { folder: "two" };

// decisions/state-directory-locks.md
test("commands in a copy of a running folder leave the original alone", async () => {
  const one = await startOne();
  cpSync(place().file("one"), place().file("two"), { recursive: true });
  const from = place().file("one", ".service-sim");
  expect(await place().run("reset", inTwo)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(
      `no simulator is running (.service-sim is a copy of ${from}, whose simulator its ` +
        "instance.json names)",
    ),
  });
  expect(await place().run("stop", inTwo)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("nothing to stop"),
  });
  const two = await place().startProcess("", inTwo);
  const told = `.service-sim is a copy of ${from}, which another simulator (pid ${one.ready.pid})`;
  await waitUntil("a note of the copy", () => two.started.errors.includes(told));
  expect(await countOf(two)).toBe(1);
  expect((await place().run("reset", inTwo)).code).toBe(0);
  expect(await countOf(two)).toBe(0);
  expect((await place().run("stop", inTwo)).code).toBe(0);
  expect(await countOf(one)).toBe(1);
});

test("a copy whose original has stopped is a state of its own too", async () => {
  const one = await startOne();
  cpSync(place().file("one"), place().file("two"), { recursive: true });
  await one.stop();
  expect(await countOf(await place().startProcess("", inTwo))).toBe(1);
});

test("a folder that was moved is that of its simulator, until that has made another one", async () => {
  const one = await startOne();
  renameSync(place().file("one", ".service-sim"), place().file("moved"));
  const moved = { env: { SERVICE_SIM_STORAGE: `file:${place().file("moved")}` } };
  expect((await place().run("status --json", moved)).code).toBe(0);
  expect(await place().run("start --port 0", moved)).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(`another simulator (pid ${one.ready.pid}) is using`),
  });
  expect((await one.call("POST", "/customers", INDIVIDUAL)).status).toBe(503);
  await expect
    .poll(() => existsSync(place().file("one", ".service-sim", "instance.json")), {
      timeout: 30_000,
    })
    .toBe(true);
  expect((await place().run("reset", moved)).code).toBe(3);
  expect((await place().run("status", { folder: "one" })).code).toBe(0);
  const second = await place().startProcess("", moved);
  expect(await countOf(second)).toBe(1);
  await second.stop();
  expect(await countOf(one)).toBe(1);
});

// decisions/folders-that-go-away.md
test("status and stop say that the folder is gone, and the next start has what was acknowledged", async () => {
  const one = await startOne();
  rmSync(place().file("one", ".service-sim"), { recursive: true });
  expect((await one.call("POST", "/customers", INDIVIDUAL)).status).toBe(503);
  const url = new URL(one.ready.apiUrl).origin;
  const gone = `${place().file("one", ".service-sim")} was removed or replaced while the simulator ran`;
  expect((await place().run(`status --url ${url}`)).stdout).toContain(gone);
  const stopped = await place().run(`stop --url ${url}`);
  expect(stopped).toMatchObject({ code: 0, stdout: expect.stringContaining(gone) });
  expect(stopped.stdout).toContain("written there again");
  expect(await countOf(await place().startProcess("", { folder: "one" }))).toBe(1);
});

test("stop says that the state is lost where it cannot be written again", async () => {
  const one = await startOne();
  rmSync(place().file("one"), { recursive: true });
  await place().shell("echo > one");
  const url = new URL(one.ready.apiUrl).origin;
  expect(await place().run(`stop --url ${url}`)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("the state was removed: "),
  });
  const { stdout, stderr } = await one.started.ended;
  expect(stderr).toContain("the state is lost: ");
  expect(stdout).toContain('"stopped"');
});
