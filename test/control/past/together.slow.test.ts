import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createRecipient, PENDING, receive } from "../../api/setup/incoming.ts";
import { until } from "../../runtime/setup/turns.ts";
import { createPayee, createPayer, quoteInput } from "../../setup/platform.ts";
import { Receiver } from "../../setup/receiver.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";

let world: TestSimulator;

beforeEach(async () => {
  world = await startTestSimulator();
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
});

const post = async (path: string, body: object = {}) => {
  const { status, body: answer } = await world.control("POST", path, body);
  expect({ status, answer }).toMatchObject({ status: expect.any(Number) });
  expect(status, JSON.stringify(answer)).toBeLessThan(300);
  return answer;
};

const rewind = (body: object) => post("/clock/rewind", body);

const clock = async () => (await world.control("GET", "/clock")).body;

const receiving = async () => {
  const receiver = await new Receiver().start();
  onTestFinished(() => receiver.stop());
  await world.call("PATCH", "/config", { webhookEndpoint: receiver.url });
  return receiver;
};

const slowPayment = async () => {
  const payer = await createPayer(world);
  const payee = await createPayee(world, payer.customerId, "003");
  const { body: quote } = await world.call("POST", "/quotes", quoteInput(payer.accountId, payee));
  const { body } = await world.call("POST", `/quotes/${quote.id}/execute`);
  return { payer, payee, quote: body };
};

describe("a rate limit", () => {
  test("counts no calls that were undone", async () => {
    await world.sim.advance("1h");
    await world.control("PUT", "/rate-limit", { limit: "2/s" });
    await world.sim.advance("1h");
    const headers = { authorization: `Basic ${btoa(`sandbox:${world.sim.clientSecret}`)}` };
    // No operation declares a 429, so the answer is not compared with the document.
    const call = async () =>
      (await world.sim.fetch(new Request(`${world.sim.apiUrl}/config`, { headers }))).status;
    expect([await call(), await call(), await call()]).toEqual([200, 200, 429]);
    await rewind({ by: "30m" });
    expect([await call(), await call(), await call()]).toEqual([200, 200, 429]);
    await world.control("POST", "/reset");
    await world.control("PUT", "/rate-limit", { limit: "2/s" });
    expect([await call(), await call(), await call()]).toEqual([200, 200, 429]);
  });
});

test("a fault of the fixture strikes again after a reset", async () => {
  const fault = { match: { nth: 1 }, fault: { status: 503 } };
  const steps = [{ request: { method: "POST", path: "/_sim/faults", body: fault } }];
  const other = await startTestSimulator({ fixture: { name: "faulty", steps } });
  onTestFinished(() => other.sim.close());
  const status = async () => (await other.call("GET", "/config")).status;
  expect([await status(), await status()]).toEqual([503, 200]);
  await other.control("POST", "/reset");
  expect([await status(), await status()]).toEqual([503, 200]);
});

describe("a clock of mode auto", () => {
  test("does not take the first read after a rewind for a repeated one", async () => {
    const { quote } = await slowPayment();
    await world.control("PUT", "/clock", { mode: "auto" });
    const path = `/transactions/${quote.transactionId}`;
    await world.sim.advance("1m");
    await world.call("GET", path);
    const { to } = await rewind({ by: "30s" });
    await world.call("GET", path);
    expect(await clock()).toMatchObject({ now: to, mode: "auto" });
  });
});

describe("a clock that runs", () => {
  test("keepClock never stands before what the snapshot has, and continues from there", async () => {
    await createPayer(world);
    await world.sim.advance("1h");
    await createPayer(world);
    await world.control("PUT", "/snapshots/later");
    await rewind({ by: "30m" });
    await world.control("PUT", "/clock", { mode: "real" });
    const { now } = await post("/snapshots/later/restore", { keepClock: true });
    expect(Date.parse(now)).toBeGreaterThanOrEqual(Date.parse("2026-01-05T10:00:00.000Z"));
    await until("time to pass", async () => Date.parse((await clock()).now) > Date.parse(now));
  });

  test("keeps its speed through a rewind", async () => {
    await createPayer(world);
    await world.control("PUT", "/clock", { mode: "real", speed: 60 });
    await world.sim.advance("1h");
    await rewind({ by: "10m" });
    expect(await clock()).toMatchObject({ mode: "real", speed: 60 });
    await world.control("PUT", "/snapshots/fast");
    await world.control("PUT", "/clock", { mode: "manual" });
    const loaded = await post("/snapshots/fast/restore");
    expect(loaded).toMatchObject({ mode: "real", speed: 60 });
    expect(await clock()).toMatchObject({ mode: "real", speed: 60 });
  });
});

