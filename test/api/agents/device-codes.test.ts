import { beforeEach, describe, expect, test } from "vitest";
import { connectAgent, createAgent, GENEROUS } from "../../setup/agents.ts";
import { createPayer } from "../../setup/platform.ts";
import { expectNothing, expectRefused, invalid } from "../setup/refused.ts";
import { goTo } from "../setup/told.ts";
import { preparedOnce, worldPerTest } from "../setup/world-per-test.ts";

const NOT_FOUND = { status: 404, code: "REFERENCE_NOT_FOUND" };
const UNAUTHORIZED = { status: 401, code: "UNAUTHORIZED" };
const EXPIRED = invalid("code", "DEVICE_CODE_EXPIRED");
const REDEEMED = invalid("code", "DEVICE_CODE_ALREADY_REDEEMED");

const world = worldPerTest();
let customerId: string;
let agentId: string;
let code: string;

const madePayer = preparedOnce((one) => createPayer(one, 0));

beforeEach(async () => {
  ({ customerId } = await madePayer(world()));
  const made = await createAgent(world(), customerId);
  agentId = made.agent.id;
  code = made.deviceCode.code;
});

/** Redeems without credentials: the code is the proof (spec/agents.md#redeem). */
const redeem = (which = code) =>
  world().raw("POST", `/agents/device-codes/${which}/redeem`, { headers: { authorization: "" } });

const status = (which = code) => world().call("GET", `/agents/device-codes/${which}/status`);
const regenerate = () => world().call("POST", `/agents/${agentId}/device-codes`);
const me = (token: string) =>
  world().raw("GET", "/agents/me", { headers: { authorization: `Bearer ${token}` } });

describe("a device code", () => {
  test("is redeemed without credentials, and its status shows it", async () => {
    expect((await status()).body).toEqual({ code, redeemed: false });
    await goTo(world(), "09:01:00.000");
    const answer = await redeem();
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      agentId,
      agentName: "Invoice bot",
      accessToken: expect.stringMatching(/^[a-z]+_[0-9a-f]{40}$/),
      policy: GENEROUS,
    });
    expect((await status()).body).toEqual({ code, redeemed: true });
    expect((await world().call("GET", `/agents/${agentId}`)).body).toMatchObject({
      isConnected: true,
      createdAt: "2026-01-05T09:00:00.000Z",
      updatedAt: "2026-01-05T09:01:00.000Z",
    });
    const own = await me(answer.body.accessToken);
    expect([own.status, own.body.id]).toEqual([200, agentId]);
  });

  test("is redeemed once", async () => {
    const { body } = await redeem();
    await expectNothing(world(), () => redeem(), REDEEMED);
    await goTo(world(), "09:15:00.000");
    await expectNothing(world(), () => redeem(), REDEEMED);
    expect((await me(body.accessToken)).status).toBe(200);
  });

  test("is redeemed by one of several concurrent calls", async () => {
    const answers = await Promise.all([redeem(), redeem(code.toLowerCase()), redeem()]);
    expect(answers.map((one) => one.status).sort()).toEqual([200, 400, 400]);
  });

  test("is matched in any case, and always shown in capitals", async () => {
    const lower = code.toLowerCase();
    expect((await status(lower)).body).toEqual({ code, redeemed: false });
    expect((await redeem(lower)).status).toBe(200);
    expect((await status(lower)).body).toEqual({ code, redeemed: true });
    expectRefused(await redeem(), REDEEMED);
  });

  test.each([
    { at: "09:14:59.999", is: 200 },
    { at: "09:15:00.000", is: 400 },
    { at: "09:15:00.001", is: 400 },
  ])("redeemed at $at gets $is", async ({ at, is }) => {
    await goTo(world(), at);
    const answer = await redeem();
    expect(answer.status).toBe(is);
    if (is === 400) expectRefused(answer, EXPIRED);
    expect((await status()).body).toEqual({ code, redeemed: is === 200 });
  });

  test("that is unknown has no status and cannot be redeemed", async () => {
    for (const unknown of ["none", "SERVICE-AGENT-AAAA-AAAA", agentId]) {
      expectRefused(await status(unknown), NOT_FOUND);
      expectRefused(await redeem(unknown), NOT_FOUND);
    }
    expect((await redeem("none")).body.details).toMatchObject({ resource: "DeviceCode" });
  });

  test("shows its status to the platform alone", async () => {
    const path = `/agents/device-codes/${code}/status`;
    for (const authorization of ["", "Bearer agt_0"])
      expectRefused(await world().raw("GET", path, { headers: { authorization } }), UNAUTHORIZED);
  });
});

