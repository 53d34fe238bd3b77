import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { outcomeGroups } from "../../../src/control/core/outcome-groups.ts";
import { RULE_TABLES } from "../../../src/domain/outcomes/rule-names.ts";
import { createBank, from, transferInput, usdAccount } from "../../setup/banks.ts";
import { createPayee, createPayer, quoteInput } from "../../setup/platform.ts";
import { Receiver } from "../../setup/receiver.ts";
import { type Answer, startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { createCustomer } from "../customers/setup/people.ts";
import { answered, answering } from "../setup/incoming.ts";
import { execute, payTo, type Ruled, ruledCalls } from "../setup/ruled-calls.ts";

let world: TestSimulator;
let receiver: Receiver;

beforeAll(async () => {
  world = await startTestSimulator();
  receiver = await new Receiver().start();
  receiver.behaviour = answering(answered(202));
  await world.call("PATCH", "/config", { webhookEndpoint: receiver.url });
});

afterAll(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
  await receiver.stop();
});

const ruleOf = ({ headers }: Answer) => headers.get("x-sim-rule");

const ruled = (group: string, row: string) => ruledCalls(world)[group]?.(row) as Promise<Ruled>;

/** Rows that the answer of a receiver or the clock chooses, never a call. */
const DECIDED_ELSEWHERE = ["approval"];

const ROWS = outcomeGroups().flatMap(({ group, rows }) => rows.map((row) => ({ group, ...row })));

test("every table that outcomes lists is one of the rules, and has calls here", () => {
  const groups = outcomeGroups().map(({ group }) => group);
  expect(groups.toSorted()).toEqual([...RULE_TABLES].sort());
  expect([...Object.keys(ruledCalls(world)), ...DECIDED_ELSEWHERE].sort()).toEqual(
    groups.toSorted(),
  );
});

describe("the header names the row as outcomes does", () => {
  const reached = ROWS.filter(({ group }) => !DECIDED_ELSEWHERE.includes(group));
  test.each(reached)("$rule", async ({ group, match, rule }) => {
    const [answer, header] = await ruled(group, match);
    expect(ruleOf(answer), JSON.stringify(answer.body)).toBe(header);
    expect(header.split(", ")).toContain(rule);
  });
});

test("a reply that no row decided has no header", async () => {
  const { customerId, accountId } = await createPayer(world);
  const payee = await createPayee(world, customerId, "002");
  const quote = await world.call("POST", "/quotes", quoteInput(accountId, payee));
  expect(ruleOf(quote)).toBeNull();
  expect(ruleOf(await world.call("GET", `/quotes/${quote.body.id}`))).toBeNull();
  await execute(world, quote.body.id);
  const refused = await execute(world, quote.body.id);
  expect([refused.status, ruleOf(refused)]).toEqual([409, null]);
});

describe("a repeated key", () => {
  const repeated = async (path: string, body: object) => {
    const init = () => ({
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", "idempotency-key": `again-${path}` },
    });
    const first = await world.raw("POST", path, init());
    const second = await world.raw("POST", path, init());
    expect(second.body).toEqual(first.body);
    return [first.status, ruleOf(first), ruleOf(second)];
  };

  test("gets the header of the first answer", async () => {
    const { customerId, accountId } = await createPayer(world);
    const bank = await createBank(world, customerId, "005");
    const body = transferInput(accountId, bank, 5);
    expect(await repeated("/transfer-out", body)).toEqual([
      201,
      "transferOut.005",
      "transferOut.005",
    ]);
  });

  test("gets that of a refusal too", async () => {
    const customerId = await createCustomer(world);
    const body = { customerId, currency: "USD", accountInfo: usdAccount("105") };
    const rule = "beneficiaryVerification.105";
    expect(await repeated("/customers/external-accounts", body)).toEqual([400, rule, rule]);
  });
});

test("an injected error names its fault switch", async () => {
  const { body: fault } = await world.control("POST", "/faults", {
    match: { operation: "getConfig", times: 1 },
    fault: { status: 503 },
  });
  const struck = await world.raw("GET", "/config");
  expect([struck.status, ruleOf(struck)]).toEqual([503, `fault.${fault.id}`]);
  expect(ruleOf(await world.call("GET", "/config"))).toBeNull();
});

test("the log and why tell the rules of a request", async () => {
  const { customerId } = await createPayer(world);
  const bank = await createBank(world, customerId, "999");
  const payee = await createPayee(world, customerId, "003");
  const answer = await execute(world, await payTo(world, from(bank), payee));
  const id = answer.headers.get("x-sim-request-id");
  const rules = ["pull.otherwise", "quotedPayment.003"];
  expect((await world.control("GET", `/requests/${id}`)).body.rules).toEqual(rules);
  const { effects } = (await world.control("GET", `/why/${id}`)).body.chain[0];
  expect(effects.slice(0, 2)).toEqual([
    {
      kind: "rule",
      rule: "pull.otherwise",
      says: "no test rule: the money is collected",
    },
    {
      kind: "rule",
      rule: "quotedPayment.003",
      says: "test rule 003: completes after about 6 minutes",
    },
  ]);
});