describe("a wait for webhooks", () => {
  test("ends when a snapshot that is loaded has them", async () => {
    await receiving();
    const { quote } = await slowPayment();
    await world.sim.advance("10m");
    await world.control("PUT", "/snapshots/paid");
    await rewind({ before: quote.id });
    const waiting = world.control(
      "GET",
      "/webhooks/wait?type=OUTGOING_PAYMENT.COMPLETED&timeoutMs=60000",
    );
    await world.control("POST", "/snapshots/paid/restore");
    expect((await waiting).status).toBe(200);
  });
});

describe("hold", () => {
  test("an open delivery stays with the line that is undone, and its payment does not fail", async () => {
    const receiver = await receiving();
    receiver.behaviour = ({ type }, response) => void (type === PENDING || response.end());
    const recipient = await createRecipient(world);
    const { body: payment } = await receive(world, recipient);
    await until("the request", () => receiver.types().includes(PENDING));
    await world.call("PATCH", `/customers/${recipient.customerId}`, {
      customerType: "INDIVIDUAL",
      fullName: "B",
    });
    await rewind({ before: "last", hold: true });
    const { body } = await world.control("GET", "/webhooks");
    const shown = body.data.find(({ type }: { type: string }) => type === PENDING);
    expect(shown).toMatchObject({ state: "FORKED" });
    const { body: found } = await world.call("GET", `/transactions/${payment.id}`);
    expect(found.status).toBe("PENDING");
    // A resend asks again, and its answer decides.
    receiver.behaviour = (_event, response) => void response.end();
    await post(`/webhooks/${shown.id}/resend`);
    await world.sim.advance("1m");
    const { body: decided } = await world.call("GET", `/transactions/${payment.id}`);
    expect(decided.status).toBe("COMPLETED");
  });
});

describe("what a tester set", () => {
  const setNext = async () => (await world.control("GET", "/outcomes/next")).body.data;

  test("a row that was used is set again, as often as then", async () => {
    const payer = await createPayer(world);
    const payee = await createPayee(world, payer.customerId, "000");
    await post("/outcomes/next", { rule: "quotedPayment.003", times: 3 });
    const pay = async () => {
      const { body: quote } = await world.call(
        "POST",
        "/quotes",
        quoteInput(payer.accountId, payee),
      );
      return (await world.call("POST", `/quotes/${quote.id}/execute`)).headers.get(
        "x-sim-request-id",
      );
    };
    await pay();
    const second = await pay();
    expect(await setNext()).toMatchObject([{ times: 1 }]);
    await rewind({ before: second });
    expect(await setNext()).toMatchObject([{ times: 2 }]);
  });

  test.each(["a row", "a trouble", "a fault", "a timer by its shown id"])(
    "before %s",
    async (what) => {
      const { quote } = await slowPayment();
      const made = {
        "a row": async () => (await post("/outcomes/next", { rule: "quotedPayment.003" })).id,
        "a trouble": async () => (await post("/webhooks/troubles", { do: "hold" })).id,
        "a fault": async () => (await post("/faults", { fault: { status: 500 } })).id,
        "a timer by its shown id": async () => `payment.settle@${quote.transactionId.slice(-6)}`,
      }[what] as () => Promise<string>;
      const id = await made();
      const { undone } = await rewind({ before: id, dryRun: true });
      expect(undone).toMatchObject({ requests: 1 });
      await rewind({ before: id });
    },
  );

  test("a timer that was canceled waits again", async () => {
    const { quote } = await slowPayment();
    const { status } = await world.control(
      "DELETE",
      `/timers/payment.settle@${quote.transactionId}`,
    );
    expect(status).toBe(200);
    await world.sim.advance("10m");
    await rewind({ before: "last" });
    await world.sim.advance("10m");
    const { body } = await world.call("GET", `/transactions/${quote.transactionId}`);
    expect(body.status).toBe("COMPLETED");
  });

  test("a held webhook is held again, and released it is sent", async () => {
    const receiver = await receiving();
    await post("/webhooks/troubles", { do: "hold" });
    const { quote } = await slowPayment();
    await world.sim.advance("10m");
    receiver.received.length = 0;
    await rewind({ by: "1m" });
    await world.sim.advance("10s");
    expect(receiver.types()).toEqual([]);
    await post("/webhooks/release");
    await world.sim.advance("10s");
    expect(receiver.types()).toContain("OUTGOING_PAYMENT.COMPLETED");
    expect(quote.id).toBeDefined();
  });
});

