import { readFileSync, statSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { documentOf, type Given } from "../../setup/cli.ts";
import { benchPerTest } from "../setup/place-per-test.ts";

const place = benchPerTest();

// A detached simulator is nobody's child, so `stop` ends it.
afterEach(() => place().run("stop"));

const LOG = ".service-sim/service-sim.log";

test("start --detach returns when the simulator is ready, and leaves it running", async () => {
  const ended = await place().run("start --detach --port 0 --json");
  expect(ended).toMatchObject({ code: 0 });
  const ready = documentOf(ended);
  expect(ready).toEqual({
    event: "ready",
    apiUrl: `http://127.0.0.1:${ready.port}/2025-10-13`,
    controlUrl: `http://127.0.0.1:${ready.port}/_sim`,
    port: expect.any(Number),
    pid: expect.any(Number),
    clientId: "sandbox",
    clientSecret: expect.stringMatching(/^sk_sim_/),
  });
  const authorization = `Basic ${btoa(`${ready.clientId}:${ready.clientSecret}`)}`;
  const response = await fetch(`${ready.apiUrl}/config`, { headers: { authorization } });
  expect(response.status).toBe(200);

  // It logs into the state directory, without credentials.
  expect(await place().run("advance 6m")).toMatchObject({ code: 0 });
  const log = readFileSync(place().file(LOG), "utf8");
  expect(log).toContain(" < POST /_sim/clock/advance ");
  expect(log).not.toContain(ready.clientSecret);
  expect(statSync(place().file(LOG)).mode & 0o777).toBe(0o600);
  expect(documentOf(await place().run("stop --json"))).toEqual({ stopped: true, pid: ready.pid });
});

test("what keeps it from starting is told, with the same exit code", async () => {
  const { ready } = await place().startProcess();
  const { code, stderr } = await place().run("start --detach --port 0");
  expect(code).toBe(4);
  const where = place().file(".service-sim");
  expect(stderr).toBe(
    `error  another simulator (pid ${ready.pid}) is using ${where}\n` +
      "next   service-sim stop                       stop it, then start again\n" +
      "       service-sim start --storage memory:    run a second one in memory\n",
  );
  const usage = await place().run("start --detach --port 70000");
  expect(usage).toMatchObject({
    code: 2,
    stdout: "",
    stderr:
      'error  Expected --port to be a whole number up to 65535 or auto but found "70000"\n' +
      "next   service-sim start --help\n",
  });
});

const started = async (words: string, given?: Given) => {
  const ended = await place().run(`start --detach --port 0 ${words}`, given);
  expect(ended.code, ended.stderr).toBe(0);
  const [, url = "", pid] = /ready at (\S+)\/2025-10-13, pid (\d+),/.exec(ended.stdout) ?? [];
  expect(ended.stdout).toContain(`\n  console: ${url}/_sim/console/\n`);
  return { url, pid: Number(pid), notes: ended.stderr.trimEnd().split("\n") };
};

const LOGS = "note   logs: .service-sim/service-sim.log; stop it with";

test("it tells how to stop it, also beside another simulator and in another folder", async () => {
  const first = await started("--storage memory:");
  expect(first.notes).toEqual([`${LOGS} service-sim stop`]);
  const second = await started("--storage memory:");
  expect(second.notes).toEqual([
    `${LOGS} service-sim stop --url ${second.url}`,
    `note   commands in this folder do not find it; add --url ${second.url}`,
  ]);
  const third = await started("--storage file:other");
  expect(third.notes[0]).toBe(
    `note   logs: other/service-sim.log; stop it with service-sim stop --url ${third.url}`,
  );
  for (const { url, pid } of [third, second])
    expect(await place().run(`stop --url ${url}`)).toMatchObject({
      stdout: `✓ stopped pid ${pid}\n`,
    });
  expect(await place().run("stop")).toMatchObject({ stdout: `✓ stopped pid ${first.pid}\n` });
});

test("in a shell that has lines of an earlier one it tells how to reach it", async () => {
  const env = { SERVICE_SIM_URL: "http://127.0.0.1:9" };
  const { url, notes } = await started("--storage memory:", { env });
  expect(notes).toEqual([
    `${LOGS} service-sim stop --url ${url}`,
    `note   commands in this folder do not find it; add --url ${url}`,
  ]);
});
