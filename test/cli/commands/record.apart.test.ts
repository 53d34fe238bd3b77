import { readFileSync, writeFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { encodeLine } from "../../../src/capsules/capsule-lines.ts";
import { plainEnvironment, Workplace } from "../../setup/cli.ts";
import { Receiver } from "../../setup/receiver.ts";
import { runInProcess, startInProcess } from "../setup/in-process.ts";
import { benchPerTest } from "../setup/place-per-test.ts";

const place = benchPerTest();
const person = { customerType: "INDIVIDUAL" };

/** A simulator that was used by hand: money, a quote, a receiver that refuses, and a fork. */
const used = async (options = "", start: "start" | "startProcess" = "start") => {
  const receiver = await new Receiver().start();
  onTestFinished(() => receiver.stop());
  receiver.behaviour = (_event, response) => {
    response.statusCode = 500;
    response.end();
  };
  const sim = await place()[start](`--worlds open ${options}`);
  await sim.call("PATCH", "/config", { webhookEndpoint: receiver.url });
  const customer = await sim.call("POST", "/customers", person);
  const query = `customerId=${customer.body.id}&currency=USD`;
  const { body } = await sim.call("GET", `/customers/internal-accounts?${query}`);
  const accountId = body.data[0].id;
  await sim.call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 1_000_000 });
  const payee = await sim.call("POST", "/customers/external-accounts", {
    customerId: customer.body.id,
    currency: "MXN",
    accountInfo: {
      accountType: "MXN_ACCOUNT",
      clabeNumber: "646180110400000999",
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Flores" },
    },
  });
  const quote = await sim.call("POST", "/quotes", {
    source: { sourceType: "ACCOUNT", accountId },
    destination: { destinationType: "ACCOUNT", accountId: payee.body.id },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 25_000,
  });
  expect(quote.status).toBe(201);
  await sim.control("POST", "/worlds", { name: "beside" });
  receiver.behaviour = (_event, response) => void response.end();
  return { sim, quoteId: String(quote.body.id), receiver };
};

type Used = Awaited<ReturnType<typeof used>>;

/** Calls in two worlds, and moves of both clocks. */
const traffic = async ({ sim, quoteId }: Used) => {
  const { apiUrl, clientId, clientSecret } = sim.ready;
  const authorization = `Basic ${btoa(`${clientId}+beside:${clientSecret}`)}`;
  const beside = (method: string, path: string) =>
    fetch(apiUrl + path, { method, headers: { authorization } });
  expect((await sim.call("POST", `/quotes/${quoteId}/execute`)).status).toBe(200);
  expect((await beside("POST", `/quotes/${quoteId}/execute`)).status).toBe(200);
  await sim.control("POST", "/clock/advance", { by: "20s" });
  await sim.control("POST", "/clock/advance?world=beside", { by: "10m" });
  await beside("GET", "/transactions");
  await sim.call("GET", "/transactions");
  await sim.call("POST", "/customers", person);
};
const REQUESTS = 7;

const elsewhere = async (text: string, options = "") => {
  const other = new Workplace();
  try {
    writeFileSync(other.file("run.capsule"), text);
    const words = `replay ${options} run.capsule`.split(" ").filter(Boolean);
    return await runInProcess(words, { folder: other.path });
  } finally {
    await other.close();
  }
};

const textOf = () => readFileSync(place().file("run.capsule"), "utf8");

const record = () =>
  startInProcess(["record", "run.capsule"], { folder: place().path, env: plainEnvironment() });

