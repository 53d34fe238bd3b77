import { spawnSync } from "node:child_process";
import { expect, type TestContext, test } from "vitest";
import {
  RunningCli,
  readyOf,
  SERVICE_SIM,
  type Started,
  Workplace,
  waitUntil,
} from "../setup/cli.ts";

const START = `exec "${process.execPath}" "${SERVICE_SIM}" start --port 0 --json --storage file:./data`;
const APART = ["unshare", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c"];

/** Whether this machine lets a test have a host name and process ids of its own. */
const canBeApart = spawnSync("unshare", [...APART.slice(1), "hostname apart"]).status === 0;
if (!canBeApart)
  process.stderr.write("skipped: locks among containers, since unshare needs more rights here\n");

const readyAt = async (started: Started) => {
  const line = await started.firstLine();
  return new RunningCli(
    started,
    readyOf(line, line === undefined ? await started.ended : { stderr: started.errors }),
  );
};

/** A folder of a test's own, and simulators there with a host name and process ids of their own. */
const containers = ({ onTestFinished }: TestContext) => {
  const place = new Workplace();
  onTestFinished(() => place.close());
  const spawnApart = (host: string) => place.spawn([...APART, `hostname ${host}; ${START}`]);
  return { place, spawnApart, startApart: (host: string) => readyAt(spawnApart(host)) };
};

// Side by side: each waits for locks to become old.
const apart = test.runIf(canBeApart).concurrent;

const INDIVIDUAL = { customerType: "INDIVIDUAL" };

// decisions/state-directory-locks.md
apart("a container that was killed is followed by another one without --force", async (context) => {
  const { startApart } = containers(context);
  const first = await startApart("first");
  await first.call("POST", "/customers", INDIVIDUAL);
  await first.stop("SIGKILL");
  const second = await startApart("second");
  const told = "its last simulator (pid 1 on first) has not renewed its lock for 3 s";
  await waitUntil("a note of the lock", () => second.started.errors.includes(told));
  expect((await second.call("GET", "/customers")).body.totalCount).toBe(1);
});

apart("a simulator that lives in another container keeps its lock", async (context) => {
  const { spawnApart, startApart } = containers(context);
  const first = await startApart("first");
  const { code, stderr } = await spawnApart("second").ended;
  expect(code).toBe(4);
  expect(stderr).toContain("another simulator (pid 1 on first) is using");
  expect((await first.call("POST", "/customers", INDIVIDUAL)).status).toBe(201);
});

apart("one that slept acknowledges nothing when it wakes", async (context) => {
  const { place, startApart } = containers(context);
  const slept = await readyAt(place.spawn(["sh", "-c", START]));
  await slept.control("POST", "/worlds", { name: "fork" });
  expect((await slept.call("POST", "/customers", INDIVIDUAL)).status).toBe(201);
  process.kill(slept.started.pid, "SIGSTOP");
  const next = await startApart("next");
  expect((await next.call("POST", "/customers", INDIVIDUAL)).status).toBe(201);
  process.kill(slept.started.pid, "SIGCONT");
  expect((await slept.call("POST", "/customers", INDIVIDUAL)).status).toBe(503);
  expect((await slept.call("GET", "/customers")).status).toBe(503);
  expect((await slept.control("PUT", "/snapshots/late")).status).toBe(503);
  await slept.stop();
  expect((await next.call("POST", "/customers", INDIVIDUAL)).status).toBe(201);
  await next.stop("SIGKILL");
  const last = await startApart("last");
  expect((await last.call("GET", "/customers")).body.totalCount).toBe(3);
});