// spec/agents.md#new-device-code
describe("a new device code", () => {
  test("replaces the one before", async () => {
    await goTo(world(), "09:10:00.000");
    const { status: created, body } = await regenerate();
    expect([created, body]).toEqual([
      201,
      {
        code: expect.stringMatching(/^SERVICE-AGENT-[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/),
        agentId,
        expiresAt: "2026-01-05T09:25:00.000Z",
        redeemed: false,
      },
    ]);
    expect(body.code).not.toBe(code);
    expectRefused(await status(), NOT_FOUND);
    expectRefused(await redeem(), NOT_FOUND);
    expect((await redeem(body.code)).status).toBe(200);
  });

  test("is made after the one before expired, without a change of the agent", async () => {
    await goTo(world(), "09:15:00.000");
    const { body } = await regenerate();
    expectRefused(await redeem(), NOT_FOUND);
    expect((await world().call("GET", `/agents/${agentId}`)).body.updatedAt).toBe(
      "2026-01-05T09:00:00.000Z",
    );
    expect((await redeem(body.code)).status).toBe(200);
  });

  test("is refused for a connected agent, paused or not", async () => {
    await redeem();
    const refused = { status: 409, code: "CONFLICT", reason: "AGENT_ALREADY_CONNECTED" };
    await expectNothing(world(), regenerate, refused);
    await world().call("PATCH", `/agents/${agentId}`, { isPaused: true });
    await expectNothing(world(), regenerate, refused);
    const { agent } = await createAgent(world(), customerId);
    expect((await world().call("POST", `/agents/${agent.id}/device-codes`)).status).toBe(201);
  });

  test("leaves the codes of other agents unchanged", async () => {
    const { deviceCode } = await createAgent(world(), customerId);
    await regenerate();
    expect((await redeem(deviceCode.code)).status).toBe(200);
  });
});

// spec/agents.md#deletion
describe("deleting an agent", () => {
  test("makes its codes unknown, redeemed or not", async () => {
    const connected = await createAgent(world(), customerId);
    await redeem(connected.deviceCode.code);
    for (const id of [agentId, connected.agent.id]) await world().call("DELETE", `/agents/${id}`);
    for (const which of [code, connected.deviceCode.code]) {
      expectRefused(await status(which), NOT_FOUND);
      expectRefused(await redeem(which), NOT_FOUND);
    }
  });

  test("ends its token at once, and no other one", async () => {
    const one = await connectAgent(world(), customerId);
    const other = await connectAgent(world(), customerId);
    await world().call("DELETE", `/agents/${one.id}`);
    const answers = [
      await one.call("GET", "/agents/me"),
      await one.call("POST", "/agents/me/quotes", {}),
      await one.call("GET", "/agents/me/actions/none"),
    ];
    for (const answer of answers) expectRefused(answer, UNAUTHORIZED);
    expect((await other.call("GET", "/agents/me")).status).toBe(200);
  });
});

test("a paused agent may be connected, and reads", async () => {
  await world().call("PATCH", `/agents/${agentId}`, { isPaused: true });
  const { body } = await redeem();
  expect((await me(body.accessToken)).body).toMatchObject({ isPaused: true, isConnected: true });
});
