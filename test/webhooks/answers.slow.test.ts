import { expect, onTestFinished, test, vi } from "vitest";
import { attemptDelivery } from "../../src/webhooks/attempt.ts";
import { until } from "../runtime/setup/turns.ts";
import { fakeHostTimers, realHostTimers } from "../setup/host-timers.ts";
import { Receiver } from "../setup/receiver.ts";
import { allEnded, BALANCE_UPDATED, deliveries, fund, greetedPerTest } from "./setup/greeted.ts";

/** Enough time for a receiver on a busy machine. */
const TIMEOUT_MS = 1000;

const { world, account } = greetedPerTest({ webhookTimeoutMs: TIMEOUT_MS });

const delivered = async () => {
  await fund(world(), account());
  await allEnded(world());
  const [delivery] = await deliveries(world(), BALANCE_UPDATED);
  return delivery;
};

// spec/webhooks.md#acceptance
test.each([
  { status: 200, state: "ACCEPTED" },
  { status: 201, state: "ACCEPTED" },
  { status: 204, state: "ACCEPTED" },
  { status: 299, state: "ACCEPTED" },
  { status: 300, state: "RETRYING" },
  { status: 301, state: "RETRYING" },
  { status: 302, state: "RETRYING" },
  { status: 307, state: "RETRYING" },
  { status: 400, state: "RETRYING" },
  { status: 401, state: "RETRYING" },
  { status: 404, state: "RETRYING" },
  { status: 408, state: "RETRYING" },
  { status: 409, state: "ACCEPTED" },
  { status: 410, state: "RETRYING" },
  { status: 429, state: "RETRYING" },
  { status: 500, state: "RETRYING" },
  { status: 503, state: "RETRYING" },
])("a receiver that answers $status leaves the delivery $state", async ({ status, state }) => {
  world().receiver.behaviour = (_event, response) => {
    response.writeHead(status, { location: world().receiver.url }).end();
  };
  expect(await delivered()).toMatchObject({ state, status, attempt: 1 });
  expect(world().receiver.received).toHaveLength(1);
});

test("a redirect is not followed, only tried again", async () => {
  const elsewhere = await new Receiver().start();
  onTestFinished(() => elsewhere.stop());
  world().receiver.behaviour = (_event, response) => {
    response.writeHead(308, { location: elsewhere.url }).end();
  };
  await delivered();
  await world().control("POST", "/clock/advance", { by: "3s" });
  expect(world().receiver.received).toHaveLength(3);
  expect(elsewhere.received).toEqual([]);
});

const troubles: { what: string; behaviour: Receiver["behaviour"]; error: RegExp }[] = [
  { what: "never answers", behaviour: () => {}, error: /within 1000 ms/ },
  {
    what: "closes the connection without an answer",
    behaviour: (_event, response) => void response.socket?.destroy(),
    error: /ECONNRESET/,
  },
  {
    what: "sends a good head and then nothing",
    behaviour: (_event, response) => {
      response.writeHead(200, { "content-length": 10 });
      response.write("half");
    },
    error: /within 1000 ms/,
  },
  {
    what: "does not answer in HTTP",
    behaviour: (_event, response) => {
      response.socket?.end("hello\r\n\r\n");
    },
    error: /^the answer is not HTTP: it begins with "hello"$/,
  },
];

test.each(troubles)(
  "a receiver that $what did not take the event",
  async ({ behaviour, error }) => {
    world().receiver.behaviour = behaviour;
    const delivery = await delivered();
    expect(delivery).toMatchObject({ state: "RETRYING", status: null, attempt: 1 });
    expect(delivery.error).toMatch(error);

    world().receiver.behaviour = (_event, response) => void response.end();
    await world().control("POST", "/clock/advance", { by: "1s" });
    const [again] = await deliveries(world(), BALANCE_UPDATED);
    expect(again).toMatchObject({ state: "ACCEPTED", status: 200, attempt: 2 });
  },
);