// spec/capsules.md#recording
test.each(["real", "manual"])(
  "what was recorded is repeated elsewhere, clock %s",
  async (clock) => {
    const run = await used(`--clock ${clock}`);
    const recording = await record();
    expect(recording.firstLine).toBe("✓ recording to run.capsule    Ctrl-C ends it");
    await traffic(run);
    const ended = await recording.stop();
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stdout).toContain(`run.capsule: ${REQUESTS} requests\n`);
    expect(textOf()).not.toContain(run.sim.ready.clientSecret);
    expect(await elsewhere(textOf())).toMatchObject({
      code: 0,
      stdout: `${REQUESTS} requests repeated, no difference\n`,
    });

    const planted = textOf()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line.slice(line.indexOf("{"))))
      .map((line) =>
        /execute$/.test(line.url ?? "") && line.world === "beside"
          ? { ...line, reply: { ...line.reply, status: 404 } }
          : line,
      );
    const { code, stdout } = await elsewhere(planted.map(encodeLine).join(""));
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^first difference: status\n {2}at {8}req-1-1 \(entry \d+\), POST .*\/execute\n/,
    );
    expect(stdout).toContain("  recorded  404\n  found     200\n");
  },
);

test("with a command it ends with it, and has its exit code", async () => {
  await used("--clock manual");
  const script = `
    const { SERVICE_SIM_API_URL: apiUrl } = process.env;
    const { SERVICE_SIM_CLIENT_ID: id, SERVICE_SIM_CLIENT_SECRET: secret } = process.env;
    const authorization = "Basic " + btoa(id + ":" + secret);
    fetch(apiUrl + "/customers", { headers: { authorization } }).then(({ status }) => {
      process.exitCode = status === 200 ? 7 : 1;
    });`;
  const args = ["record", "run.capsule", "--json", "--", process.execPath, "-e", script];
  const { code, stdout } = await place().command(args).ended;
  expect({
    code,
    lines: stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  }).toEqual({
    code: 7,
    lines: [
      { event: "recording", file: "run.capsule" },
      { event: "recorded", file: "run.capsule", requests: 1 },
    ],
  });
  expect(await elsewhere(textOf())).toMatchObject({ code: 0 });
});

test("a second recording is refused, and leaves an earlier file as it is", async () => {
  await used();
  writeFileSync(place().file("second.capsule"), "earlier");
  const recording = await record();
  const { code, stderr } = await place().run("record second.capsule");
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      "This simulator is already being recorded, to run.capsule: one capsule at a time",
    ),
  });
  expect(readFileSync(place().file("second.capsule"), "utf8")).toBe("earlier");
  expect((await recording.stop()).code).toBe(0);
});

test.each([
  { ends: "the simulator stops", signal: "SIGTERM", code: 0 },
  { ends: "the simulator is killed", signal: "SIGKILL", code: 1 },
] as const)("when $ends the file repeats", async ({ signal, code }) => {
  const run = await used("--clock manual", "startProcess");
  const recording = place().command("record run.capsule");
  await recording.printed("recording to");
  await traffic(run);
  await run.sim.stop(signal);
  expect(await recording.ended).toMatchObject({ code });
  expect(await elsewhere(textOf())).toMatchObject({ code });
  expect(await elsewhere(textOf(), "--partial")).toMatchObject({ code: 0 });
});

test("when the recorder is killed, the file repeats and another can begin", async () => {
  const run = await used("--clock manual");
  const recording = place().command("record run.capsule");
  await recording.printed("recording to");
  await traffic(run);
  await recording.kill("SIGKILL");
  const replayed = await elsewhere(textOf(), "--partial");
  expect(replayed).toMatchObject({ code: 0 });
  const recordAgain = () =>
    place().command(["record", "again.capsule", "--", process.execPath, "-e", "0"]).ended;
  let again = await recordAgain();
  while (again.code === 1) again = await recordAgain();
  expect(again.code).toBe(0);
});

// spec/capsules.md#beginning
test("a start over earlier state is written down too", async () => {
  const run = await used("--clock manual");
  await run.sim.stop();
  const again = await place().start("--worlds open --capsule run.capsule");
  await traffic({ ...run, sim: again });
  await again.stop();
  expect(await elsewhere(textOf())).toMatchObject({
    code: 0,
    stdout: `${REQUESTS} requests repeated, no difference\n`,
  });
});
