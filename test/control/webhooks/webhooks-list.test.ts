import { beforeEach, expect, test } from "vitest";
import type { Parsed } from "../../setup/test-simulator.ts";
import {
  allEnded,
  BALANCE_UPDATED,
  fund,
  greetedPerTest,
  openAccount,
} from "../../webhooks/setup/greeted.ts";

let accounts: string[];

const { world } = greetedPerTest();

beforeEach(async () => {
  accounts = [await openAccount(world()), await openAccount(world())];
  world().receiver.behaviour = (_event, response, count) => {
    response.writeHead(count === 1 ? 500 : 200).end();
  };
  for (const account of accounts) {
    await fund(world(), account);
    await allEnded(world());
  }
});

const list = async (query: string) => (await world().control("GET", `/webhooks${query}`)).body;

test.each([
  { query: "?type=TEST", states: ["ACCEPTED"] },
  { query: `?type=${BALANCE_UPDATED}`, states: ["ACCEPTED", "RETRYING"] },
  { query: "?state=ACCEPTED", states: ["ACCEPTED", "ACCEPTED"] },
  { query: `?state=ACCEPTED&type=${BALANCE_UPDATED}`, states: ["ACCEPTED"] },
  { query: "?state=GIVEN_UP", states: [] },
  { query: "?type=OUTGOING_PAYMENT.FAILED", states: [] },
  { query: "?limit=1", states: ["ACCEPTED"] },
])("$query lists $states", async ({ query, states }) => {
  expect((await list(query)).data.map(({ state }: Parsed) => state)).toEqual(states);
});

test("about a record lists what tells of it, by a short id too", async () => {
  const [account = ""] = accounts;
  for (const text of [account, account.slice(-6)]) {
    const { data } = await list(`?about=${text}`);
    expect(data.map(({ about }: Parsed) => about)).toEqual([account]);
  }
});

test.each([
  { query: "?type=PAYMENT.DONE", field: "type" },
  { query: "?state=accepted", field: "state" },
])("$query is refused", async ({ query, field }) => {
  const { status, body } = await world().control("GET", `/webhooks${query}`);
  expect({ status, details: body.error.details }).toMatchObject({
    status: 400,
    details: { field },
  });
});

// spec/webhooks.md#delivery-list
test("filters hold on every page", async () => {
  const first = await list("?state=ACCEPTED&limit=1");
  const second = await list(`?state=ACCEPTED&limit=1&cursor=${first.nextCursor}`);
  expect([first.hasMore, second.hasMore]).toEqual([true, false]);
  expect(second.data[0].type).toBe("TEST");
});

test("a webhook is shown by a short id, with what caused it in words", async () => {
  const [{ id }] = (await list("?limit=1")).data;
  const { body } = await world().control(
    "GET",
    `/webhooks/${encodeURIComponent(`…${id.slice(-6)}`)}`,
  );
  expect(body).toMatchObject({
    id,
    cause: { kind: "request", method: "POST", operation: "fundInternalAccount" },
  });
});

test("an id of another kind is no webhook", async () => {
  const { status, body } = await world().control("GET", `/webhooks/${accounts[0]}`);
  expect({ status, code: body.error.code }).toEqual({ status: 404, code: "ID_NOT_FOUND" });
});