describe("the log", () => {
  test("a part that is loaded again is not undone any more", async () => {
    const made = await world.call("POST", "/customers", { customerType: "INDIVIDUAL" });
    await world.sim.advance("1m");
    const later = await world.call("POST", "/customers", { customerType: "INDIVIDUAL" });
    const { snapshot } = await rewind({ by: "30s" });
    await post(`/snapshots/${snapshot}/restore`);
    const undone = async ({ headers }: typeof made) =>
      (await world.control("GET", `/requests/${headers.get("x-sim-request-id")}`)).body.undone;
    expect([await undone(made), await undone(later)]).toEqual([undefined, undefined]);
    const { body } = await world.control("GET", `/why/${later.body.id}`);
    expect(body.chain).toMatchObject([{ because: { kind: "request" } }]);
  });

  test("what was undone is told as undone, by its record and its request", async () => {
    const { headers, body } = await world.call("POST", "/customers", {
      customerType: "INDIVIDUAL",
    });
    const request = headers.get("x-sim-request-id") ?? "";
    await rewind({ before: "last" });
    for (const id of [body.id, body.id.slice(-6)]) {
      const { status, body: refused } = await world.control("GET", `/why/${id}`);
      expect({ status, message: refused.error.message, next: refused.error.next }).toEqual({
        status: 404,
        message: `${body.id} was undone by a rewind`,
        next: ["service-sim snapshot load before-rewind-1      restores it"],
      });
    }
    const again = await world.control("POST", "/clock/rewind", { before: body.id });
    expect(again.body.error.message).toBe(`${body.id} was undone by a rewind`);
    expect((await world.control("GET", `/why/${request}`)).body.ends).toBe(
      "a rewind undid what it did",
    );
  });

  test.each<[method: string, path: string, body?: (id: string) => object]>([
    ["GET", "/ids/<id>"],
    ["POST", "/timers/<id>/fire"],
    ["POST", "/timers/quote.expire@<id>/postpone", () => ({ by: "1m" })],
    ["POST", "/clock/advance", (id) => ({ until: { id, status: "APPROVED" } })],
    ["GET", "/webhooks?about=<id>"],
    ["POST", "/webhooks/troubles", (about) => ({ do: "drop", about })],
    ["POST", "/outcomes/next", (id) => ({ rule: "quotedPayment.003", for: id })],
  ])("%s %s with an id that was undone names the snapshot that has it", async (...asked) => {
    const [method, path, bodyOf] = asked;
    const { id } = (await world.call("POST", "/customers", { customerType: "INDIVIDUAL" })).body;
    await rewind({ before: "last" });
    const { status, body } = await world.control(method, path.replace("<id>", id), bodyOf?.(id));
    expect({ status, ...body.error }).toMatchObject({
      status: 404,
      code: "ID_NOT_FOUND",
      message: `${id} was undone by a rewind`,
      next: ["service-sim snapshot load before-rewind-1      restores it"],
    });
  });
});
