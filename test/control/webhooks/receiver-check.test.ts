import { expect, test } from "vitest";
import { CHECKS } from "../../setup/verifying-receiver.ts";
import { deadUrl } from "../../webhooks/setup/greeted.ts";
import { labWorldPerTest } from "../setup/lab-world.ts";

const world = labWorldPerTest();

const check = async () => (await world().control("POST", "/webhooks/check")).body;

test("a receiver that verifies is fine", async () => {
  expect(await check()).toEqual({
    ok: true,
    checks: [
      {
        check: "good",
        ok: true,
        expected: "2xx or 409",
        found: "200, accepted it",
        id: expect.any(String),
      },
      {
        check: "tampered",
        ok: true,
        expected: "4xx except 409",
        found: "401, rejected it",
        id: expect.any(String),
      },
      {
        check: "foreign key",
        ok: true,
        expected: "4xx except 409",
        found: "401, rejected it",
        id: expect.any(String),
      },
    ],
  });
  expect(world().receiver.events.map(({ type }) => type)).toEqual(["TEST", "TEST", "TEST"]);
});

test.each([
  { makes: "indents", code: "BODY_RESERIALISED" },
  { makes: "spaces", code: "BODY_RESERIALISED" },
  { makes: "addsLineEnd", code: "TRAILING_NEWLINE" },
  { makes: "wantsRaw", code: "RAW_SIGNATURE" },
  { makes: "wantsWrapper", code: "JSON_WRAPPER" },
  { makes: "hashesTwice", code: "DOUBLE_HASH" },
  { makes: "never", code: "NOT_VERIFIED" },
  { makes: "cutsHeader", code: "REFUSES_GOOD" },
] as const)("a receiver that $makes is told $code", async ({ makes, code }) => {
  world().receiver.check = CHECKS[makes];
  const body = await check();
  expect(body).toMatchObject({ ok: false, diagnosis: { code } });
  expect(body.diagnosis.fix).toBeTruthy();
});

test("a receiver that has the key of before is told so", async () => {
  await world().control("POST", "/webhooks/keys/rotate");
  expect(await check()).toMatchObject({ ok: false, diagnosis: { code: "WRONG_KEY" } });
});

test("a receiver that falls over what is wrong is told that this is no refusal", async () => {
  world().receiver.refusal = 500;
  expect(await check()).toMatchObject({
    ok: false,
    checks: [{ ok: true }, { ok: false }, { ok: false }],
    diagnosis: { code: "NO_REFUSAL" },
  });
});

test("a receiver that is not there is not reached", async () => {
  await world().call("PATCH", "/config", { webhookEndpoint: await deadUrl() });
  expect(await check()).toMatchObject({ ok: false, diagnosis: { code: "NOT_REACHED" } });
});

test("without an endpoint there is nobody to look at", async () => {
  await world().call("PATCH", "/config", { webhookEndpoint: null });
  expect((await check()).error.code).toBe("WEBHOOK_ENDPOINT_NOT_SET");
});
