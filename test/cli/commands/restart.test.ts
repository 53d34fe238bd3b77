import { expect, test } from "vitest";
import { benchPerTest } from "../setup/place-per-test.ts";
import { sendSlowPayment } from "../setup/slow-payment.ts";

const place = benchPerTest();

test("a restart continues with records, credentials, webhook key and seed", async () => {
  const first = await place().start("--clock manual --seed 7");
  const { id, transactionId } = await sendSlowPayment(first);
  const read = async ({ call, control }: typeof first) => ({
    quote: await call("GET", `/quotes/${id}`),
    transaction: await call("GET", `/transactions/${transactionId}`),
    timers: await control("GET", "/timers"),
    ledger: await control("GET", "/ledger"),
    key: await control("GET", "/webhooks/key"),
  });
  const before = await read(first);
  expect(before).toMatchObject({
    quote: { status: 200, body: { status: "PROCESSING" } },
    timers: { body: { data: [{ timer: "payment.settle", inMs: 360_000 }] } },
  });
  await first.stop();

  const second = await place().start();
  expect(second.ready).toMatchObject({
    clientId: first.ready.clientId,
    clientSecret: first.ready.clientSecret,
  });
  expect(await read(second)).toEqual(before);
  expect((await second.control("GET", "/status")).body).toMatchObject({ seed: "7" });
  expect(await place().run("advance 6m")).toMatchObject({ code: 0 });
  expect(await second.call("GET", `/quotes/${id}`)).toMatchObject({
    body: { status: "COMPLETED" },
  });
});

test("a manual clock stands after a restart where it was left", async () => {
  const first = await place().start("--clock manual --now 2026-01-05T09:00:00Z");
  expect(await place().run("advance 1h30m")).toMatchObject({ code: 0 });
  await first.stop();

  const { control } = await place().start();
  expect((await control("GET", "/clock")).body).toEqual({
    now: "2026-01-05T10:30:00.000Z",
    mode: "manual",
    aheadMs: expect.any(Number),
  });
});

test("a real clock continues after a restart as far ahead of the wall as it was", async () => {
  const first = await place().start();
  await place().run("advance 7d");
  await first.stop();

  const { control } = await place().start();
  const { body } = await control("GET", "/clock");
  expect(body).toMatchObject({ mode: "real" });
  expect(Math.round(body.aheadMs / 1000)).toBe(604_800);
});

test("memory is forgotten", async () => {
  const first = await place().start("--storage memory: --clock manual");
  const { id } = await sendSlowPayment(first);
  await first.stop();

  const second = await place().start("--storage memory:");
  expect(second.ready.clientSecret).not.toBe(first.ready.clientSecret);
  expect(await second.call("GET", `/quotes/${id}`)).toMatchObject({ status: 404 });
});
