import { beforeEach, describe, expect, test } from "vitest";
import { connectAgent, createAgent, GENEROUS } from "../../setup/agents.ts";
import { createPayer } from "../../setup/platform.ts";
import { Receiver } from "../../setup/receiver.ts";
import { NOBODY } from "../setup/payment-parties.ts";
import { expectNothing, expectRefused, invalid } from "../setup/refused.ts";
import { goTo } from "../setup/told.ts";
import { preparedOnce, worldPerTest } from "../setup/world-per-test.ts";

const START = "2026-01-05T09:00:00.000Z";
const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}";
const NOT_FOUND = { status: 404, code: "REFERENCE_NOT_FOUND" };

const world = worldPerTest();
let customerId: string;
let accountId: string;

const madePayer = preparedOnce((one) => createPayer(one, 0));

beforeEach(async () => {
  ({ customerId, accountId } = await madePayer(world()));
});

const create = (members: object = {}) =>
  world().call("POST", "/agents", {
    name: "Invoice bot",
    customerId,
    policy: GENEROUS,
    ...members,
  });

const list = async (query = "") => {
  const { status, body } = await world().call("GET", `/agents?${query}`);
  expect(status).toBe(200);
  return (body.data as { name: string }[]).map(({ name }) => name);
};

describe("a new agent", () => {
  test("is shown as it was sent, with its device code, and reads back the same", async () => {
    const policy = {
      permissions: ["VIEW_TRANSACTIONS", "CREATE_QUOTES"],
      defaultExecutionMode: "AUTO",
      spendingLimits: {
        currency: "USD",
        perTransactionLimit: 40_000,
        dailyLimit: 90_000,
        dailyTransactionLimit: 4,
        monthlyLimit: null,
      },
      accountRestrictions: {
        allowedAccountIds: [accountId],
        accountRules: [
          { accountId, executionMode: "APPROVAL_REQUIRED", perTransactionLimit: 15_000 },
        ],
      },
      approvalThresholds: { currency: "EUR", amount: 20_000 },
    };
    const { status, body } = await create({ policy });
    expect(status).toBe(201);
    expect(body).toEqual({
      agent: {
        id: expect.stringMatching(new RegExp(`^Agent:${UUID}$`)),
        name: "Invoice bot",
        customerId,
        isPaused: false,
        isConnected: false,
        policy,
        usage: {
          dailyTransactionCount: 0,
          dailySpend: 0,
          dailyResetDate: "2026-01-06",
          monthlySpend: 0,
          monthlyResetMonth: "2026-02",
        },
        createdAt: START,
        updatedAt: START,
      },
      deviceCode: {
        code: expect.stringMatching(/^SERVICE-AGENT-[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/),
        agentId: body.agent.id,
        expiresAt: "2026-01-05T09:15:00.000Z",
        redeemed: false,
      },
    });
    expect((await world().call("GET", `/agents/${body.agent.id}`)).body).toEqual(body.agent);
  });

  test("may share its name, and may have no permission", async () => {
    const policy = { ...GENEROUS, permissions: [] };
    const made = [await create({ policy }), await create({ policy })];
    expect(made.map(({ status, body }) => [status, body.agent.policy.permissions])).toEqual([
      [201, []],
      [201, []],
    ]);
    expect(made[0]?.body.agent.id).not.toBe(made[1]?.body.agent.id);
    expect(made[0]?.body.deviceCode.code).not.toBe(made[1]?.body.deviceCode.code);
  });

  test("has each permission once, and cannot choose its own id, state or usage", async () => {
    const { body } = await create({
      policy: { ...GENEROUS, permissions: ["CREATE_QUOTES", "CREATE_QUOTES"] },
      id: "Agent:mine",
      isPaused: true,
      isConnected: true,
      usage: { dailySpend: 5 },
    });
    expect(body.agent).toMatchObject({
      isPaused: false,
      isConnected: false,
      policy: { permissions: ["CREATE_QUOTES"] },
      usage: { dailySpend: 0 },
    });
    expect(body.agent.id).not.toBe("Agent:mine");
  });

  const limits = (members: object) => ({
    policy: { ...GENEROUS, spendingLimits: { ...GENEROUS.spendingLimits, ...members } },
  });

  test.each([
    { says: "an empty name", members: { name: "" }, field: "name" },
    {
      says: "an unknown permission",
      members: { policy: { ...GENEROUS, permissions: ["FLY"] } },
      field: "policy.permissions.0",
    },
    {
      says: "a limit per transaction of nothing",
      members: limits({ perTransactionLimit: 0 }),
      field: "policy.spendingLimits.perTransactionLimit",
    },
    {
      says: "a fraction of a cent",
      members: limits({ perTransactionLimit: 0.5 }),
      field: "policy.spendingLimits.perTransactionLimit",
    },
    {
      says: "a negative daily limit",
      members: limits({ dailyLimit: -1 }),
      field: "policy.spendingLimits.dailyLimit",
    },
    {
      says: "a negative monthly limit",
      members: limits({ monthlyLimit: -1 }),
      field: "policy.spendingLimits.monthlyLimit",
    },
    {
      says: "a negative number of transactions",
      members: limits({ dailyTransactionLimit: -1 }),
      field: "policy.spendingLimits.dailyTransactionLimit",
    },
    {
      says: "no number of transactions at all",
      members: limits({ dailyTransactionLimit: null }),
      field: "policy.spendingLimits.dailyTransactionLimit",
    },
    {
      says: "an unknown currency",
      members: limits({ currency: "XYZ" }),
      field: "policy.spendingLimits.currency",
    },
    {
      says: "a threshold without currency",
      members: { policy: { ...GENEROUS, approvalThresholds: { amount: 1 } } },
      field: "policy.approvalThresholds.currency",
    },
    {
      says: "a threshold in an unknown currency",
      members: { policy: { ...GENEROUS, approvalThresholds: { currency: "usd", amount: 1 } } },
      field: "policy.approvalThresholds.currency",
    },
  ])("is refused with $says", async ({ members, field }) => {
    await expectNothing(world(), () => create(members), invalid(field));
  });

  test("is refused without its limits, mode or permissions", async () => {
    for (const missing of ["permissions", "defaultExecutionMode", "spendingLimits"]) {
      const policy = { ...GENEROUS, [missing]: undefined };
      expectRefused(await create({ policy }), invalid(`policy.${missing}`));
    }
  });

  test("is refused for a deleted or unknown customer", async () => {
    const gone = (await createPayer(world(), 0)).customerId;
    await world().call("DELETE", `/customers/${gone}`);
    for (const id of [gone, NOBODY, accountId])
      await expectNothing(
        world(),
        () => create({ customerId: id }),
        invalid("customerId", "USER_NOT_FOUND"),
      );
  });
});

describe("the list of agents", () => {
  /** One agent a minute: A of the first customer, B of another one and connected, C paused. */
  const populate = async () => {
    const other = await createPayer(world(), 0);
    await create({ name: "A" });
    await goTo(world(), "09:01:00.000");
    const { id } = await connectAgent(world(), other.customerId);
    await goTo(world(), "09:02:00.000");
    const { body } = await create({ name: "C" });
    await goTo(world(), "09:03:00.000");
    await world().call("PATCH", `/agents/${body.agent.id}`, { isPaused: true });
    await goTo(world(), "09:04:00.000");
    await world().call("PATCH", `/agents/${id}`, { name: "B" });
    return other;
  };

  test("is filtered by each of its parameters, newest first", async () => {
    const other = await populate();
    const cases: [string, string[]][] = [
      ["", ["C", "B", "A"]],
      [`customerId=${customerId}`, ["C", "A"]],
      [`customerId=${other.customerId}`, ["B"]],
      [`customerId=${NOBODY}`, []],
      ["isPaused=true", ["C"]],
      ["isPaused=false", ["B", "A"]],
      ["isConnected=true", ["B"]],
      ["isConnected=false", ["C", "A"]],
      ["isConnected=false&isPaused=false", ["A"]],
      ["createdAfter=2026-01-05T09:01:00.000Z", ["C", "B"]],
      ["createdAfter=2026-01-05T09:01:00.001Z", ["C"]],
      ["createdBefore=2026-01-05T09:01:00.000Z", ["B", "A"]],
      ["createdBefore=2026-01-05T09:00:59.999Z", ["A"]],
      ["updatedAfter=2026-01-05T09:03:00.000Z", ["C", "B"]],
      ["updatedAfter=2026-01-05T09:03:00.001Z", ["B"]],
      ["updatedBefore=2026-01-05T09:03:00.000Z", ["C", "A"]],
      ["updatedBefore=2026-01-05T09:02:59.999Z", ["A"]],
    ];
    for (const [query, names] of cases) expect([query, await list(query)]).toEqual([query, names]);
  });

  test("comes in pages with a cursor", async () => {
    await populate();
    const { body: first } = await world().call("GET", "/agents?limit=2");
    expect([first.data.length, first.hasMore, first.totalCount]).toEqual([2, true, 3]);
    const cursor = first.nextCursor;
    const { body: second } = await world().call("GET", `/agents?limit=2&cursor=${cursor}`);
    expect([second.data.length, second.hasMore, second.totalCount]).toEqual([1, false, 3]);
    expect(second).not.toHaveProperty("nextCursor");
    const changed = `/agents?limit=2&isPaused=true&cursor=${cursor}`;
    expectRefused(await world().call("GET", changed), invalid("cursor"));
  });

  test.each([
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["isPaused=yes", "isPaused"],
    ["isConnected=1", "isConnected"],
    ["createdAfter=2026-01-05", "createdAfter"],
    ["updatedBefore=soon", "updatedBefore"],
    ["cursor=x", "cursor"],
  ])("refuses %s", async (query, field) => {
    expectRefused(await world().call("GET", `/agents?${query}`), invalid(field));
  });
});

describe("a change of an agent", () => {
  test.each([
    { body: { name: "Payroll bot" }, shows: { name: "Payroll bot", isPaused: false } },
    { body: { isPaused: true }, shows: { name: "Invoice bot", isPaused: true } },
    {
      body: { name: "Payroll bot", isPaused: true },
      shows: { name: "Payroll bot", isPaused: true },
    },
  ])(
    "of $body is shown with a new updatedAt, and all else is unchanged",
    async ({ body, shows }) => {
      const { agent } = await createAgent(world(), customerId);
      await goTo(world(), "09:01:00.000");
      const patched = await world().call("PATCH", `/agents/${agent.id}`, body);
      const updatedAt = "2026-01-05T09:01:00.000Z";
      expect([patched.status, patched.body]).toEqual([200, { ...agent, ...shows, updatedAt }]);
      expect((await world().call("GET", `/agents/${agent.id}`)).body).toEqual(patched.body);
    },
  );

  test.each([
    { body: {}, field: "body" },
    { body: { unheardOf: 1 }, field: "body" },
    { body: { name: "" }, field: "name" },
    { body: { isPaused: "true" }, field: "isPaused" },
    { body: { name: null }, field: "name" },
  ])("of $body is refused", async ({ body, field }) => {
    const { agent } = await createAgent(world(), customerId);
    const patch = () => world().call("PATCH", `/agents/${agent.id}`, body);
    await expectNothing(world(), patch, invalid(field));
  });

  test("follows from deleting its customer, which pauses its agents", async () => {
    const { agent } = await createAgent(world(), customerId);
    const { agent: paused } = await createAgent(world(), customerId);
    await world().call("PATCH", `/agents/${paused.id}`, { isPaused: true });
    await goTo(world(), "09:01:00.000");
    await world().call("DELETE", `/customers/${customerId}`);
    const shown = async (id: string) => (await world().call("GET", `/agents/${id}`)).body;
    expect(await shown(agent.id)).toMatchObject({
      isPaused: true,
      updatedAt: "2026-01-05T09:01:00.000Z",
    });
    expect(await shown(paused.id)).toMatchObject({ isPaused: true, updatedAt: START });
  });
});

test("a deleted agent is unknown everywhere, and cannot be deleted again", async () => {
  const { agent } = await createAgent(world(), customerId);
  const { status, body, headers } = await world().call("DELETE", `/agents/${agent.id}`);
  expect([status, body, headers.get("content-type")]).toEqual([204, "", null]);
  for (const [method, below, input] of [
    ["GET", ""],
    ["DELETE", ""],
    ["PATCH", "", { name: "x" }],
    ["PATCH", "/policy", {}],
    ["POST", "/device-codes"],
  ] as const)
    expectRefused(await world().call(method, `/agents/${agent.id}${below}`, input), NOT_FOUND);
  expect(await list()).toEqual([]);
});

test("an unknown agent is refused before a bad body", async () => {
  for (const below of ["", "/policy"])
    expectRefused(await world().call("PATCH", `/agents/Agent:none${below}`, []), NOT_FOUND);
});

test("nothing that happens to agents and their codes sends an event", async () => {
  const receiver = await new Receiver().start();
  await world().call("PATCH", "/config", { webhookEndpoint: receiver.url });
  const { agent } = await createAgent(world(), customerId);
  await world().call("POST", `/agents/${agent.id}/device-codes`);
  await world().call("PATCH", `/agents/${agent.id}`, { isPaused: true });
  await world().call("PATCH", `/agents/${agent.id}/policy`, { permissions: [] });
  const { id } = await connectAgent(world(), customerId);
  await world().call("DELETE", `/agents/${id}`);
  await goTo(world(), "09:00:00.000");
  expect(receiver.types()).toEqual(["TEST"]);
  await receiver.stop();
});