test("a receiver that closes the connection in the middle of its answer took the event", async () => {
  world().receiver.behaviour = (_event, response) => {
    response.writeHead(200, { "content-length": 1000 });
    response.write("half", () => response.socket?.destroy());
  };
  const { id, ...delivery } = await delivered();
  expect(delivery).toMatchObject({ state: "ACCEPTED", status: 200, attempt: 1 });
  const { body } = await world().control("GET", `/webhooks/${id}`);
  expect(body.attempts[0]).toMatchObject({ status: 200, reply: "half" });
});

test("a receiver that trickles its answer is cut off when its time is over", async () => {
  world().receiver.behaviour = (_event, response) => {
    response.writeHead(200);
    const trickle = setInterval(() => response.write("."), 20);
    response.on("close", () => clearInterval(trickle));
  };
  expect(await delivered()).toMatchObject({ state: "RETRYING", status: null });
});

test("an answer without end is cut off, and its beginning kept", async () => {
  let isCut = false;
  world().receiver.behaviour = (_event, response) => {
    const pour = () => {
      while (response.write("x".repeat(65_536)));
    };
    response.on("drain", pour).on("close", () => {
      isCut = true;
    });
    pour();
  };
  const { id, state } = await delivered();
  expect(state).toBe("ACCEPTED");
  await until("the connection to be cut", () => isCut);
  const { body } = await world().control("GET", `/webhooks/${id}`);
  expect(body.attempts[0].reply).toBe("x".repeat(2048));
  expect(body.attempts[0].cut).toEqual({ reply: 65_536 });
});

test.each([
  { bytes: 2_048, cut: undefined },
  { bytes: 2_049, cut: { reply: 2_049 } },
])("an answer of $bytes bytes is shown with cut $cut", async ({ bytes, cut }) => {
  world().receiver.behaviour = (_event, response) => {
    response.writeHead(500).end(Buffer.alloc(bytes, "x"));
  };
  const { id } = await delivered();
  const { body } = await world().control("GET", `/webhooks/${id}`);
  expect(body.attempts[0].reply).toBe("x".repeat(2048));
  expect(body.attempts[0].cut).toEqual(cut);
  const again = await world().control("POST", `/webhooks/${id}/resend`, {});
  expect(again.body.cut).toEqual(cut);
  const tested = await world().call("POST", "/sandbox/webhooks/test");
  expect(tested.body.response_body).toBe("x".repeat(2048) + (cut === undefined ? "" : "…"));
});

test("an answer of 10 MB is an answer", async () => {
  world().receiver.behaviour = (_event, response) => {
    response.writeHead(500).end(Buffer.alloc(10 * 1024 * 1024, "x"));
  };
  expect(await delivered()).toMatchObject({ state: "RETRYING", status: 500 });
});

test("an attempt that has ended leaves no timer behind", async () => {
  fakeHostTimers();
  const attempt = { body: Buffer.from('{"id":"1"}'), headers: {}, timeoutMs: 30_000 };
  expect(await attemptDelivery({ ...attempt, url: world().receiver.url })).toMatchObject({
    httpStatus: 200,
  });
  const nobody = await attemptDelivery({ ...attempt, url: "http://127.0.0.1:1/" });
  expect(nobody).toMatchObject({ error: "ECONNREFUSED" });
  expect(vi.getTimerCount()).toBe(0);
  realHostTimers();
});

test("an address that no call can be made to is an answer too", async () => {
  const attempt = { body: Buffer.from("{}"), headers: {}, timeoutMs: 30_000 };
  const answer = await attemptDelivery({ ...attempt, url: "ftp://127.0.0.1/" });
  expect(answer).toMatchObject({ error: expect.any(String) });
  expect(answer).not.toHaveProperty("httpStatus");
});

test("the first 2 KiB of an answer are kept as text", async () => {
  world().receiver.behaviour = (_event, response) =>
    void response.writeHead(500).end("database down");
  const { id } = await delivered();
  const { body } = await world().control("GET", `/webhooks/${id}`);
  expect(body.attempts).toMatchObject([{ attempt: 1, status: 500, reply: "database down" }]);
});
