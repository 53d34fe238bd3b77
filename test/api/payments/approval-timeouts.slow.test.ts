import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SimulatorOptions } from "../../../src/simulator.ts";
import { until } from "../../runtime/setup/turns.ts";
import { fakeHostTimers, realHostTimers } from "../../setup/host-timers.ts";
import { type Behaviour, Receiver } from "../../setup/receiver.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import {
  answering,
  createRecipient,
  greet,
  PENDING,
  type Recipient,
  receive,
  toldBy,
} from "../setup/incoming.ts";
import { goTo, ledgerOwn } from "../setup/told.ts";

let world: TestSimulator;
let receiver: Receiver;
let recipient: Recipient;

const open = async (options: SimulatorOptions) => {
  world = await startTestSimulator(options);
  recipient = await createRecipient(world);
  await greet(world, receiver);
};

beforeEach(async () => {
  receiver = await new Receiver().start();
});

afterEach(async () => {
  realHostTimers();
  expect(world.alarms).toEqual([]);
  await world.sim.close();
  await receiver.stop();
});

const statusOf = async (id: string) => (await world.call("GET", `/transactions/${id}`)).body;

const TIMED_OUT = { status: "FAILED", failureReason: "PAYMENT_APPROVAL_TIMED_OUT" };

const LATE: { says: string; answer: Behaviour }[] = [
  { says: "never answers", answer: () => {} },
  {
    says: "says 200 and never comes to an end",
    answer: (_event, response) => {
      response.writeHead(200, { "content-length": 10 });
      response.write("half");
    },
  },
  {
    says: "trickles its answer",
    answer: (_event, response) => {
      response.writeHead(200);
      const trickle = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(trickle));
    },
  },
];

test.each(LATE)(
  "a receiver that $says makes the approval of the payment time out",
  async ({ answer }) => {
    await open({ webhookTimeoutMs: 200 });
    receiver.behaviour = answering(answer);
    const { body: payment } = await receive(world, recipient);
    await goTo(world, "09:00:10.000");
    expect(await statusOf(payment.id)).toMatchObject(TIMED_OUT);
    expect(toldBy(receiver)).toEqual([
      ["09:00:10.000", "PENDING", "PENDING"],
      ["09:00:10.000", "FAILED", "FAILED"],
    ]);
    expect(await ledgerOwn(world)).toEqual({});
    const { body } = await world.control("GET", `/webhooks?type=${PENDING}`);
    expect(body.data).toMatchObject([
      {
        state: "GIVEN_UP",
        attempt: 1,
        error: expect.stringMatching(/^no complete answer within 200 ms/),
      },
    ]);
    const { body: story } = await world.control("GET", `/why/${payment.id}`);
    expect(JSON.stringify(story.chain)).toContain('"rule":"approval.timeout"');
  },
);

test.each([{}, { webhookTimeoutMs: 600_000 }])(
  "a receiver has 5 seconds of system time, even with %j",
  async (options) => {
    await open(options);
    receiver.behaviour = answering(() => {});
    fakeHostTimers();
    const { body: payment } = await receive(world, recipient);
    await until("the request", () => receiver.types().includes(PENDING));
    vi.advanceTimersByTime(4_999);
    expect((await statusOf(payment.id)).status).toBe("PENDING");
    vi.advanceTimersByTime(1);
    await until("the payment to end", async () => (await statusOf(payment.id)).status === "FAILED");
    expect(await statusOf(payment.id)).toMatchObject(TIMED_OUT);
  },
);

test("every other event has the configured timeout", async () => {
  await open({ webhookTimeoutMs: 7_000 });
  receiver.behaviour = (event, response) => {
    if (event.type === PENDING) response.end();
  };
  fakeHostTimers();
  const { body: payment } = await receive(world, recipient);
  await until("both", () => receiver.types().length === 3);
  const waiting = async () => (await world.control("GET", "/status")).body.webhooks;
  vi.advanceTimersByTime(6_999);
  expect((await statusOf(payment.id)).status).toBe("COMPLETED");
  expect(await waiting()).toMatchObject({ waiting: 2 });
  vi.advanceTimersByTime(1);
  await until("both to end", async () => (await waiting()).waiting === 0);
});
