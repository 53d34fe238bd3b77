import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { bodyDigest, replayOf } from "../../../src/domain/core/idempotency.ts";
import { createPayee, createPayer, type Payer, quoteInput } from "../../setup/platform.ts";
import { Receiver } from "../../setup/receiver.ts";
import type { Answer } from "../../setup/test-simulator.ts";
import { balanceOf, goTo } from "../setup/told.ts";
import { expectUntouched } from "../setup/untouched.ts";
import { worldPerTest } from "../setup/world-per-test.ts";

const world = worldPerTest();
let receiver: Receiver;
let payer: Payer;
let payee: string;
let usual: ReturnType<typeof quoteInput>;

beforeEach(async () => {
  receiver = await new Receiver().start();
  await world().call("PATCH", "/config", { webhookEndpoint: receiver.url });
  payer = await createPayer(world());
  payee = await createPayee(world(), payer.customerId, "003");
  usual = quoteInput(payer.accountId, payee);
});

afterEach(() => receiver.stop());

const untouched = (act: () => Promise<unknown>) =>
  expectUntouched({ world: world(), receiver }, act);

const keyed = (path: string, key: string, body?: object): Promise<Answer> =>
  world().raw("POST", path, {
    headers: {
      "idempotency-key": key,
      ...(body && { "content-type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });

/** Bodies other than a key's first one, valid and invalid (spec/idempotency.md#another-body). */
const OTHER_BODIES: { says: string; change: () => object }[] = [
  { says: "another amount", change: () => ({ lockedCurrencyAmount: 99_000 }) },
  { says: "an amount that is refused", change: () => ({ lockedCurrencyAmount: -1 }) },
  { says: "an amount above all bounds", change: () => ({ lockedCurrencyAmount: 1e20 }) },
  { says: "execution at once", change: () => ({ immediatelyExecute: true }) },
  { says: "the other side", change: () => ({ lockedCurrencySide: "RECEIVING" }) },
  { says: "an unknown payee", change: () => quoteInput(payer.accountId, "ExternalAccount:none") },
  { says: "source and payee swapped", change: () => quoteInput(payee, payer.accountId) },
  { says: "no source", change: () => ({ source: undefined }) },
];

describe("a repeated key with another body", () => {
  test.each(OTHER_BODIES)("does nothing and answers as first: $says", async ({ change }) => {
    const first = await keyed("/quotes", "k1", usual);
    expect(first.status).toBe(201);
    await untouched(async () => {
      const again = await keyed("/quotes", "k1", { ...usual, ...change() });
      expect({ status: again.status, body: again.body }).toEqual({
        status: 201,
        body: first.body,
      });
    });
  });

  test.each(OTHER_BODIES)("keeps a first refusal too: $says after it", async ({ change }) => {
    const first = await keyed("/quotes", "k1", { ...usual, lockedCurrencyAmount: 0 });
    expect(first.body).toMatchObject({ status: 400, code: "INVALID_AMOUNT" });
    await untouched(async () => {
      for (const body of [usual, { ...usual, ...change() }]) {
        const again = await keyed("/quotes", "k1", body);
        expect({ status: again.status, body: again.body }).toEqual({
          status: 400,
          body: first.body,
        });
      }
    });
  });
});

describe("a repeated execution under its key", () => {
  test("takes the money once, and says what it said first", async () => {
    const { body: quote } = await world().call("POST", "/quotes", usual);
    const path = `/quotes/${quote.id}/execute`;
    const first = await keyed(path, "k1");
    expect(first).toMatchObject({ status: 200, body: { status: "PROCESSING" } });
    await goTo(world(), "09:06:00.000");
    await untouched(async () => {
      for (const body of [undefined, { initialWorld: "of" }]) {
        const again = await keyed(path, "k1", body);
        expect({ status: again.status, body: again.body }).toEqual({
          status: 200,
          body: first.body,
        });
      }
    });
    expect(await balanceOf(world(), payer.accountId)).toBe(975_000);
    expect((await world().call("GET", `/quotes/${quote.id}`)).body.status).toBe("COMPLETED");
  });

  test("stays refused although the money is there now; another key gets it done", async () => {
    const { call } = world();
    const { body: quote } = await call("POST", "/quotes", {
      ...usual,
      lockedCurrencyAmount: 1_000_001,
    });
    const path = `/quotes/${quote.id}/execute`;
    const first = await keyed(path, "k1");
    expect(first.body).toMatchObject({ status: 400, reason: "INSUFFICIENT_BALANCE" });
    await call("POST", `/sandbox/internal-accounts/${payer.accountId}/fund`, { amount: 1 });
    await untouched(async () => expect((await keyed(path, "k1")).body).toEqual(first.body));
    expect((await keyed(path, "k2")).status).toBe(200);
    expect(await balanceOf(world(), payer.accountId)).toBe(0);
  });

  test("stays refused although its account is active again", async () => {
    const { body: quote } = await world().call("POST", "/quotes", usual);
    const path = `/quotes/${quote.id}/execute`;
    const account = `/internal-accounts/${payer.accountId}`;
    await world().control("PATCH", account, { status: "FROZEN" });
    const first = await keyed(path, "k1");
    expect(first.body).toMatchObject({ status: 400, reason: "ACCOUNT_NOT_ACTIVE" });
    await world().control("PATCH", account, { status: "ACTIVE" });
    await untouched(async () => expect((await keyed(path, "k1")).body).toEqual(first.body));
  });
});

test("a key first used for one thing is new for every other", async () => {
  const { body: quote } = await keyed("/quotes", "k1", usual);
  expect(await keyed(`/quotes/${quote.id}/execute`, "k1")).toMatchObject({ status: 200 });
  expect((await keyed("/quotes", "K1", usual)).body.id).not.toBe(quote.id);
  const path = `/sandbox/internal-accounts/${payer.accountId}/fund`;
  for (const balance of [975_001, 975_002])
    expect(await keyed(path, "k1", { amount: 1 })).toMatchObject({
      status: 200,
      body: { balance: { amount: balance } },
    });
});

describe("a repeated key is reported", () => {
  const logged = async ({ headers }: Answer) => {
    const id = headers.get("x-sim-request-id") ?? "";
    const { body: request } = await world().control("GET", `/requests/${id}`);
    const { body: list } = await world().control("GET", "/requests?limit=100");
    const { body: story } = await world().control("GET", `/why/${id}`);
    const listed = list.data.find((one: { id: string }) => one.id === id);
    expect(listed.replay).toEqual(request.replay);
    expect(story.replay).toEqual(request.replay);
    return { id, replay: request.replay };
  };

  test("with the request that it repeats, and that the body differed", async () => {
    const first = await logged(await keyed("/quotes", "k1", usual));
    expect(first.replay).toBeUndefined();
    const other = { ...usual, lockedCurrencyAmount: 99_000 };
    const { replay } = await logged(await keyed("/quotes", "k1", other));
    expect(replay).toEqual({ of: first.id, bodyDiffered: true });
  });

  test("without a word about the body where it says the same in another order", async () => {
    const first = await logged(await keyed("/quotes", "k1", usual));
    const reversed = Object.fromEntries(Object.entries(usual).reverse());
    expect((await logged(await keyed("/quotes", "k1", reversed))).replay).toEqual({ of: first.id });
  });

  test("when the first answer was a refusal, too", async () => {
    const refused = { ...usual, lockedCurrencyAmount: 0 };
    const first = await logged(await keyed("/quotes", "k1", refused));
    expect((await logged(await keyed("/quotes", "k1", refused))).replay).toEqual({ of: first.id });
    expect((await logged(await keyed("/quotes", "k1", usual))).replay).toEqual({
      of: first.id,
      bodyDiffered: true,
    });
  });

  test("when both came at once", async () => {
    const other = { ...usual, lockedCurrencyAmount: 99_000 };
    const answers = await Promise.all([
      keyed("/quotes", "k1", usual),
      keyed("/quotes", "k1", other),
    ]);
    const [first, second] = [await logged(answers[0]), await logged(answers[1])];
    expect(first.replay).toBeUndefined();
    expect(second.replay).toEqual({ of: first.id, bodyDiffered: true });
  });

  test("unless it was stored before this was kept", () => {
    const old = { id: "Replay:1", key: "k", atMs: 0, status: 201, text: "{}" };
    expect(replayOf(old, {})).toBeUndefined();
    expect(replayOf({ ...old, requestId: "req-1-1", bodyDigest: bodyDigest({}) }, {})).toEqual({
      of: "req-1-1",
    });
  });
});
