import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { formatForwarded } from "../../../src/cli/commands/webhooks/listen.ts";
import { type RunningCli, type Started, waitUntil } from "../../setup/cli.ts";
import { Receiver } from "../../setup/receiver.ts";
import { VerifyingReceiver } from "../../setup/verifying-receiver.ts";
import { styleAt } from "../setup/styles.ts";
import { Workbench } from "../setup/workbench.ts";

let place: Workbench;
let simulator: RunningCli;
let first: Receiver;
let second: VerifyingReceiver;

const START = "--clock manual --seed 7 --storage file:state";
const KEPT = { env: { SERVICE_SIM_STORAGE: "file:state" } };

const trigger = (type = "TEST") => simulator.control("POST", "/webhooks/trigger", { type });

const linesOf = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

const listen = async (more = ""): Promise<Started> => {
  const words = `webhooks listen --forward-to ${second.url} --json ${more}`;
  const started = place.command(words, KEPT);
  await started.printed('"ready"');
  return started;
};

const came = (count: number) =>
  waitUntil(`${count} deliveries`, () => second.judged.length >= count);

beforeEach(async () => {
  place = new Workbench();
  first = await new Receiver().start();
  second = await new VerifyingReceiver().start();
  simulator = await place.start(`${START} --webhook-endpoint ${first.url}`, KEPT);
  second.publicPem = (await simulator.control("GET", "/webhooks/key")).body;
});

afterEach(async () => {
  await place.close();
  await first.stop();
  await second.stop();
});

describe("listen", () => {
  // spec/webhooks.md#forwarding
  test("forwards what is sent in the session: same bytes, same header; Ctrl-C exits 0", async () => {
    await trigger();
    const started = await listen();
    await trigger("card.state_change");
    await trigger("CUSTOMER.KYC_APPROVED");
    await came(2);
    const [, ...sent] = first.received;
    expect(second.judged).toMatchObject(
      sent.map(({ body, signature }) => ({ body: Buffer.from(body), header: signature })),
    );
    expect(second.statuses).toEqual([200, 200]);
    await started.printed("CUSTOMER.KYC_APPROVED");
    const { code, stdout } = await started.kill("SIGINT");
    const documents = linesOf(stdout);
    expect(code).toBe(0);
    expect(documents.map(({ event }) => event)).toEqual([
      "ready",
      "forwarded",
      "forwarded",
      "stopped",
    ]);
    expect(documents[1]).toMatchObject({ type: "card.state_change", status: 200, attempt: 1 });
    expect(documents[3]).toMatchObject({ forwarded: 2, taken: 2 });
  });

  test("continues when the second place fails, and says how", async () => {
    const started = await listen();
    second.answer = 500;
    await trigger();
    await came(1);
    await second.stop();
    await trigger("card.state_change");
    await started.printed("card.state_change");
    const { code, stdout } = await started.kill("SIGINT");
    expect(code).toBe(0);
    expect(linesOf(stdout)).toMatchObject([
      { event: "ready" },
      { status: 500 },
      { error: "ECONNREFUSED" },
      { forwarded: 2, taken: 0 },
    ]);
  });

  test("forwards only the types that are wanted", async () => {
    const started = await listen("--types card.state_change,TEST");
    for (const type of ["CUSTOMER.KYC_APPROVED", "card.state_change", "TEST"]) await trigger(type);
    await came(2);
    expect(second.events.map(({ type }) => type)).toEqual(["card.state_change", "TEST"]);
    await started.kill("SIGINT");
  });

  test("forwards each attempt, what is wrong on purpose too", async () => {
    const started = await listen();
    await simulator.control("POST", "/webhooks/vectors", { vector: "duplicate" });
    await simulator.control("POST", "/webhooks/vectors", { vector: "wrong-key" });
    await came(3);
    expect(second.statuses).toEqual([200, 409, 401]);
    expect(second.judged.map(({ header }) => header)).toEqual(
      first.received.map(({ signature }) => signature),
    );
    await started.kill("SIGINT");
  });

  test("forwards what had no endpoint to go to, signed", async () => {
    await simulator.call("PATCH", "/config", { webhookEndpoint: null });
    const started = await listen();
    const { body: customer } = await simulator.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
    });
    const path = `/customers/internal-accounts?customerId=${customer.id}&currency=USD`;
    const account = (await simulator.call("GET", path)).body.data[0].id;
    await simulator.call("POST", `/sandbox/internal-accounts/${account}/fund`, { amount: 100 });
    await came(1);
    expect(second.statuses).toEqual([200]);
    expect(second.events[0].type).toBe("INTERNAL_ACCOUNT.BALANCE_UPDATED");
    const state = async () =>
      (await simulator.control("GET", "/webhooks?limit=1")).body.data[0].state;
    await waitUntil("the acceptance", async () => (await state()) === "ACCEPTED");
    expect((await simulator.control("GET", "/webhooks/ids?failed=true")).body.data).toEqual([]);
    expect(second.events).toHaveLength(1);
    await started.kill("SIGINT");
  });

  test("continues when the simulator comes back, also on another port", async () => {
    const started = await listen();
    await trigger();
    await came(1);
    await simulator.stop();
    await waitUntil("a note", () => started.errors.includes("waiting for it"));
    simulator = await place.start(
      `${START.replace("--seed 7", "")} --webhook-endpoint ${first.url}`,
      KEPT,
    );
    await trigger("card.state_change");
    await came(2);
    expect(second.events.map(({ type }) => type)).toEqual(["TEST", "card.state_change"]);
    expect(second.statuses).toEqual([200, 200]);
    expect((await started.kill("SIGINT")).code).toBe(0);
  });
});

test.each([
  ["webhooks listen", 2],
  ["webhooks listen --forward-to nowhere", 2],
  ["webhooks listen --forward-to ftp://127.0.0.1/", 2],
  ["webhooks listen --forward-to http://127.0.0.1:1/ --types NONE", 2],
])("%s exits %s", async (words, code) => {
  expect((await place.run(words, KEPT)).code).toBe(code);
});

test("without a simulator it exits 3", async () => {
  const { code } = await place.run("webhooks listen --forward-to http://127.0.0.1:1/", {
    env: { SERVICE_SIM_STORAGE: "file:nowhere" },
  });
  expect(code).toBe(3);
});

test("a line says when, what, how it was answered, and which", async () => {
  const forwarded = {
    id: "Webhook:019b8d68-27a0-7000-8000-c12f910c41d8",
    type: "OUTGOING_PAYMENT.COMPLETED",
    attempt: 1,
    at: "2026-01-05T09:06:12.000Z",
    tookMs: 9,
  } as const;
  const style = await styleAt(80);
  expect(formatForwarded({ ...forwarded, status: 500 }, style)).toBe(
    "09:06:12 > OUTGOING_PAYMENT.COMPLETED        ✗ 500     9 ms      Webhook:…0c41d8",
  );
  expect(formatForwarded({ ...forwarded, error: "ECONNREFUSED" }, style)).toContain(
    "✗ ECONNREFUSED",
  );
});
