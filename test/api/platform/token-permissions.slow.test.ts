import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PLATFORM_ENDPOINTS } from "../../../src/api/endpoints.ts";
import { OPERATIONS, type OperationRow } from "../../../src/contract/operations.ts";
import { type ConnectedAgent, connectAgent } from "../../setup/agents.ts";
import { everyRow } from "../../setup/every-row.ts";
import { createPayer, type Payer } from "../../setup/platform.ts";
import { type Answer, startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { basic, calledWith, createToken, type HeldToken } from "../../setup/tokens.ts";
import { fingerprintOf } from "../setup/every-operation.ts";
import { expectErrorShape, expectRefused } from "../setup/refused.ts";

/** Permissions that tokens are made with: each alone, each pair, and all. */
const SETS = [
  ["VIEW"],
  ["TRANSACT"],
  ["MANAGE"],
  ["VIEW", "TRANSACT"],
  ["VIEW", "MANAGE"],
  ["TRANSACT", "MANAGE"],
  ["VIEW", "TRANSACT", "MANAGE"],
];

const isServed = ({ method, path }: OperationRow) =>
  PLATFORM_ENDPOINTS.some((one) => one.method === method && one.path === path);

// spec/tokens.md#platform-operations
const SERVED = OPERATIONS.filter(isServed);
const BY_TOKEN = SERVED.filter(({ auth }) => auth === "B" || auth === "BS");
const BY_AGENT = SERVED.filter(({ auth }) => auth === "T");
const BY_ANYBODY = SERVED.filter(({ auth }) => auth === "none");

let world: TestSimulator;
let payer: Payer;
let agent: ConnectedAgent;
const tokens = new Map<string, HeldToken>();

beforeAll(async () => {
  world = await startTestSimulator();
  payer = await createPayer(world, 0);
  agent = await connectAgent(world, payer.customerId);
  for (const set of SETS) tokens.set(set.join(), await createToken(world, set));
});

afterAll(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
});

const held = (set: readonly string[]) => tokens.get(set.join()) as HeldToken;
const pathOf = ({ path }: OperationRow) => path.replace(/\{\w+\}/g, "none");

type Caller = Pick<HeldToken, "call">;
const everyOperation = (rows: OperationRow[], check: (row: OperationRow) => unknown) =>
  everyRow(rows, check, ({ method, path }) => `${method} ${path}`);
const callAs = (caller: Caller, row: OperationRow) => caller.call(row.method, pathOf(row));

const expectUnauthorized = (answer: Answer) => {
  expect({ status: answer.status, code: answer.body.code }).toEqual({
    status: 401,
    code: "UNAUTHORIZED",
  });
  expectErrorShape(answer);
};

/** Any permission implies VIEW (spec/tokens.md#permissions). */
const grants = (set: readonly string[], { permission }: OperationRow) =>
  permission === "VIEW" || set.includes(permission);

describe.each(SETS.map((set) => ({ set })))("a token with exactly $set", ({ set }) => {
  const allowed = BY_TOKEN.filter((row) => grants(set, row));
  const refused = BY_TOKEN.filter((row) => !grants(set, row));

  test("has exactly these", async () => {
    expect(held(set).permissions).toEqual(set);
    const { body } = await world.call("GET", `/tokens/${held(set).id}`);
    expect(body.permissions).toEqual(set);
  });

  test("may call what its permissions grant", () =>
    everyOperation(allowed, async (row) => {
      const { status, body } = await callAs(held(set), row);
      expect([401, 403, 405]).not.toContain(status);
      expect(body.reason).not.toBe("UNKNOWN_OPERATION");
    }));

  test("is refused the rest before anything happens", async () => {
    expect(refused.length === 0).toBe(set.includes("TRANSACT") && set.includes("MANAGE"));
    if (refused.length === 0) return;
    const before = await fingerprintOf(world);
    await everyOperation(refused, async (row) => {
      const answer = await callAs(held(set), row);
      const { code, details } = answer.body;
      expect({ status: answer.status, code, details }).toEqual({
        status: 403,
        code: "FORBIDDEN",
        details: { requiredPermission: row.permission, permissions: set },
      });
      expectErrorShape(answer);
    });
    expect(await fingerprintOf(world)).toEqual(before);
  });

  test("is not accepted by the operations of agents", async () => {
    for (const row of BY_AGENT) expectUnauthorized(await callAs(held(set), row));
  });
});

test.each([{ set: ["VIEW"] }, { set: ["MANAGE"] }])(
  "a token with $set is refused before a body is looked at, and a key keeps nothing",
  async ({ set }) => {
    const before = await fingerprintOf(world);
    const { clientId, clientSecret } = held(set);
    const headers = {
      authorization: basic(clientId, clientSecret),
      "idempotency-key": "k1",
      "content-type": "application/json",
    };
    for (const path of ["/transfer-in", "/transfer-out", "/sandbox/send"])
      for (const body of ["{", "null", '{"amount":0}']) {
        const answer = await world.raw("POST", path, { headers, body });
        expectRefused(answer, { status: 403, code: "FORBIDDEN" });
      }
    expect(await fingerprintOf(world)).toEqual(before);
  },
);

describe("other credentials", () => {
  test("an agent's token is not accepted by the operations of the platform", async () => {
    for (const row of BY_TOKEN) expectUnauthorized(await callAs(agent, row));
  });

  test("without credentials no operation of the platform or of agents is reached", async () => {
    const nobody = { call: calledWith(world, "") };
    for (const row of [...BY_TOKEN, ...BY_AGENT]) expectUnauthorized(await callAs(nobody, row));
  });

  test("an operation without credentials ignores any, right or wrong", async () => {
    expect(BY_ANYBODY.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /agents/device-codes/{code}/redeem",
    ]);
    const callers = [
      ...tokens.values(),
      agent,
      ...["", "Basic !", "Bearer x"].map((text) => ({ call: calledWith(world, text) })),
    ];
    for (const row of BY_ANYBODY)
      for (const caller of callers) expect((await callAs(caller, row)).status).toBe(404);
  });
});

/** One call for each permission, with a body that takes effect. */
const DONE = [
  { permission: "VIEW", call: "GET /config", status: 200 },
  { permission: "TRANSACT", call: "POST /sandbox/internal-accounts/{accountId}/fund", status: 200 },
  { permission: "MANAGE", call: "PATCH /config", status: 200 },
];

test.each(DONE)("$call happens with $permission alone", async ({ permission, call, status }) => {
  const [method = "", path = ""] = call.split(" ");
  const body = { amount: 1, umaDomain: "pay.example" };
  const answer = await held([permission]).call(
    method,
    path.replace("{accountId}", payer.accountId),
    method === "GET" ? undefined : body,
  );
  expect(answer.status).toBe(status);
});
