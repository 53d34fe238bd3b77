import { expect, test } from "vitest";
import { judgeDelivery, knownKeysOf } from "../../../src/cli/tasks/signature-evidence.ts";
import { CHECKS, type Check } from "../../setup/verifying-receiver.ts";
import { labWorldPerTest } from "../setup/lab-world.ts";

const world = labWorldPerTest({ webhookSignature: "json" });

const WRAPPED = /^\{"v":"1","s":"[A-Za-z0-9+/]+={0,2}"\}$/;

const triggered = async () => {
  const { body } = await world().control("POST", "/webhooks/trigger", { type: "TEST" });
  return body.id as string;
};

test("the header is JSON with the version and the signature, and verifies", async () => {
  world().receiver.check = CHECKS.wantsWrapper;
  const id = await triggered();
  const { body } = await world().control("GET", `/webhooks/${id}`);
  expect(body.headers["X-Service-Signature"]).toMatch(WRAPPED);
  expect(body).toMatchObject({ status: 200, signature: { valid: true } });
});

test("sent again it is the same header", async () => {
  const id = await triggered();
  const first = world().receiver.judged.at(-1)?.header;
  await world().control("POST", `/webhooks/${id}/resend`);
  expect(first).toMatch(WRAPPED);
  expect(world().receiver.judged.at(-1)?.header).toBe(first);
});

test("a receiver that unwraps it is fine, one that does not is told so", async () => {
  world().receiver.check = CHECKS.wantsWrapper;
  expect((await world().control("POST", "/webhooks/check")).body).toMatchObject({ ok: true });
  world().receiver.check = CHECKS.right;
  expect((await world().control("POST", "/webhooks/check")).body).toMatchObject({
    ok: false,
    diagnosis: {
      code: "JSON_WRAPPER",
      message: "accepts a delivery made as if the signature is not wrapped in JSON",
    },
  });
  const unwraps: Check = (header, body, pem) =>
    CHECKS.addsLineEnd(JSON.parse(header).s ?? "", body, pem);
  world().receiver.check = (...delivery) => {
    try {
      return unwraps(...delivery);
    } catch {
      return false;
    }
  };
  expect((await world().control("POST", "/webhooks/check")).body).toMatchObject({
    ok: false,
    diagnosis: { code: "TRAILING_NEWLINE" },
  });
});

test("the doctor takes the wrapper for what it is, and for a mistake where none is sent", async () => {
  await triggered();
  const { header = "", body = Buffer.alloc(0) } = world().receiver.judged[0] ?? {};
  const { body: keys } = await world().control("GET", "/webhooks/keys");
  const judge = (form: "base64" | "json") => {
    const known = knownKeysOf({ ...keys, form }, undefined);
    if (!known) throw new Error("Expected keys but found none");
    return judgeDelivery({ header, body }, known, undefined);
  };
  expect(keys.form).toBe("json");
  expect(judge("json").ok).toBe(true);
  expect(judge("base64")).toMatchObject({ ok: false, diagnosis: { code: "JSON_WRAPPER" } });
});
