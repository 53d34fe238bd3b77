import { afterEach, beforeEach, expect, test } from "vitest";
import { type ConnectedAgent, createAgent } from "../../setup/agents.ts";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { reopen } from "../../storage/setup/reopen.ts";
import { StateDirectory } from "../../storage/setup/state-directory.ts";
import { expectRefused } from "../setup/refused.ts";
import { balanceOf } from "../setup/told.ts";
import {
  type AgentParties,
  ASKING,
  createAgentParties,
  decide,
  executeQuote,
  payOut,
  payQuote,
  usageOf,
} from "./setup/agent-parties.ts";

let directory: StateDirectory;
let world: TestSimulator;
let parties: AgentParties;

beforeEach(async () => {
  directory = new StateDirectory();
  world = await startTestSimulator({ storage: directory.url });
  parties = await createAgentParties(world, ASKING);
});

afterEach(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
  directory.remove();
});

/** The same agent, calling the simulator that is open now. */
const onNow = ({ id, accessToken }: ConnectedAgent): ConnectedAgent => ({
  id,
  accessToken,
  call: (...[method, path, body, headers = {}]) =>
    world.raw(method, path, {
      headers: {
        authorization: `Bearer ${accessToken}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
});

const restart = async () => {
  await world.sim.close();
  world = await reopen(directory);
  parties = { ...parties, agent: onNow(parties.agent) };
};

const onDisk = (text: string) => directory.contents().some(([, bytes]) => bytes.includes(text));

test("agents, usage and waiting actions are the same after a restart", async () => {
  const { body: done } = await payOut(parties);
  await decide(world, parties, { verb: "approve", id: done.id });
  const waiting = [(await payOut(parties)).body, (await payQuote(parties)).body];
  const agent = (await world.call("GET", `/agents/${parties.agent.id}`)).body;
  await restart();
  expect((await parties.agent.call("GET", "/agents/me")).body).toEqual(agent);
  expect(await usageOf(parties)).toEqual([1, 25_000, 25_000]);
  const { data } = (await world.call("GET", "/agents/approvals?sortOrder=asc")).body;
  expect(data).toEqual(waiting);
  expectRefused(await executeQuote(parties, waiting[1].quote.id), {
    status: 409,
    code: "CONFLICT",
    reason: "ACTION_PENDING_APPROVAL",
  });
  for (const { id } of waiting)
    expect((await decide(world, parties, { verb: "approve", id })).body.status).toBe("APPROVED");
  expect(await usageOf(parties)).toEqual([3, 75_000, 75_000]);
  expect(await balanceOf(world, parties.payer.accountId)).toBe(925_000);
});

test("a device code is redeemed once, before or after a restart", async () => {
  const { agent, deviceCode } = await createAgent(world, parties.payer.customerId);
  await restart();
  const redeem = () => world.call("POST", `/agents/device-codes/${deviceCode.code}/redeem`);
  const { body } = await redeem();
  expect(body.agentId).toBe(agent.id);
  await restart();
  expect((await redeem()).body.reason).toBe("DEVICE_CODE_ALREADY_REDEEMED");
  const authorization = `Bearer ${body.accessToken}`;
  const own = await world.raw("GET", "/agents/me", { headers: { authorization } });
  expect([own.status, own.body.id]).toEqual([200, agent.id]);
});

test("a deleted agent stays deleted; its waiting actions are REJECTED with a reason", async () => {
  await payOut(parties);
  expect(onDisk("Agent deleted")).toBe(false);
  await world.call("DELETE", `/agents/${parties.agent.id}`);
  expect(onDisk('"rejectionReason":"Agent deleted"')).toBe(true);
  await restart();
  expectRefused(await parties.agent.call("GET", "/agents/me"), {
    status: 401,
    code: "UNAUTHORIZED",
  });
  expect((await world.call("GET", "/agents/approvals")).body.data).toEqual([]);
});

test("an access token is never on disk, and in no log of calls", async () => {
  const secret = parties.agent.accessToken.split("_")[1] ?? "";
  expect(secret).toMatch(/^[0-9a-f]{40}$/);
  await parties.agent.call("GET", "/agents/me");
  const { body: log } = await world.control("GET", "/requests?limit=100");
  const details = [];
  for (const { id } of log.data) details.push((await world.control("GET", `/requests/${id}`)).body);
  const logged = JSON.stringify([log, details]);
  expect(logged).toContain("/redeem");
  expect(logged.includes(secret)).toBe(false);
  expect(onDisk(parties.agent.id)).toBe(true);
  expect(onDisk(secret)).toBe(false);
});

test("a reset ends every token, and none is issued again", async () => {
  expect((await world.control("POST", "/reset", {})).status).toBe(200);
  const before = parties.agent;
  expectRefused(await before.call("GET", "/agents/me"), { status: 401, code: "UNAUTHORIZED" });
  parties = await createAgentParties(world);
  expect(parties.agent.accessToken).not.toBe(before.accessToken);
  expectRefused(await before.call("GET", "/agents/me"), { status: 401, code: "UNAUTHORIZED" });
});
