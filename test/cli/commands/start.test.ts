import { existsSync, realpathSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { benchPerTest } from "../setup/place-per-test.ts";

const place = benchPerTest();

const SECRET = /^sk_sim_[\w-]{16}$/;

test("the ready line comes first and has exactly the documented members", async () => {
  const { ready, started } = await place().startProcess();
  const { port } = ready;
  expect(ready).toEqual({
    event: "ready",
    apiUrl: `http://127.0.0.1:${port}/2025-10-13`,
    controlUrl: `http://127.0.0.1:${port}/_sim`,
    port: expect.any(Number),
    pid: started.pid,
    clientId: "sandbox",
    clientSecret: expect.stringMatching(SECRET),
  });
});

test("the simulator answers as soon as the ready line is there", async () => {
  const { call, control } = await place().startProcess("--storage memory:");
  expect(await call("GET", "/config")).toMatchObject({ status: 200 });
  expect(await control("GET", "/ready")).toEqual({ status: 200, body: { ready: true } });
});

test("without --json a banner tells where things are", async () => {
  const options = "--storage memory: --seed 7 --clock manual --now 2026-01-05T09:00:00Z";
  const started = place().command(`start --port 0 ${options}`);
  await started.firstLine();
  const { url, clientSecret } = place().readJson(".service-sim", "instance.json");
  const { stdout, stderr } = await started.kill();
  expect(stdout.replace(/in [0-9]+ ms/, "in 15 ms").split("\n")).toEqual([
    "✓ service-sim 0.1.0 ready in 15 ms    Ctrl-C stops it",
    "",
    `  api       ${url}/2025-10-13`,
    `  control   ${url}/_sim`,
    `  console   ${url}/_sim/console/`,
    `  docs      ${url}/_sim/docs`,
    `  sign in   sandbox:${clientSecret}   HTTP Basic, id:secret`,
    "  state     in memory                         new, seed 7",
    "  clock     2026-01-05 09:00:00Z              frozen, moves only with advance",
    "  webhooks  no endpoint: events are stored, not sent",
    "            service-sim webhooks list              the stored events",
    "            service-sim webhooks endpoint <url>    sends events there",
    "",
    "  try, in another terminal",
    "  service-sim demo       a USD to EUR payout of six minutes, in one go",
    "  service-sim tui        watch quotes, approvals and webhooks",
    `  curl -u sandbox:${clientSecret} ${url}/2025-10-13/config`,
    "",
    "✓ stopped; its state was in memory and is lost",
    "",
  ]);
  expect(stderr).toBe("");
});

test("beyond loopback the banner says who can reach it, and where the token is", async () => {
  const started = place().command("start --port 0 --storage file:state --host 0.0.0.0");
  await started.printed("curl -u");
  const { stdout } = await started.kill();
  expect(stdout).toContain(
    "  reach     anyone who can reach this machine over a network; " +
      "/_sim asks for the controlToken of state/instance.json\n",
  );
  expect(stdout).toContain(
    "            an endpoint in a private range is not called\n" +
      "            allow one with --allow-webhook-target <host or range>\n",
  );
  expect(existsSync(place().file("state"))).toBe(true);
});

test.each([
  { storage: "file:.service-sim", folder: ".service-sim" },
  { storage: "file:deep/state", folder: "deep/state" },
  { storage: "memory:", folder: ".service-sim" },
])("with $storage an instance.json for the owner alone says where it is", async (row) => {
  const simulator = await place().start(`--storage ${row.storage}`);
  const { ready, control } = simulator;
  const path = place().file(row.folder, "instance.json");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(place().readJson(row.folder, "instance.json")).toEqual({
    pid: ready.pid,
    startTicks: expect.stringMatching(/^[0-9]+$/),
    folder: {
      path: realpathSync(place().file(row.folder)),
      dev: expect.any(Number),
      ino: expect.any(Number),
    },
    url: `http://127.0.0.1:${ready.port}`,
    apiUrl: ready.apiUrl,
    controlUrl: ready.controlUrl,
    controlToken: expect.stringMatching(/^[\w-]{24}$/),
    clientId: "sandbox",
    clientSecret: ready.clientSecret,
    webhookPublicKey: (await control("GET", "/webhooks/key")).body,
    version: "0.1.0",
    checksum: expect.stringMatching(/^[0-9a-f]{8}$/),
  });
  await simulator.stop();
  expect(existsSync(path)).toBe(false);
});

test.each(["SIGTERM", "SIGINT"] as const)("%s stops it cleanly", async (signal) => {
  const simulator = await place().startProcess();
  const { code, stdout, stderr } = await simulator.stop(signal);
  const [, ...after] = stdout.split("\n");
  expect({ code, after, stderr }).toEqual({
    code: 0,
    after: ['{"event":"stopped"}', ""],
    stderr: "",
  });
});

test("a stop is clean also when nobody reads its output any more", async () => {
  const simulator = await place().startProcess();
  simulator.started.stopReading();
  expect(await simulator.stop()).toMatchObject({ code: 0, stderr: "" });
});

test("it answers on every address when told to, and then asks for its control token", async () => {
  const { control } = await place().start("--host 0.0.0.0");
  const { controlToken } = place().readJson(".service-sim", "instance.json");
  expect(await control("GET", "/status")).toMatchObject({
    status: 401,
    body: { error: { code: "CONTROL_TOKEN_NEEDED" } },
  });
  for (const open of ["/live", "/ready", "/webhooks/key"])
    expect(await control("GET", open)).toMatchObject({ status: 200 });

  expect(await place().run("status")).toMatchObject({ code: 0 });
  const { url } = place().readJson(".service-sim", "instance.json");
  const elsewhere = { folder: "elsewhere" };
  expect(await place().run(`status --url ${url}`, elsewhere)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("error  This address needs the control token"),
  });
  const env = { SERVICE_SIM_CONTROL_TOKEN: controlToken };
  expect(await place().run(`status --url ${url}`, { ...elsewhere, env })).toMatchObject({
    code: 0,
  });
});

test.each([
  { env: "SEED=env", flag: "", shows: { seed: "env" } },
  { env: "SEED=env", flag: "--seed flag", shows: { seed: "flag" } },
  { env: "CLOCK=manual", flag: "", shows: { clock: { mode: "manual" } } },
  { env: "CLOCK=manual", flag: "--clock real", shows: { clock: { mode: "real" } } },
  { env: "STORAGE=file:by-env", flag: "", shows: { storage: { url: "file:by-env" } } },
  { env: "STORAGE=file:by-env", flag: "--storage memory:", shows: { storage: { url: "memory:" } } },
  {
    env: "NOW=2026-01-05T09:00:00Z",
    flag: "--clock manual",
    shows: { now: "2026-01-05T09:00:00.000Z" },
  },
])("SERVICE_SIM_$env and the flags $flag make it $shows", async ({ env, flag, shows }) => {
  const [name = "", value = ""] = env.split("=");
  const { control } = await place().start(flag, { env: { [`SERVICE_SIM_${name}`]: value } });
  expect((await control("GET", "/status")).body).toMatchObject(shows);
});

test("SERVICE_SIM_PORT says where to listen, and --port says it louder", async () => {
  const first = await place().start("--storage memory:");
  const { port } = first.ready;
  await first.stop();
  const env = { SERVICE_SIM_PORT: String(port) };
  const byVariable = place().command("start --json --storage memory:", { env });
  expect(await byVariable.firstLine()).toContain(`"apiUrl":"http://127.0.0.1:${port}/2025-10-13"`);
  const byFlag = await place().start("--storage memory:", { env });
  expect(byFlag.ready.port).not.toBe(port);
});
