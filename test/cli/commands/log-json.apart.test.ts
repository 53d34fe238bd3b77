import { expect, test } from "vitest";
import type { Parsed } from "../../setup/test-simulator.ts";
import { benchPerTest } from "../setup/place-per-test.ts";

const place = benchPerTest();

const linesOf = (stdout: string): Parsed[] =>
  stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

test("--log json writes each event as a line of JSON, secrets left out", async () => {
  const env = { SERVICE_SIM_LOG: "json" };
  const started = place().command(
    "start --port 0 --storage memory: --clock manual --seed 7 --client-secret hidden-words-of-mine",
    { env },
  );
  await started.printed('"ready"');
  const customer = await place().run("api POST /customers customerType=INDIVIDUAL --json");
  expect(customer.code).toBe(0);
  expect((await place().run("status")).code).toBe(0);
  const { code, stdout, stderr } = await started.kill();
  expect(code).toBe(0);
  expect(stderr).not.toContain("POST");
  const lines = linesOf(stdout);
  expect(lines[0]).toEqual({
    event: "ready",
    at: expect.any(String),
    apiUrl: expect.stringMatching(/^http:/),
    controlUrl: expect.stringMatching(/\/_sim$/),
    port: expect.any(Number),
    pid: started.pid,
    clientId: "sandbox",
    version: expect.any(String),
  });
  expect(lines).toContainEqual(
    expect.objectContaining({
      event: "request",
      method: "POST",
      path: "/customers",
      operation: "createCustomer",
      status: 201,
    }),
  );
  expect(lines.some(({ isControl }) => isControl)).toBe(false);
  expect(lines.at(-1)).toEqual({ event: "stopped" });
  expect(stdout).not.toContain("hidden-words-of-mine");
});

test("it tells of timers, of collected webhooks and, with --verbose, of control calls", async () => {
  const simulator = await place().startProcess(
    "--storage memory: --clock manual --fixture payouts-demo --log json --verbose",
  );
  await simulator.control("POST", "/clock/advance", { by: "6m" });
  const { stdout } = await simulator.stop();
  const lines = linesOf(stdout);
  expect(lines).toContainEqual({
    event: "timer",
    op: "fired",
    timer: expect.stringMatching(/^[a-z]+\.[a-z]+$/),
    subject: expect.any(String),
    at: expect.any(String),
    from: expect.any(String),
    to: expect.any(String),
    rule: expect.stringMatching(/^[a-zA-Z]+\./),
  });
  expect(lines).toContainEqual(
    expect.objectContaining({
      event: "delivery",
      type: "OUTGOING_PAYMENT.PENDING",
      status: null,
      state: "UNDELIVERABLE",
      collected: true,
    }),
  );
  expect(lines).toContainEqual(
    expect.objectContaining({ path: "/_sim/clock/advance", isControl: true }),
  );
});

test("another form is refused with the forms there are", async () => {
  const { code, stderr } = await place().run("start --log xml");
  expect([code, stderr]).toEqual([2, expect.stringContaining("json")]);
});

test("a collected webhook printed --raw says on stderr that it is not signed", async () => {
  const simulator = await place().startProcess("--clock manual");
  await simulator.call("POST", "/customers", { customerType: "INDIVIDUAL" });
  const accounts = await simulator.call("GET", "/customers/internal-accounts?currency=USD");
  const [account] = accounts.body.data;
  await simulator.call("POST", `/sandbox/internal-accounts/${account.id}/fund`, { amount: 5 });
  const { body } = await simulator.control("GET", "/webhooks");
  const { stdout, stderr } = await place().run(`webhooks show ${body.data[0].id} --raw`);
  expect(stdout).toMatch(/^content-type: application\/json\n\n\{/);
  expect(stderr).toContain("not signed: it was never sent; each attempt is signed when it is made");
});
